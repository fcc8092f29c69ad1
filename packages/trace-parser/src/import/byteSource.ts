import { TraceError, type TraceFile } from '../rawStep.ts'
import { short } from '../text.ts'
import { concatenate } from './collect.ts'
import { isGzip } from './gunzip.ts'

/** Enough of a file to tell what it is. */
const HEAD_BYTES = 64 * 1024
/** Small writes keep what one of them can expand to (1,000 times) within bounds. */
const SLICE_BYTES = 16 * 1024

/** A file whose begin has been read and can be read again. */
export interface Opened extends TraceFile {
  /** As stored. */
  isGzip: boolean
  /** The first bytes, unpacked; fewer than there are when the begin of a gzip file is damaged. */
  head: Uint8Array
}

/** Reads as much of a file as is needed to tell what it is. */
export async function open(file: TraceFile): Promise<Opened> {
  const iterator = file.bytes[Symbol.asyncIterator]()
  const chunks: Uint8Array[] = []
  let length = 0
  let isDone = false
  while (length < HEAD_BYTES && !isDone) {
    const next = await iterator.next()
    if (next.done) isDone = true
    else {
      chunks.push(next.value)
      length += next.value.byteLength
    }
  }
  const stored = concatenate(chunks, length)
  const packed = isGzip(stored)
  return {
    name: file.name,
    bytes: again(chunks, iterator, isDone),
    isGzip: packed,
    head: packed ? await unpackHead(stored) : stored
  }
}

async function* again(
  chunks: readonly Uint8Array[],
  iterator: AsyncIterator<Uint8Array>,
  isDone: boolean
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks
    while (!isDone) {
      const next = await iterator.next()
      if (next.done) return
      yield next.value
    }
  } finally {
    await iterator.return?.()
  }
}

/** What the begin of a gzip file unpacks to, as far as a head is needed. */
async function unpackHead(stored: Uint8Array): Promise<Uint8Array> {
  const stream = new DecompressionStream('gzip')
  const writer = stream.writable.getWriter()
  const reader = stream.readable.getReader() as ReadableStreamDefaultReader<Uint8Array>
  const writing = (async () => {
    for (let at = 0; at < Math.min(stored.length, HEAD_BYTES); at += SLICE_BYTES)
      await writer.write(stored.subarray(at, at + SLICE_BYTES) as Uint8Array<ArrayBuffer>)
    await writer.close()
  })().catch(() => undefined)
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    while (length < HEAD_BYTES) {
      const part = await reader.read()
      if (part.done) break
      chunks.push(part.value)
      length += part.value.byteLength
    }
  } catch {
    // The stored begin ends somewhere, or is damaged: whoever reads the whole file says so.
  }
  await reader.cancel().catch(() => undefined)
  await writing
  return concatenate(chunks, length)
}

/**
 * The bytes of an opened file, unpacked, as they come.
 *
 * @param maxBytes the most that may come, stored and unpacked
 * @param count is told of the stored bytes
 * @throws TraceError when it is damaged, cut short, or larger than that; errors of the source pass through
 */
export async function* unpacked(file: Opened, maxBytes: number, count: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  const stored = counted(file, maxBytes, count)
  if (!file.isGzip) {
    yield* stored
    return
  }
  let sourceFailure: { error: unknown } | undefined
  const stream = new DecompressionStream('gzip')
  const writer = stream.writable.getWriter()
  const reader = stream.readable.getReader() as ReadableStreamDefaultReader<Uint8Array>
  const writing = feed(stored, writer, error => {
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
        const cause = short(String((error as Error)?.message ?? error)).trim() || 'cannot be unpacked'
        throw new TraceError(
          `${short(file.name)}: damaged or cut-off gzip file (${cause}, ${length} bytes unpacked); copy it again`
        )
      }
      if (part.done) return
      length += part.value.byteLength
      if (length > maxBytes)
        throw new TraceError(`${short(file.name)}: gzip file unpacks to more than the limit of ${maxBytes} bytes for a timeline`)
      yield part.value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** Resolves when all is written or nothing more can be; a write that fails is reported by the reader of the stream. */
async function feed(
  source: AsyncGenerator<Uint8Array>,
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
    await source.return(undefined)
  }
}

async function* counted(file: Opened, maxBytes: number, count: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  let length = 0
  for await (const chunk of file.bytes) {
    length += chunk.byteLength
    count(chunk.byteLength)
    if (length > maxBytes)
      throw new TraceError(`${short(file.name)}: larger than the limit of ${maxBytes} bytes for a timeline; write fewer steps`)
    yield chunk
  }
}
