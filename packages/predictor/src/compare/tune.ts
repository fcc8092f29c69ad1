/** A partition and a credit, bytes. */
export interface Chunking {
  partitionBytes: number
  creditBytes: number
}

const smallestPartition = 2 ** 16
/** Credits on the grid, in partitions. */
const credits = [1, 2, 4, 8, 16]
/** Factors by which the best of the grid is moved, coarse first. */
const refinements = [Math.SQRT2, 2 ** 0.25]
/** Moves of one size at most: each must be better than the last, so that it ends soon anyway. */
const mostMoves = 8

/**
 * The partition and credit of the highest rate: powers of two first, partitions up to the first that holds the largest transfer whole, then
 * moves of either by less than two. Of equal rates the first wins, which has the larger partition: it costs least.
 *
 * @param rates of several chunkings, in their order; the same chunking must get the same rate
 */
export async function tune(
  rates: (chunkings: readonly Chunking[]) => Promise<number[]>,
  largestTransferBytes: number
): Promise<Chunking & { rate: number; tried: number }> {
  const known = new Map<string, number>()
  const key = ({ partitionBytes, creditBytes }: Chunking) => `${partitionBytes} ${creditBytes}`
  const bestOf = async (chunkings: readonly Chunking[], best?: Chunking & { rate: number }) => {
    const fresh = [...new Map(chunkings.map(one => [key(one), one])).values()].filter(one => !known.has(key(one)))
    for (const [i, rate] of (await rates(fresh)).entries()) known.set(key(fresh[i]), rate)
    return chunkings.reduce((most: (Chunking & { rate: number }) | undefined, one) => {
      const rate = known.get(key(one))!
      return most === undefined || rate > most.rate ? { ...one, rate } : most
    }, best)
  }
  let best = (await bestOf(grid(largestTransferBytes)))!
  for (const factor of refinements) {
    for (let move = 0; move < mostMoves; move++) {
      const moved = (await bestOf(around(best, factor), best))!
      if (moved === best) break
      best = moved
    }
  }
  return { ...best, tried: known.size }
}

function grid(largestTransferBytes: number): Chunking[] {
  const partitions = [smallestPartition]
  while (partitions[0] < largestTransferBytes) partitions.unshift(2 * partitions[0])
  return partitions.flatMap(partitionBytes => credits.map(times => ({ partitionBytes, creditBytes: times * partitionBytes })))
}

function around({ partitionBytes, creditBytes }: Chunking, factor: number): Chunking[] {
  const moves = [factor, 1, 1 / factor]
  return moves
    .flatMap(p => moves.map(c => ({ partitionBytes: Math.round(partitionBytes * p), creditBytes: Math.round(creditBytes * c) })))
    .filter(one => one.partitionBytes > 0 && one.creditBytes >= one.partitionBytes)
}
