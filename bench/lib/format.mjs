/**
 * Three digits, or all in front of the point.
 *
 * @param {number} value
 */
export function formatNumber(value) {
  if (value === 0) return '0'
  if (Math.abs(value) >= 99.95) return Math.round(value).toLocaleString('en-US')
  return String(Number(value.toPrecision(3)))
}
