import type { Chunk } from './chunks.ts'
import type { Row } from './rows.ts'

/** Where the points of one sweep are simulated. */
export interface Executor {
  /** Chunks that it can have under way at once to good effect. */
  readonly width: number
  /**
   * The rows of a chunk, in the order of its points. A point that fails has a row that says why; a rejection is about more than a point.
   */
  run(chunk: Chunk): Promise<Row[]>
  /** Ends what is under way. Its promises may then reject or never settle. */
  close(): Promise<void>
}

/** Chunks that may be finished ahead of the first unfinished one, for each that is under way: what waits for it is held in memory. */
const mostAhead = 16

/**
 * Runs chunks as many at once as the executor takes.
 *
 * @param onRows called as chunks are finished, in whatever order, one call at a time
 * @throws the first error of the executor or of `onRows`, or the signal's reason
 */
export function runChunks(
  executor: Executor,
  chunks: Iterable<Chunk>,
  onRows: (chunk: Chunk, rows: Row[]) => Promise<void> | void,
  signal?: AbortSignal
): Promise<void> {
  const waiting = chunks[Symbol.iterator]()
  /** First points of chunks in their order: those under way, and those finished ahead of one of these. */
  const unfinished = new Set<number>()
  const ahead = new Set<number>()
  let handled = Promise.resolve()
  return new Promise<void>((resolve, reject) => {
    let ended = false
    const end = (action: () => void) => {
      ended = true
      signal?.removeEventListener('abort', abort)
      action()
    }
    const fail = (reason: unknown) => {
      if (!ended) end(() => reject(reason))
    }
    const abort = () => fail(signal?.reason)

    const start = (chunk: Chunk) => {
      unfinished.add(chunk.from)
      executor.run(chunk).then(rows => {
        handled = handled.then(async () => {
          if (ended) return
          await onRows(chunk, rows)
          finish(chunk)
        })
        handled.catch(fail)
      }, fail)
    }
    const finish = ({ from }: Chunk) => {
      unfinished.delete(from)
      ahead.add(from)
      const [first = Number.POSITIVE_INFINITY] = unfinished
      for (const finished of ahead) if (finished < first) ahead.delete(finished)
      startMore()
    }
    const startMore = () => {
      while (!ended && unfinished.size < executor.width && ahead.size < mostAhead * executor.width) {
        const next = waiting.next()
        if (next.done) break
        start(next.value)
      }
      if (!ended && unfinished.size === 0) end(resolve)
    }

    if (signal?.aborted) return abort()
    signal?.addEventListener('abort', abort)
    startMore()
  })
}
