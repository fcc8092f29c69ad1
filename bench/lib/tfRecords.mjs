/** TFRecord files, which is what event files are: length, CRC of it, content, CRC of it. */

const crc32cTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1
  return crc
})

/** @param {Uint8Array} bytes */
function maskedCrc32c(bytes) {
  let crc = 0xffffffff
  for (const byte of bytes) crc = crc32cTable[(crc ^ byte) & 0xff] ^ (crc >>> 8)
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

/** @param {readonly Uint8Array[]} records */
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
