/** What a point costs beyond its workers, in workers: few-worker points need more replications. */
const POINT_COST = 8

/**
 * Shares cluster sizes out among threads: the largest first, each to the part with the least to do. A point costs about as much as it has workers,
 * and something besides.
 *
 * @param parts at most so many
 * @returns [parts] sizes of each, ascending; none is empty
 */
export function shareOut(workers: readonly number[], parts: number): number[][] {
  const shared = Array.from({ length: Math.max(1, Math.min(parts, workers.length)) }, () => ({ workers: [] as number[], cost: 0 }))
  for (const size of [...workers].sort((a, b) => b - a)) {
    const least = shared.reduce((best, part) => (part.cost < best.cost ? part : best))
    least.workers.push(size)
    least.cost += size + POINT_COST
  }
  return shared.map(part => part.workers.sort((a, b) => a - b))
}
