/** What traces are packed in, written in the least way that readers take: ZIP and tar archives, gzip. */
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'

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
