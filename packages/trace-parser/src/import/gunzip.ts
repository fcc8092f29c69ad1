import { TraceError } from '../rawStep.ts'
import { short } from '../text.ts'
import { concatenate } from './collect.ts'

/** Small writes keep what one of them can expand to (1,000 times) far below any sensible limit. */
const SLICE_BYTES = 16 * 1024

/** Whether the bytes start like a gzip file (RFC 1952: ID1, ID2, CM = deflate). */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes.length >= 3 && bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8
}

/**
 * Unpacks a gzip file with the platform's own decompressor.
 *
 * @param maxBytes the most it may unpack to
 * @throws TraceError when it is damaged or cut short, or unpacks to more than `maxBytes`
 */
export async function gunzip(name: string, packed: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  const stream = new DecompressionStream('gzip')
  const reader = stream.readable.getReader() as ReadableStreamDefaultReader<Uint8Array>
  // A failing write also fails the read below, which is where it is reported.
  const writing = feed(stream.writable.getWriter(), packed).catch(() => undefined)
  const chunks: Uint8Array[] = []
  let length = 0
  for (;;) {
    let part: ReadableStreamReadResult<Uint8Array>
    try {
      part = await reader.read()
    } catch (error) {
      const cause = short(String((error as Error)?.message ?? error)).trim() || 'cannot be unpacked'
      throw new TraceError(
        `${short(name)}: damaged or cut-off gzip file of ${packed.length} bytes (${cause}, ${length} bytes unpacked); copy it again`
      )
    }
    if (part.done) break
    length += part.value.byteLength
    if (length > maxBytes) {
      await reader.cancel().catch(() => undefined)
      throw new TraceError(
        `${short(name)}: gzip file of ${packed.length} bytes unpacks to more than the limit of ${maxBytes} bytes; a traced step is far smaller`
      )
    }
    chunks.push(part.value)
  }
  await writing
  return concatenate(chunks, length)
}

async function feed(writer: WritableStreamDefaultWriter<BufferSource>, packed: Uint8Array): Promise<void> {
  for (let at = 0; at < packed.length; at += SLICE_BYTES) {
    await writer.write(packed.subarray(at, at + SLICE_BYTES) as Uint8Array<ArrayBuffer>)
  }
  await writer.close()
}
