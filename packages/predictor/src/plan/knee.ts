/** A cluster size with its throughput; any unit, the same for all. */
interface Rated {
  workers: number
  throughput: number
}

/**
 * The knee: the size that maximises throughput − slope · workers. From every smaller size to it, the added workers bring at least `slope` each;
 * to every larger one, less. Where added workers bring ever less, that is the last one that brings `slope`; a dip of the curve, as
 * phases that lock make it, does not end the search for it. Of sizes that are equal in this the larger.
 *
 * @param rated one or more, in any order
 * @param slope throughput that an added worker must bring at least
 */
export function kneeOf<Size extends Rated>(rated: readonly Size[], slope: number): Size {
  const worth = ({ workers, throughput }: Rated) => throughput - slope * workers
  return rated.reduce((best, size) => {
    const gain = worth(size) - worth(best)
    return gain > 0 || (gain === 0 && size.workers > best.workers) ? size : best
  })
}
