/** @param {readonly number[]} values */
export function median(values) {
  if (values.length === 0) throw new Error('the median of nothing')
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/**
 * What is kept of repeated measurements.
 *
 * @param {readonly number[]} samples
 */
export function summarise(samples) {
  return { median: median(samples), min: Math.min(...samples), max: Math.max(...samples), runs: samples.length }
}
