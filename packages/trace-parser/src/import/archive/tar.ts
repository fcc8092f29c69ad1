/**
 * tar archives (POSIX ustar and pax, GNU's long names): regular files, one after the other as bytes come. Folders, links and devices are passed
 * over.
 */

import { TraceError } from '../../rawStep.ts'
import { short } from '../../text.ts'
import { ByteReader } from '../byteReader.ts'
import type { ArchiveEntry } from './entry.ts'

const BLOCK_BYTES = 512
/** Of an entry that only carries the name of the next. */
const LONGEST_NAME_BYTES = 64 * 1024
const REGULAR = new Set(['0', '\0', '7'])

/** Whether the bytes begin with the header of an archive's first entry: its checksum is right. */
export function looksLikeTar(bytes: Uint8Array): boolean {
  return bytes.length >= BLOCK_BYTES && bytes[0] !== 0 && hasRightSum(bytes.subarray(0, BLOCK_BYTES))
}

/**
 * The files in an archive. What is left of an entry's bytes is passed over when the next one is asked for.
 *
 * @throws TraceError when it is damaged or cut off
 */
export async function* tarEntries(file: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ArchiveEntry> {
  const reader = new ByteReader(bytes)
  const fail = (found: string, at: number): never => {
    throw new TraceError(`${short(file)}: damaged or cut-off tar archive: ${found} at byte ${at}; copy it again`)
  }
  let longName = ''
  try {
    for (;;) {
      const at = reader.position
      const header = await reader.exactly(BLOCK_BYTES)
      // The end is two blocks of zeros, which writers that are cut off, and some others, leave out.
      if (header.length === 0 || header.every(byte => byte === 0)) return
      if (header.length < BLOCK_BYTES || !hasRightSum(header)) fail('no header of an entry', at)
      const size = sizeOf(header)
      if (!Number.isSafeInteger(size)) fail('an impossible size', at)
      const type = String.fromCharCode(header[156])
      const next = reader.position + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES
      if (type === 'L' || type === 'x') {
        const content = await reader.exactly(Math.min(size, LONGEST_NAME_BYTES))
        longName = nameIn(type, content) || longName
      } else if (REGULAR.has(type)) {
        const name = longName || nameOf(header)
        longName = ''
        const end = reader.position + size
        yield { name, bytes: contentOf(reader, end, () => fail(`the entry "${short(name)}", cut off`, reader.position)) }
      }
      const left = next - reader.position
      if ((await reader.skip(left)) < left) fail('an entry, cut off', reader.position)
    }
  } finally {
    await reader.close()
  }
}

async function* contentOf(reader: ByteReader, end: number, fail: () => never): AsyncGenerator<Uint8Array> {
  while (reader.position < end) yield (await reader.some(end - reader.position)) ?? fail()
}

/** The sum of the header's bytes, that of the checksum itself taken as spaces. */
function hasRightSum(header: Uint8Array): boolean {
  let sum = 0
  for (let i = 0; i < BLOCK_BYTES; i++) sum += i >= 148 && i < 156 ? 0x20 : header[i]
  return octal(header, 148, 8) === sum
}

/** Octal digits, or a big-endian number behind a set top bit where those do not suffice. */
function sizeOf(header: Uint8Array): number {
  if ((header[124] & 0x80) === 0) return octal(header, 124, 12)
  let size = 0
  for (let i = 125; i < 136; i++) size = size * 256 + header[i]
  return size
}

function octal(header: Uint8Array, at: number, length: number): number {
  const digits = textAt(header, at, length).trim()
  return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number.NaN
}

function nameOf(header: Uint8Array): string {
  const prefix = textAt(header, 257, 5) === 'ustar' ? textAt(header, 345, 155) : ''
  const name = textAt(header, 0, 100)
  return prefix === '' ? name : `${prefix}/${name}`
}

/** GNU: the name. pax: records of "length key=value" and a line break. */
function nameIn(type: 'L' | 'x', content: Uint8Array): string {
  const text = textAt(content, 0, content.length)
  return type === 'L' ? text : (/(?:^|\n)\d+ path=([^\n]*)\n/.exec(text)?.[1] ?? '')
}

/** Up to the first zero byte. */
function textAt(bytes: Uint8Array, at: number, length: number): string {
  const field = bytes.subarray(at, at + length)
  const end = field.indexOf(0)
  return new TextDecoder().decode(end < 0 ? field : field.subarray(0, end))
}
