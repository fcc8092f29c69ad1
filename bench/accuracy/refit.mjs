/**
 * How the two factors on the share tables are chosen (leave-one-out.mjs): the least sum of squares, each deviation over its own noise, of the raw
 * TCP runs and of the measured clusters together. Raw flows keep a cluster from moving a factor to where no flow was seen.
 *
 * @typedef {{ name: string, noise: number[], errors: number[][], outside: number[][] }} CaseOfVariant per point: relative standard deviation of
 *   the measurement; per seed: error and distance outside the measured interval
 * @typedef {{ ramp: number, spread: number, raw: { rows: number, newcomer: number, runs: number, spread: number }, cases: CaseOfVariant[] }} Variant
 */

/** @param {readonly number[]} values */
const mean = values => values.reduce((sum, value) => sum + value, 0) / values.length

/**
 * Noise of the raw measurements: what no variant explains.
 *
 * @param {readonly Variant[]} variants
 */
function rawNoise(variants) {
  return {
    newcomer: Math.min(...variants.map(({ raw }) => raw.newcomer)),
    spread: Math.min(...variants.map(({ raw }) => raw.spread))
  }
}

/**
 * Sum of squares over noise: raw newcomers once a row, raw spreads once a run, every point of every cluster once (its error is the mean over the seeds).
 *
 * @param {Variant} variant
 * @param {{ newcomer: number, spread: number }} noise
 * @param {string} [leftOut]
 */
export function misfit({ raw, cases }, noise, leftOut) {
  const ofRaw = raw.rows * (raw.newcomer / noise.newcomer) ** 2 + raw.runs * (raw.spread / noise.spread) ** 2
  const ofClusters = cases.flatMap(one =>
    one.name === leftOut ? [] : one.errors.map((errors, p) => (mean(errors) / one.noise[p]) ** 2)
  )
  return ofRaw + ofClusters.reduce((sum, square) => sum + square, 0)
}

/**
 * @param {readonly Variant[]} variants
 * @param {string} [leftOut] the cluster that has no say
 */
export function bestVariant(variants, leftOut) {
  const noise = rawNoise(variants)
  return variants.reduce((least, variant) => (misfit(variant, noise, leftOut) < misfit(least, noise, leftOut) ? variant : least))
}

/** @param {readonly number[][]} errors */
const meanAbsolute = errors => mean(errors.flat().map(Math.abs))

/** Refits with all cases and with each left out. `outside` of a point is that of the mean over the seeds. @param {readonly Variant[]} variants */
export function summarise(variants) {
  const noise = rawNoise(variants)
  const perVariant = variants.map(variant => ({
    ramp: variant.ramp,
    spread: variant.spread,
    misfit: misfit(variant, noise),
    meanAbsError: meanAbsolute(variant.cases.flatMap(one => one.errors))
  }))
  const leftOut = variants[0].cases.map(({ name }) => {
    const { ramp, spread, cases } = bestVariant(variants, name)
    const own = cases.find(one => one.name === name) ?? { errors: [], outside: [] }
    return {
      name,
      ramp,
      spread,
      errors: own.errors,
      meanAbsError: meanAbsolute(own.errors),
      maxOutside: Math.max(...own.outside.flat())
    }
  })
  return {
    perVariant,
    best: bestVariant(variants),
    leftOut,
    meanAbsError: meanAbsolute(leftOut.flatMap(one => one.errors)),
    maxOutside: Math.max(...leftOut.map(one => one.maxOutside))
  }
}

const bars = { meanAbsError: 0.06, maxOutside: 0.07 }

/** The section of docs/accuracy.md. @param {readonly Variant[]} variants */
export function tableOf(variants) {
  const { leftOut, meanAbsError, maxOutside } = summarise(variants)
  const percent = (/** @type {number} */ share) => `${(100 * share).toFixed(1)} %`
  const judged = (/** @type {number} */ value, /** @type {number} */ bar) =>
    `**${percent(value)}, ${value <= bar ? 'kept' : 'missed'}**`
  return [
    '| left out | ramps × | spreads × | its mean error | outside at most |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...leftOut.map(
      ({ name, ramp, spread, meanAbsError, maxOutside }) =>
        `| ${name} | ${ramp} | ${spread} | ${percent(meanAbsError)} | ${percent(maxOutside)} |`
    ),
    `| **all, bars ${percent(bars.meanAbsError)} and ${percent(bars.maxOutside)}** | | | ${judged(meanAbsError, bars.meanAbsError)} | ${judged(maxOutside, bars.maxOutside)} |`
  ].join('\n')
}
