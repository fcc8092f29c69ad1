/** The q-quantile of ascending values by linear interpolation (type 7 of Hyndman and Fan); NaN when there are none. */
export function quantileOfSorted(ascending: ArrayLike<number>, q: number): number {
  const last = ascending.length - 1
  if (last < 0) return Number.NaN
  const position = q * last
  const below = Math.floor(position)
  const above = Math.min(below + 1, last)
  return ascending[below] + (position - below) * (ascending[above] - ascending[below])
}

/** Mean and quantiles of values in any order. */
export function summarise(values: readonly number[]): { mean: number; p50: number; p95: number } {
  const sorted = Float64Array.from(values).sort()
  let sum = 0
  for (const value of sorted) sum += value
  return { mean: sum / sorted.length, p50: quantileOfSorted(sorted, 0.5), p95: quantileOfSorted(sorted, 0.95) }
}

export function median(values: ArrayLike<number>): number {
  return quantileOfSorted(Float64Array.from(values).sort(), 0.5)
}
