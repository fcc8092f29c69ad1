/** The section on published curves of docs/accuracy.md. */
import { meanAbsError, statedCosts } from './published-curves.mjs'

/**
 * @typedef {import('./published-curves.mjs').Published} Published
 * @typedef {import('./published-curves.mjs').PredictedCurve} PredictedCurve
 */

/** @param {number} share */
const percent = share => `${(100 * share).toFixed(1)} %`
/** @param {number} share */
const signed = share => `${share < 0 ? '−' : '+'}${percent(Math.abs(share))}`

/** @param {PredictedCurve} curve */
export function tableOf({ points }) {
  /** @param {string} name @param {Array<string | number>} cells */
  const row = (name, cells) => `| ${name} | ${cells.join(' | ')} |`
  const header = points.map(({ workers }) => (workers <= 2 ? `${workers} (calibrated)` : workers))
  return [
    row('workers', header),
    row('---', Array(points.length).fill('---:')),
    ...['published', 'predicted'].map(name =>
      row(
        name,
        points.map(point => point[/** @type {'published' | 'predicted'} */ (name)].toFixed(2))
      )
    ),
    row(
      'error',
      points.map(({ error }) => signed(error))
    )
  ].join('\n')
}

/** @param {PredictedCurve} curve */
const speedupOfTwo = ({ points }) => (points[1].predicted / points[0].predicted).toFixed(2)

/** @param {Published} published @param {PredictedCurve[]} withCosts @param {PredictedCurve[]} linksOnly */
function totalsOf({ serverTime }, withCosts, linksOnly) {
  /** @type {Array<[string, (curve: PredictedCurve) => boolean]>} */
  const groups = [
    ['all', () => true],
    ['K80, no saturation', ({ gpu }) => gpu === 'K80'],
    ['P100, saturated', ({ gpu }) => gpu === 'P100'],
    [
      'P100, models whose plateau the constants are from',
      ({ gpu, model }) => gpu === 'P100' && serverTime.fittedOn.includes(model)
    ],
    ['P100, the other two models', ({ gpu, model }) => gpu === 'P100' && !serverTime.fittedOn.includes(model)]
  ]
  return groups.map(([name, of]) => {
    const [ours, plain] = [withCosts.filter(of), linksOnly.filter(of)]
    const count = ours.reduce((sum, { points }) => sum + points.length - 2, 0)
    return `| ${name} | ${count} | ${percent(meanAbsError(ours))} | ${percent(meanAbsError(plain))} |`
  })
}

/** @param {Published} published @param {PredictedCurve[]} withCosts @param {PredictedCurve[]} linksOnly */
export function sectionOf(published, withCosts, linksOnly) {
  const { messageUs, perByteUs } = statedCosts(published)
  const perKilobyte = (perByteUs * 1000).toFixed(2)
  const determined = withCosts.map((curve, i) => {
    const [one, two] = curve.points
    const name = `${curve.gpu}, ${curve.model}`
    return `| ${name} | ${(two.published / one.published).toFixed(2)} | ${speedupOfTwo(curve)} | ${speedupOfTwo(linksOnly[i])} | ${(curve.computeUs / 1000).toFixed(1)} ms |`
  })
  return [
    `Published numbers without a trace: ${published.setting}. Source: ${published.source}. Licence of the numbers: ${published.licence}.`,
    `From the size of the model, its number of variables and the rates with one and two workers a job is built and the rest of the curve is predicted, steps/s. Links: ${published.bandwidth.bitsPerSecond / 1e9} Gbit/s (${published.bandwidth.source}); ${published.latency.roundTripUs / 1000} ms of round trip (${published.latency.source}). No tensor exceeds a window of that version. Everything else is as predictions are by default.`,
    '### What one and two workers determine',
    'The compute of a step: it is set so that the errors with one and two workers cancel. **Not** what the server costs: two workers are too few to show any saturation. With the costs and without them the predicted speed-up of two is nearly the same, while the published one scatters by more than the difference:',
    '| curve | speed-up of 2, published | with costs | links only | compute found |\n|---|---:|---:|---:|---:|\n' +
      determined.join('\n'),
    `So the costs are stated constants: ${messageUs} µs a message and ${perKilobyte} µs/kB of one of the ${published.serverCores} cores (\`--message-cost ${messageUs}us --byte-cost ${perKilobyte}us/kB --server-cores ${published.serverCores}\`), from ${published.serverTime.source}. **These plateaus are part of the curves below.** For ${published.serverTime.fittedOn.join(' and ')} on P100 the height of the plateau is therefore a fit, and what is predicted is where the curve bends; for the other two models both are predicted. On K80 the costs hardly matter.`,
    '### Errors',
    'Mean absolute error with three to eight workers; one and two were calibrated on. Each number published is one run; the P100 Shake-big run with seven workers is slower than those with four, five, six and eight.',
    `| curves | points | with costs | links only |\n|---|---:|---:|---:|\n${totalsOf(published, withCosts, linksOnly).join('\n')}`,
    ...withCosts.map(curve => `### ${curve.model} on ${curve.gpu}\n\n${tableOf(curve)}`)
  ].join('\n\n')
}
