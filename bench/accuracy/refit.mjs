/**
 * @typedef {{ ramp: number, spread: number, cases: Array<{ name: string, errors: number[], outside: number[] }> }} Variant
 */

/** @param {readonly number[]} values */
const mean = values => values.reduce((sum, value) => sum + Math.abs(value), 0) / values.length

/** Mean errors closer than this are taken as equal: seeds differ by as much. */
const WORTH = 0.002

/**
 * The variant with the least mean error over all cases but one; the committed one (factors of 1) unless another is better by what is worth a change.
 *
 * @param {readonly Variant[]} variants
 * @param {string} [leftOut]
 */
export function bestVariant(variants, leftOut) {
  const errorOf = (/** @type {Variant} */ variant) => mean(variant.cases.flatMap(one => (one.name === leftOut ? [] : one.errors)))
  const best = variants.reduce((least, variant) => (errorOf(variant) < errorOf(least) ? variant : least))
  const committed = variants.find(({ ramp, spread }) => ramp === 1 && spread === 1)
  return committed !== undefined && errorOf(committed) < errorOf(best) + WORTH ? committed : best
}

/** Refits with all cases and with each left out. @param {readonly Variant[]} variants */
export function summarise(variants) {
  const perVariant = variants.map(({ ramp, spread, cases }) => ({
    ramp,
    spread,
    meanAbsError: mean(cases.flatMap(one => one.errors))
  }))
  const leftOut = variants[0].cases.map(({ name }) => {
    const { ramp, spread, cases } = bestVariant(variants, name)
    const own = cases.find(one => one.name === name)
    return {
      name,
      ramp,
      spread,
      errors: own?.errors ?? [],
      meanAbsError: mean(own?.errors ?? []),
      maxOutside: Math.max(...(own?.outside ?? []))
    }
  })
  return {
    perVariant,
    best: bestVariant(variants),
    leftOut,
    meanAbsError: mean(leftOut.flatMap(one => one.errors)),
    maxOutside: Math.max(...leftOut.map(one => one.maxOutside))
  }
}
