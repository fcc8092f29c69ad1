/** What the charts share. */

/**
 * Four to eight round steps from 0 to at least `highest`.
 *
 * @param {number} highest
 */
export function ticksUpTo(highest) {
  const rough = highest / 5
  const magnitude = 10 ** Math.floor(Math.log10(rough))
  const step = magnitude * ([1, 2, 2.5, 5, 10].find(factor => factor * magnitude >= rough) ?? 10)
  return Array.from({ length: Math.ceil(highest / step - 1e-9) + 1 }, (_, index) => index * step)
}

/** A coordinate. @param {number} value */
export function at(value) {
  return String(Number(value.toFixed(1)))
}

/** Text for XML. @param {string} text */
export function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
