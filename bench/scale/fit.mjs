/**
 * The power law through points by least squares of the logarithms.
 *
 * @param {ReadonlyArray<[x: number, y: number]>} points of positive numbers, two different x at least
 * @returns {{ exponent: number, factor: number }} y ≈ factor · x^exponent
 */
export function powerLaw(points) {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)])
  const mean = (/** @type {number} */ i) => logs.reduce((sum, log) => sum + log[i], 0) / logs.length
  const [meanX, meanY] = [mean(0), mean(1)]
  const covariance = logs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0)
  const variance = logs.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
  const exponent = covariance / variance
  return { exponent, factor: Math.exp(meanY - exponent * meanX) }
}
