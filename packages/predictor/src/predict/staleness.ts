import type { Point } from '../schema.ts'
import { summarise } from '../statistics/quantile.ts'

/** Updates by others between a worker's first pull and its last push, over all measured steps; histogram[s] = steps with staleness s. */
export function stalenessOf(values: readonly number[]): NonNullable<Point['staleness']> {
  const histogram: number[] = []
  for (const value of values) {
    while (histogram.length <= value) histogram.push(0)
    histogram[value] += 1
  }
  return { ...summarise(values), histogram }
}
