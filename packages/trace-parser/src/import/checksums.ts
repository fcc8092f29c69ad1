/** Checksums of file formats: CRC-32 (ZIP) and CRC-32C (TensorFlow's TFRecord). Both are reflected, with all bits set before and after. */

const ZIP_POLYNOMIAL = 0xedb88320
const CASTAGNOLI_POLYNOMIAL = 0x82f63b78

type Tables = readonly Uint32Array[]

/** Tables that take eight bytes at a time: table k holds what a byte does to the checksum when k zero bytes follow it. */
function tablesOf(polynomial: number): Tables {
  const first = Uint32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ polynomial : crc >>> 1
    return crc
  })
  const tables = [first]
  for (let k = 1; k < 8; k++) tables.push(tables[k - 1].map(crc => (crc >>> 8) ^ first[crc & 0xff]))
  return tables
}

function advance(tables: Tables, bytes: Uint8Array, state: number): number {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = tables
  let crc = state
  let at = 0
  for (; at + 8 <= bytes.length; at += 8) {
    crc =
      t7[(crc ^ bytes[at]) & 0xff] ^
      t6[((crc >>> 8) ^ bytes[at + 1]) & 0xff] ^
      t5[((crc >>> 16) ^ bytes[at + 2]) & 0xff] ^
      t4[(crc >>> 24) ^ bytes[at + 3]] ^
      t3[bytes[at + 4]] ^
      t2[bytes[at + 5]] ^
      t1[bytes[at + 6]] ^
      t0[bytes[at + 7]]
  }
  for (; at < bytes.length; at++) crc = (crc >>> 8) ^ t0[(crc ^ bytes[at]) & 0xff]
  return crc
}

let castagnoli: Tables | undefined
let zip: Tables | undefined

/** The CRC-32C of some bytes, masked as TFRecord stores it (tensorflow/core/lib/hash/crc32c.h). */
export function maskedCrc32c(bytes: Uint8Array): number {
  castagnoli ??= tablesOf(CASTAGNOLI_POLYNOMIAL)
  const crc = ~advance(castagnoli, bytes, -1)
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0
}

/** The CRC-32 of what comes in pieces. */
export class Crc32 {
  private state = -1

  add(bytes: Uint8Array): void {
    zip ??= tablesOf(ZIP_POLYNOMIAL)
    this.state = advance(zip, bytes, this.state)
  }

  get value(): number {
    return ~this.state >>> 0
  }
}
