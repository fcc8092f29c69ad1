import { TraceError } from '../rawStep.ts'
import { short } from '../text.ts'

/** Small writes keep what one of them can expand to (1,000 times) within bounds. */
const SLICE_BYTES = 16 * 1024

/** Whether the bytes start like a gzip file (RFC 1952: ID1, ID2, CM = deflate). */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes.length >= 3 && bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8
}

/**
 * What a gzip file, or one entry of a ZIP archive (`deflate-raw`), unpacks to, as it comes, by the platform's own decompressor.
 *
 * @param source its bytes as stored; errors of it pass through
 * @param maxBytes the most it may unpack to
 * @param advice what is said beside the limit
 * @throws TraceError when it is damaged, cut short, or unpacks to more than `maxBytes`
 */
export async function* inflated(
  name: string,
  format: 'gzip' | 'deflate-raw',
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
  advice: string
): AsyncGenerator<Uint8Array> {
  const what = format === 'gzip' ? 'gzip file' : 'entry of a ZIP archive'
  let sourceFailure: { error: unknown } | undefined
  const stream = new DecompressionStream(format)
  const reader = stream.readable.getReader() as ReadableStreamDefaultReader<Uint8Array>
  const writing = feed(source[Symbol.asyncIterator](), stream.writable.getWriter(), error => {
    sourceFailure = { error }
  })
  let length = 0
  try {
    for (;;) {
      let part: ReadableStreamReadResult<Uint8Array>
      try {
        part = await reader.read()
      } catch (error) {
        await writing
        if (sourceFailure !== undefined) throw sourceFailure.error
        throw new TraceError(`${short(name)}: ${unpackingProblem(what, String((error as Error)?.message ?? error), length)}`)
      }
      if (part.done) return
      length += part.value.byteLength
      if (length > maxBytes)
        throw new TraceError(`${short(name)}: ${what} unpacks to more than the limit of ${maxBytes} bytes${advice}`)
      yield part.value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/**
 * How decompressors say that more follows. A gzip file may have several members (RFC 1952, 2.2); Node unpacks all of them, the Compression
 * Streams of browsers refuse what stands behind the first, and do not tell where it ended.
 */
const moreFollows = /junk|after the end|past the end/i

function unpackingProblem(what: string, message: string, unpackedBytes: number): string {
  if (moreFollows.test(message))
    return `${what} with more behind its end (${unpackedBytes} bytes unpacked): if it has several members, browsers do not read them; write it as one (zcat FILE | gzip > ONE.gz), or use the command`
  const cause = short(message).trim() || 'cannot be unpacked'
  return `damaged or cut-off ${what} (${cause}, ${unpackedBytes} bytes unpacked); copy it again`
}

/**
 * What the begin of a gzip file unpacks to, as far as it goes.
 *
 * @param stored the begin of the file
 * @param enough bytes after which no more are needed
 */
export async function inflatedHead(stored: Uint8Array, enough: number): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of inflated('', 'gzip', once(stored), Number.POSITIVE_INFINITY, '')) {
      chunks.push(chunk)
      length += chunk.byteLength
      if (length >= enough) break
    }
  } catch {
    // The stored begin ends somewhere, or is damaged: whoever reads the whole file says so.
  }
  return chunks
}

/** A source of a single piece. */
export async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** Resolves when all is written or nothing more can be; a write that fails is reported by the reader of the stream. */
async function feed(
  source: AsyncIterator<Uint8Array>,
  writer: WritableStreamDefaultWriter<BufferSource>,
  onFailure: (error: unknown) => void
): Promise<void> {
  try {
    for (;;) {
      const next = await source.next().catch(async (error: unknown) => {
        onFailure(error)
        await writer.abort(error)
        return { done: true, value: undefined } as const
      })
      if (next.done) break
      const chunk = next.value
      for (let at = 0; at < chunk.length; at += SLICE_BYTES)
        await writer.write(chunk.subarray(at, at + SLICE_BYTES) as Uint8Array<ArrayBuffer>)
    }
    await writer.close()
  } catch {
    await source.return?.(undefined)
  }
}
