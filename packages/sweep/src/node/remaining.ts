import type { Chunk } from '../local/chunks.ts'

/**
 * What is left of chunks in ascending order.
 *
 * @param done without overlaps, in ascending order; cut in whatever way
 */
export function* remaining(chunks: Iterable<Chunk>, done: readonly Chunk[]): Generator<Chunk> {
  let next = 0
  for (const { from, to } of chunks) {
    let begin = from
    while (next < done.length && done[next].from < to) {
      if (done[next].from > begin) yield { from: begin, to: done[next].from }
      begin = Math.max(begin, Math.min(to, done[next].to))
      if (done[next].to > to) break
      next += 1
    }
    if (begin < to) yield { from: begin, to }
  }
}
