/** What traces are packed in, written in the least way that readers take: event files, ZIP and tar archives. */
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'

const CRC32C = Uint32Array.from({ length: 256 }, (_, i) => {
  let crc = i
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1
  return crc
})

/** As TFRecords have it. @param {Uint8Array} bytes */
function maskedCrc32c(bytes) {
  let crc = 0xffffffff
  for (const byte of bytes) crc = CRC32C[(crc ^ byte) & 0xff] ^ (crc >>> 8)
  crc = ~crc >>> 0
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0
}

/** @param {Uint8Array} bytes of an event file @returns {Uint8Array[]} its events */
export function splitRecords(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const records = []
  for (let at = 0; at < bytes.length; ) {
    const length = Number(view.getBigUint64(at, true))
    records.push(bytes.subarray(at + 12, at + 12 + length))
    at += length + 16
  }
  return records
}

/** @param {Uint8Array[]} records */
export function joinRecords(records) {
  return Buffer.concat(
    records.flatMap(record => {
      const length = Buffer.alloc(12)
      length.writeBigUInt64LE(BigInt(record.length))
      length.writeUInt32LE(maskedCrc32c(length.subarray(0, 8)), 8)
      const crc = Buffer.alloc(4)
      crc.writeUInt32LE(maskedCrc32c(record))
      return [length, record, crc]
    })
  )
}

/** @param {Array<[string, Uint8Array]>} entries */
function zip(entries) {
  const parts = []
  const directory = []
  let offset = 0
  for (const [name, content] of entries) {
    const packed = deflateRawSync(content)
    const names = Buffer.from(name)
    // Version, flags, method (deflate), time, date, CRC, sizes, length of the name: the same in both headers.
    const about = Buffer.alloc(26)
    about.writeUInt16LE(20, 0)
    about.writeUInt16LE(8, 4)
    about.writeUInt32LE(crc32(content), 10)
    about.writeUInt32LE(packed.length, 14)
    about.writeUInt32LE(content.length, 18)
    about.writeUInt16LE(names.length, 22)
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), about, names, packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('PK\u0001\u0002\u0014\0'), about, tail, names)
    parts.push(local)
    offset += local.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(central.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, central, Buffer.from('PK\u0005\u0006'), end])
}

/** @param {Array<[string, Uint8Array]>} entries */
function tar(entries) {
  const parts = entries.flatMap(([name, content]) => {
    const header = Buffer.alloc(512)
    header.write(name, 0)
    header.write('0000644\u00000000000\u00000000000\u0000', 100)
    header.write(`${content.length.toString(8).padStart(11, '0')}\u000000000000000\u0000        0`, 124)
    header.write('ustar\u000000', 257)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\u0000 `, 148)
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)]
  })
  return Buffer.concat([...parts, Buffer.alloc(1024)])
}

/** @type {Record<string, (entries: Array<[string, Uint8Array]>) => Uint8Array>} the first entry is the one that was mutated */
export const containers = {
  plain: ([[, content]]) => content,
  gzip: ([[, content]]) => gzipSync(content),
  zip,
  tar,
  'tar.gz': entries => gzipSync(tar(entries))
}
