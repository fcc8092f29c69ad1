/** Files that hold traces: event files and archives. Checksums are computed bit by bit, as the standards define them. */

import { deflateRawSync } from 'node:zlib'
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'

const CRC32 = 0xedb88320
const CRC32C = 0x82f63b78

function crc(bytes: Uint8Array, polynomial: number): number {
  let value = 0xffffffff
  for (const byte of bytes) {
    value ^= byte
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ polynomial : value >>> 1
  }
  return ~value >>> 0
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts))
}

/** Fields of 2 or 4 bytes, little-endian. */
function fields(...values: Array<[number, 2 | 4]>): Uint8Array {
  const all = values.map(([value, size]) => {
    const buffer = Buffer.alloc(size)
    if (size === 2) buffer.writeUInt16LE(value)
    else buffer.writeUInt32LE(value)
    return buffer
  })
  return joined(all)
}

function masked(bytes: Uint8Array): Uint8Array {
  const value = crc(bytes, CRC32C)
  return fields([((((value >>> 15) | (value << 17)) >>> 0) + 0xa282ead8) >>> 0, 4])
}

/** A record of a TFRecord file. */
export function record(content: Uint8Array): Uint8Array {
  const length = fields([content.length, 4], [0, 4])
  return joined([length, masked(length), content, masked(content)])
}

export function versionEvent(): Uint8Array {
  return new BinaryWriter().tag(1, WireType.Bit64).double(1.5e9).tag(3, WireType.LengthDelimited).string('brain.Event:2').finish()
}

/** An event with the given field of `Event`, a message. */
function stepEvent(step: number, field: number, content: Uint8Array): Uint8Array {
  return new BinaryWriter()
    .tag(1, WireType.Bit64)
    .double(1.5e9)
    .tag(2, WireType.Varint)
    .int64(step)
    .tag(field, WireType.LengthDelimited)
    .bytes(content)
    .finish()
}

export function scalarEvent(step: number): Uint8Array {
  return stepEvent(step, 5, Uint8Array.of(0x0a, 3, 0x0a, 1, 0x6c))
}

export function runMetadataEvent(runMetadata: Uint8Array, step: number): Uint8Array {
  const tagged = new BinaryWriter()
    .tag(1, WireType.LengthDelimited)
    .string(`step${step}`)
    .tag(2, WireType.LengthDelimited)
    .bytes(runMetadata)
    .finish()
  return stepEvent(step, 8, tagged)
}

/** An event file of the version, a scalar before each step, and the steps. */
export function eventFile(steps: readonly Uint8Array[]): Uint8Array {
  const events = steps.flatMap((step, i) => [scalarEvent(i), runMetadataEvent(step, i)])
  return joined([versionEvent(), ...events].map(record))
}

export interface Entry {
  name: string
  content: Uint8Array
}

interface ZipOptions {
  isStored?: boolean
  /** Values that the directory states instead of the right ones. */
  lies?: { crc?: number; unpackedBytes?: number; method?: number; flags?: number }
}

export function zip(entries: readonly Entry[], { isStored = false, lies = {} }: ZipOptions = {}): Uint8Array {
  const locals: Uint8Array[] = []
  const central: Uint8Array[] = []
  let at = 0
  for (const { name, content } of entries) {
    const nameBytes = new TextEncoder().encode(name)
    const packed = isStored ? content : new Uint8Array(deflateRawSync(content))
    const about = fields(
      [20, 2],
      [lies.flags ?? 0, 2],
      [lies.method ?? (isStored ? 0 : 8), 2],
      [0, 4],
      [lies.crc ?? crc(content, CRC32), 4],
      [packed.length, 4],
      [lies.unpackedBytes ?? content.length, 4],
      [nameBytes.length, 2],
      [0, 2]
    )
    const local = joined([fields([0x04034b50, 4]), about, nameBytes, packed])
    central.push(joined([fields([0x02014b50, 4], [20, 2]), about, fields([0, 2], [0, 2], [0, 2], [0, 4], [at, 4]), nameBytes]))
    locals.push(local)
    at += local.length
  }
  const directory = joined(central)
  const count = entries.length
  const end = fields([0x06054b50, 4], [0, 2], [0, 2], [count, 2], [count, 2], [directory.length, 4], [at, 4], [0, 2])
  return joined([...locals, directory, end])
}

function header(name: string, size: number, type: string): Uint8Array {
  const block = Buffer.alloc(512)
  block.write(name, 0, 100)
  block.write('0000644\0', 100)
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  block.write('        ', 148)
  block.write(type, 156)
  block.write('ustar\x0000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

/** A tar archive as GNU tar writes it: folders, long names in entries of their own, two blocks of zeros at the end. */
export function tar(entries: readonly Entry[]): Uint8Array {
  const parts: Uint8Array[] = [header('run/', 0, '5')]
  const add = (name: string, content: Uint8Array, type: string) => {
    parts.push(header(name, content.length, type), content, new Uint8Array((512 - (content.length % 512)) % 512))
  }
  for (const { name, content } of entries) {
    if (name.length > 100) add('././@LongLink', new TextEncoder().encode(`${name}\0`), 'L')
    add(name, content, '0')
  }
  parts.push(new Uint8Array(1024))
  return joined(parts)
}
