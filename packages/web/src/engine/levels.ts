import type { Question } from '@foretrain/predictor'

/** How carefully a point has been simulated. */
export type LevelName = 'coarse' | 'refined' | 'full'

export interface Level {
  name: LevelName
  workers: number[]
  /** Undefined: until the question's precision is reached. */
  fixed?: Question['fixed']
}

const coarsePoints = 5
const refinedPoints = 12

/** What is simulated for these cluster sizes, one after the other: the shape at once, then its corners, then every size with its interval. */
export function levelsFor(sizes: readonly number[]): Level[] {
  return [
    { name: 'coarse', workers: spread(sizes, coarsePoints), fixed: { replications: 1, steps: 8 } },
    { name: 'refined', workers: spread(sizes, refinedPoints), fixed: { replications: 1, steps: 40 } },
    { name: 'full', workers: [...sizes] }
  ]
}

/**
 * Some of the sizes, the ends among them, at about equal ratios: a curve bends where clusters are small.
 *
 * spread([1, 2, … 16], 5) = [1, 2, 4, 8, 16]
 */
export function spread(sizes: readonly number[], count: number): number[] {
  if (sizes.length <= count) return [...sizes]
  const first = sizes[0]
  const last = sizes[sizes.length - 1]
  const wanted = Array.from({ length: count }, (_, i) => first * (last / first) ** (i / (count - 1)))
  const nearest = (size: number) => sizes.reduce((best, one) => (Math.abs(one - size) < Math.abs(best - size) ? one : best))
  return [...new Set(wanted.map(nearest))]
}
