/** What a point costs beyond its workers, in workers: few-worker points need more replications. */
const POINT_COST = 8

/** The largest size first, each to the part with the least to do: a point costs about as much as it has workers, and something besides. */
export function shareOut(workers: readonly number[], parts: number): number[][] {
  const shared = Array.from({ length: Math.max(1, Math.min(parts, workers.length)) }, () => ({ workers: [] as number[], cost: 0 }))
  for (const size of [...workers].sort((a, b) => b - a)) {
    const least = shared.reduce((best, part) => (part.cost < best.cost ? part : best))
    least.workers.push(size)
    least.cost += size + POINT_COST
  }
  return shared.map(part => part.workers.sort((a, b) => a - b))
}
