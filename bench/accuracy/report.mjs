/**
 * What stands in docs/accuracy.md between its markers.
 *
 * @typedef {{ workers: number, measured: number, measuredCi95: [number, number], predicted: number, ci95: [number, number],
 *   band95: [number, number], error: number, outside: number, baselines: Record<string, number>, baselineErrors: Record<string, number> }} Point
 * @typedef {{ name: string, meanAbsError: number, maxAbsError: number, points: Point[] }} ValidatedCase
 * @typedef {{ meanAbsError: number, maxAbsError: number, maxOutside: number, coverage: number, singleWorkerMeanAbsError: number,
 *   baselineMeanAbsErrors: Record<string, number>, cases: ValidatedCase[] }} Validation
 * @typedef {{ name: string, model: string, batchSize: number, mode: string, servers: number, bandwidth: string, tracedBandwidth?: string,
 *   computeSlowdown?: Record<string, number>, measurements: Array<{ workers: number, runs?: number[] }> }} CaseDocument
 */

/** What the figures are to reach: each at most this, coverage at least. */
const bars = { meanAbsError: 0.05, maxOutside: 0.05, coverage: 0.8, bandHalfWidth: 0.08, shareOfBestBaseline: 0.5 }

/** Where models differ: below, workers hardly meet; above, the bound itself is the answer. Shares of the asymptotic bound. */
export const contested = { from: 0.5, to: 0.95 }

/** @type {Record<string, string>} */
const titles = { equalSharing: 'equal sharing' }

/** @param {string} name */
export function titleOf(name) {
  return titles[name] ?? name
}

/**
 * @param {Validation} validation of asynchronous clusters
 * @param {Validation | undefined} others of clusters in other modes, which are in no total
 * @param {readonly CaseDocument[]} documents
 * @param {readonly string[]} skipped
 */
export function reportOf(validation, others, documents, skipped) {
  const documentOf = (/** @type {string} */ name) => documents.find(document => document.name === name)
  return [
    '## Totals',
    totals(validation),
    contestedPart(validation),
    ...validation.cases.map(one => cluster(one, documentOf(one.name))),
    ...(others && others.cases.length > 0 ? [otherModes(others)] : []),
    ...(others?.cases ?? []).map(one => cluster(one, documentOf(one.name))),
    ...(skipped.length > 0 ? ['## Left out', skipped.map(reason => `- ${reason}`).join('\n')] : [])
  ].join('\n\n')
}

/** The heading of a table of bars, and its rows about errors. @param {Validation} validation */
function errorRows({ meanAbsError, maxOutside }) {
  return [
    ['', 'reached', 'bar', ''],
    ['mean absolute error', percent(meanAbsError, 2), `≤ ${percent(bars.meanAbsError)}`, kept(meanAbsError <= bars.meanAbsError)],
    [
      'largest distance outside a measured interval',
      percent(maxOutside),
      `≤ ${percent(bars.maxOutside)}`,
      kept(maxOutside <= bars.maxOutside)
    ]
  ]
}

/** @param {Validation} validation */
function totals(validation) {
  const points = several(validation)
  const half = mean(points.map(({ band95, predicted }) => (band95[1] - band95[0]) / 2 / predicted))
  const rows = [
    ...errorRows(validation),
    [
      'measured intervals that meet the band',
      percent(validation.coverage),
      `≥ ${percent(bars.coverage)}`,
      kept(validation.coverage >= bars.coverage)
    ],
    ['mean half-width of the band', percent(half), `≤ ${percent(bars.bandHalfWidth)}`, kept(half <= bars.bandHalfWidth)],
    ['largest absolute error', percent(validation.maxAbsError), '', ''],
    ['one worker: mean absolute error, in no total', percent(validation.singleWorkerMeanAbsError), '', ''],
    ...Object.entries(validation.baselineMeanAbsErrors).map(([name, error]) => [
      `simpler model: ${titleOf(name)}`,
      percent(error),
      '> that of foretrain',
      kept(error > validation.meanAbsError)
    ])
  ]
  return `${points.length} points with more than one worker in ${validation.cases.length} clusters.\n\n${table(rows)}`
}

/** @param {Validation} others */
function otherModes(others) {
  const heading =
    'Clusters in other modes than async. They are in none of the figures above, and no constant was set with them in view.'
  return ['## Other modes', heading, table(errorRows(others))].join('\n\n')
}

/** @param {Validation} validation */
function contestedPart(validation) {
  const points = several(validation).filter(({ measured, baselines }) => {
    const share = measured / baselines.bounds
    return share >= contested.from && share <= contested.to
  })
  const heading = `### Between ${percent(contested.from)} and ${percent(contested.to)} of the asymptotic bound`
  if (points.length === 0) return `${heading}\n\nNo point lies there.`
  const own = mean(points.map(({ error }) => Math.abs(error)))
  const errors = Object.keys(validation.baselineMeanAbsErrors).map(name => ({
    name,
    error: mean(points.map(({ baselineErrors }) => Math.abs(baselineErrors[name])))
  }))
  const best = errors.reduce((least, one) => (one.error < least.error ? one : least))
  const rows = [
    ['', 'mean absolute error'],
    ['foretrain', percent(own)],
    ...errors.map(({ name, error }) => [titleOf(name), percent(error)])
  ]
  const share = own / best.error
  return [
    heading,
    `${points.length} points. The best simpler model there is ${titleOf(best.name)}; the error of foretrain is ${share.toFixed(2)} of its error (bar: ≤ ${bars.shareOfBestBaseline}): ${kept(share <= bars.shareOfBestBaseline)}.`,
    table(rows),
    worse(validation)
  ].join('\n\n')
}

/** Clusters in which a simpler model is closer on the mean. @param {Validation} validation */
function worse(validation) {
  const lines = validation.cases.flatMap(({ name, meanAbsError, points }) => {
    const counted = points.filter(({ workers }) => workers > 1)
    if (counted.length === 0) return []
    const closer = Object.keys(counted[0].baselineErrors)
      .map(baseline => ({ baseline, error: mean(counted.map(({ baselineErrors }) => Math.abs(baselineErrors[baseline]))) }))
      .filter(({ error }) => error < meanAbsError)
    if (closer.length === 0) return []
    return [
      `- ${name}: ${closer.map(({ baseline, error }) => `${titleOf(baseline)} ${percent(error)}`).join(', ')}; foretrain ${percent(meanAbsError)}`
    ]
  })
  return lines.length > 0
    ? `Clusters in which a simpler model is closer on the mean:\n\n${lines.join('\n')}`
    : 'In no cluster is a simpler model closer on the mean.'
}

/**
 * @param {ValidatedCase} one
 * @param {CaseDocument | undefined} document
 */
function cluster({ name, meanAbsError, maxAbsError, points }, document) {
  const baselines = Object.keys(points[0].baselineErrors)
  const rows = [
    ['workers', 'measured', 'noise floor', 'predicted', '95 % band', 'error', 'outside', ...baselines.map(titleOf)],
    ...points.map(point => [
      String(point.workers),
      point.measured.toFixed(4),
      noise(point, document),
      point.predicted.toFixed(4),
      `${point.band95[0].toFixed(3)}–${point.band95[1].toFixed(3)}`,
      signed(point.error),
      percent(point.outside),
      ...baselines.map(baseline => signed(point.baselineErrors[baseline]))
    ])
  ]
  const parts = [`## ${name}`]
  if (document) parts.push(described(document))
  parts.push(`![${name}: steps per second, measured and predicted](accuracy/${name}.svg)`, table(rows))
  if (points.some(({ workers }) => workers > 1))
    parts.push(`With more than one worker: ${percent(meanAbsError)} on the mean, ${percent(maxAbsError)} at most.`)
  return parts.join('\n\n')
}

/** @param {CaseDocument} document */
function described({ model, batchSize, mode, servers, bandwidth, tracedBandwidth, computeSlowdown = {} }) {
  const slowed = Object.entries(computeSlowdown).map(([worker, factor]) => `worker ${worker} slower by ${factor}`)
  const traced = tracedBandwidth === undefined || tracedBandwidth === bandwidth ? [] : [`traced at ${tracedBandwidth}`]
  return `${[model, `${batchSize} examples a step`, `${servers} server${servers === 1 ? '' : 's'}`, bandwidth, ...traced, ...slowed, ...(mode === 'async' ? [] : [`mode ${mode}`])].join(', ')}.`
}

/**
 * What the measurement itself does not know: half its interval, and how far apart two runs were.
 *
 * @param {Point} point
 * @param {CaseDocument | undefined} document
 */
function noise({ workers, measured, measuredCi95 }, document) {
  const half = `±${percent((measuredCi95[1] - measuredCi95[0]) / 2 / measured)}`
  const runs = document?.measurements.find(measurement => measurement.workers === workers)?.runs ?? []
  if (runs.length < 2) return half
  return `${half}, ${runs.length} runs ${percent((Math.max(...runs) - Math.min(...runs)) / measured)} apart`
}

/** @param {Validation} validation */
function several(validation) {
  return validation.cases.flatMap(({ points }) => points).filter(({ workers }) => workers > 1)
}

/** @param {boolean} isKept */
function kept(isKept) {
  return isKept ? 'kept' : '**missed**'
}

/** @param {number} share */
export function percent(share, decimals = 1) {
  return `${(100 * share).toFixed(decimals)} %`
}

/** @param {number} share */
function signed(share) {
  // A rounded zero has no sign.
  return `${(100 * share).toFixed(1) === '0.0' || (100 * share).toFixed(1) === '-0.0' ? '' : share > 0 ? '+' : '−'}${percent(Math.abs(share))}`
}

/** @param {readonly number[]} values */
function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** @param {readonly string[][]} rows the first is the heads */
function table([heads, ...rows]) {
  const rule = heads.map((_, column) => (column === 0 ? '---' : '---:'))
  return [heads, rule, ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n')
}
