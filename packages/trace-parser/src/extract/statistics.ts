/** Median of numbers that are finite; NaN of none. */
export function median(values: Iterable<number>): number {
  const sorted = Float64Array.from(values).filter(Number.isFinite).sort()
  if (sorted.length === 0) return Number.NaN
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** Times are kept to the nanosecond: finer digits are noise of floating point. */
export function roundUs(timeUs: number): number {
  return Math.round(timeUs * 1000) / 1000
}
