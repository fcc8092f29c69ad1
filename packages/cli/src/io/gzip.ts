import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

/** Packs bytes as they come. What goes wrong with the source goes wrong with the result. */
export async function* gzipped(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gzip = createGzip()
  const feeding = pipeline(Readable.from(chunks, { objectMode: false }), gzip)
  // Its failure also ends the loop below, which is where it is thrown.
  feeding.catch(() => {})
  for await (const chunk of gzip) yield chunk as Uint8Array
  await feeding
}
