import { TraceError, type TraceFile } from '../rawStep.ts'
import { short } from '../text.ts'
import { concatenate } from './collect.ts'
import { inflated, inflatedHead, isGzip } from './inflate.ts'

/** Enough of a file to tell what it is. */
const HEAD_BYTES = 64 * 1024

/** A file whose begin has been read and can be read again. */
export interface Opened extends TraceFile {
  /** As stored. */
  isGzip: boolean
  /** The first bytes, unpacked; fewer than there are when the begin of a gzip file is damaged. */
  head: Uint8Array
  /** Lets go of the source; for a file that is not read. */
  close(): Promise<void>
}

/** What a file may cost, with what is said beside the limit. */
export interface Bounds {
  stored: number
  unpacked: number
  advice: string
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
  const unpackedChunks = packed ? await inflatedHead(stored.subarray(0, HEAD_BYTES), HEAD_BYTES) : [stored]
  return {
    ...file,
    bytes: again(chunks, iterator, isDone),
    isGzip: packed,
    head: concatenate(
      unpackedChunks,
      unpackedChunks.reduce((sum, chunk) => sum + chunk.byteLength, 0)
    ),
    close: async () => {
      await iterator.return?.()
    }
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

/**
 * The bytes of an opened file, unpacked, as they come.
 *
 * @param count is told of the stored bytes
 * @throws TraceError when it is damaged, cut short, or larger than its bounds; errors of the source pass through
 */
export function unpacked(file: Opened, bounds: Bounds, count: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  const stored = bounded(file, bounds, count)
  return file.isGzip ? inflated(file.name, 'gzip', stored, bounds.unpacked, bounds.advice) : stored
}

async function* bounded(file: Opened, { stored, advice }: Bounds, count: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  let length = 0
  for await (const chunk of file.bytes) {
    length += chunk.byteLength
    count(chunk.byteLength)
    if (length > stored) throw new TraceError(`${short(file.name)}: larger than the limit of ${stored} bytes${advice}`)
    yield chunk
  }
}
