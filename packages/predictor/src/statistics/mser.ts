/**
 * MSER truncation (White 1997): how many leading values to discard so that the standard error of the mean of the rest is least. Values
 * are averaged in batches of `batch` first (MSER-5), and at most half of them are discarded, because the statistic is erratic on a short rest.
 *
 * @returns a multiple of `batch`, from 0 to half the number of values
 */
export function mserTruncation(values: readonly number[], batch = 5): number {
  const batches = Math.floor(values.length / batch)
  // From the back: sums over batches d, d+1, … are all that the statistic of cutting before batch d needs.
  let sum = 0
  let squares = 0
  let count = 0
  let best = 0
  let least = Number.POSITIVE_INFINITY
  for (let d = batches - 1; d >= 0; d--) {
    let mean = 0
    for (let i = d * batch; i < (d + 1) * batch; i++) mean += values[i]
    mean /= batch
    sum += mean
    squares += mean * mean
    count += 1
    if (d > batches / 2) continue
    const statistic = Math.max(0, squares - (sum * sum) / count) / (count * count)
    // Going backwards: "not larger" keeps the shortest truncation among equals.
    if (statistic <= least) {
      least = statistic
      best = d * batch
    }
  }
  return best
}
