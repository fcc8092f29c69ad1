/**
 * ZIP archives (PKWARE APPNOTE 6.3): the entries that the central directory at the end lists, stored or deflated, each with its size and checksum
 * checked. ZIP64 sizes are read, encryption and other methods are refused. Libraries for browsers either unpack an archive whole or do not
 * check checksums as they stream.
 */

import { TraceError } from '../../rawStep.ts'
import { short } from '../../text.ts'
import { Crc32 } from '../checksums.ts'
import { inflated, once } from '../inflate.ts'
import type { ArchiveEntry } from './entry.ts'

const END_SIGNATURE = 0x06054b50
const END_BYTES = 22
const END64_LOCATOR_SIGNATURE = 0x07064b50
const END64_LOCATOR_BYTES = 20
const END64_SIGNATURE = 0x06064b50
const END64_BYTES = 56
const CENTRAL_SIGNATURE = 0x02014b50
const CENTRAL_BYTES = 46
const LOCAL_SIGNATURE = 0x04034b50
const LOCAL_BYTES = 30
/** A comment behind the end record. */
const LONGEST_COMMENT = 0xffff
const ENCRYPTED = 1
const STORED = 0
const DEFLATED = 8
const ZIP64_EXTRA = 0x0001
const NOT_HERE = 0xffffffff

interface Listed {
  name: string
  flags: number
  method: number
  crc: number
  packedBytes: number
  unpackedBytes: number
  localAt: number
}

/** The files in an archive, in the order of its directory. */
export function zipEntries(file: string, archive: Uint8Array): ArchiveEntry[] {
  return listed(new Fields(file, archive))
    .filter(({ name }) => !name.endsWith('/'))
    .map(entry => ({ name: entry.name, bytes: contentOf(file, archive, entry) }))
}

/** Numbers of an archive by position, little-endian. */
class Fields {
  private readonly view: DataView

  constructor(
    readonly file: string,
    readonly bytes: Uint8Array
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  fail(found: string, at: number): never {
    throw new TraceError(`${short(this.file)}: damaged or cut-off ZIP archive: ${found} at byte ${at}; copy it again`)
  }

  /** Refuses what does not lie within the archive. */
  need(at: number, length: number, what: string): void {
    if (!(at >= 0 && at + length <= this.bytes.length)) this.fail(`${what} beyond its end`, this.bytes.length)
  }

  u16(at: number): number {
    return this.view.getUint16(at, true)
  }

  u32(at: number): number {
    return this.view.getUint32(at, true)
  }

  /** Beyond 2^53 the nearest double, which lies outside any archive. */
  u64(at: number): number {
    return this.u32(at) + this.u32(at + 4) * 2 ** 32
  }

  text(at: number, length: number): string {
    return new TextDecoder().decode(this.bytes.subarray(at, at + length))
  }
}

function listed(fields: Fields): Listed[] {
  const { count, at: first } = directoryOf(fields)
  const entries: Listed[] = []
  let at = first
  for (let i = 0; i < count; i++) {
    fields.need(at, CENTRAL_BYTES, 'its directory')
    if (fields.u32(at) !== CENTRAL_SIGNATURE) fields.fail(`no entry ${i + 1} of ${count} in its directory`, at)
    const [nameLength, extraLength, commentLength] = [fields.u16(at + 28), fields.u16(at + 30), fields.u16(at + 32)]
    fields.need(at + CENTRAL_BYTES, nameLength + extraLength + commentLength, 'its directory')
    const entry: Listed = {
      name: fields.text(at + CENTRAL_BYTES, nameLength),
      flags: fields.u16(at + 8),
      method: fields.u16(at + 10),
      crc: fields.u32(at + 16),
      packedBytes: fields.u32(at + 20),
      unpackedBytes: fields.u32(at + 24),
      localAt: fields.u32(at + 42)
    }
    takeZip64(fields, entry, at + CENTRAL_BYTES + nameLength, extraLength)
    entries.push(entry)
    at += CENTRAL_BYTES + nameLength + extraLength + commentLength
  }
  return entries
}

/** Where the directory begins and how many entries it has. */
function directoryOf(fields: Fields): { count: number; at: number } {
  const { length } = fields.bytes
  const earliest = Math.max(0, length - END_BYTES - LONGEST_COMMENT)
  for (let at = length - END_BYTES; at >= earliest; at--) {
    if (fields.u32(at) !== END_SIGNATURE || at + END_BYTES + fields.u16(at + 20) !== length) continue
    const locatorAt = at - END64_LOCATOR_BYTES
    if (locatorAt >= 0 && fields.u32(locatorAt) === END64_LOCATOR_SIGNATURE) {
      const end64At = fields.u64(locatorAt + 8)
      fields.need(end64At, END64_BYTES, 'its ZIP64 end record')
      if (fields.u32(end64At) !== END64_SIGNATURE) fields.fail('no ZIP64 end record', end64At)
      return { count: fields.u64(end64At + 32), at: fields.u64(end64At + 48) }
    }
    if (fields.u16(at + 4) !== 0) fields.fail('a part of several', at)
    return { count: fields.u16(at + 10), at: fields.u32(at + 16) }
  }
  return fields.fail('no directory', length)
}

/** Sizes and positions beyond 32 bits stand in an extra field, in this order, each only where its own field is full. */
function takeZip64(fields: Fields, entry: Listed, extraAt: number, extraLength: number): void {
  let at = extraAt
  const end = extraAt + extraLength
  while (at + 4 <= end) {
    const [id, size] = [fields.u16(at), fields.u16(at + 2)]
    if (id === ZIP64_EXTRA) {
      let from = at + 4
      for (const key of ['unpackedBytes', 'packedBytes', 'localAt'] as const) {
        if (entry[key] !== NOT_HERE) continue
        if (from + 8 > Math.min(at + 4 + size, end)) fields.fail('a ZIP64 field that is cut off', at)
        entry[key] = fields.u64(from)
        from += 8
      }
    }
    at += 4 + size
  }
}

async function* contentOf(file: string, archive: Uint8Array, entry: Listed): AsyncGenerator<Uint8Array> {
  const name = `${file}/${entry.name}`
  const fields = new Fields(file, archive)
  if ((entry.flags & ENCRYPTED) !== 0) throw new TraceError(`${short(name)}: encrypted; unpack the archive and give the files`)
  if (entry.method !== STORED && entry.method !== DEFLATED) {
    throw new TraceError(
      `${short(name)}: packed by method ${entry.method}, which is neither stored nor deflated; unpack the archive and give the files`
    )
  }
  fields.need(entry.localAt, LOCAL_BYTES, `the entry "${short(entry.name)}"`)
  if (fields.u32(entry.localAt) !== LOCAL_SIGNATURE) fields.fail(`no entry "${short(entry.name)}"`, entry.localAt)
  const at = entry.localAt + LOCAL_BYTES + fields.u16(entry.localAt + 26) + fields.u16(entry.localAt + 28)
  fields.need(at, entry.packedBytes, `the entry "${short(entry.name)}"`)
  const packed = once(archive.subarray(at, at + entry.packedBytes))
  const crc = new Crc32()
  let length = 0
  // Nothing beyond the stated size is unpacked: it would be another file than the directory says.
  const content =
    entry.method === STORED ? packed : inflated(name, 'deflate-raw', packed, entry.unpackedBytes, ', which its directory states')
  for await (const chunk of content) {
    crc.add(chunk)
    length += chunk.length
    yield chunk
  }
  if (length !== entry.unpackedBytes || crc.value !== entry.crc)
    throw new TraceError(`${short(name)}: ${length} bytes that do not fit their size and checksum in the archive; copy it again`)
}
