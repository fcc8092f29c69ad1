/** The chart of one cluster as SVG: measured points with their intervals, the prediction with its band, simpler models as dashed lines. */
import { titleOf } from './report.mjs'
import { at, escaped, ticksUpTo } from './svg.mjs'

const width = 760
const height = 440
const plot = { left: 64, right: 590, top: 44, bottom: 384 }
const ink = '#1b1f24'
const faint = '#d7dbe0'
const own = '#0b61c4'
/** Told apart by dashes as well as by colour. @type {Record<string, { colour: string, dash: string }>} */
const lines = {
  queueing: { colour: '#b35900', dash: '6 4' },
  bounds: { colour: '#5c6670', dash: '2 4' },
  optimus: { colour: '#7b3fb3', dash: '10 4 2 4' },
  equalSharing: { colour: '#18794e', dash: '4 2' }
}
const other = { colour: '#8a1c4a', dash: '1 3' }

/** @param {import('./report.mjs').ValidatedCase} one */
export function chartOf({ name, points: given }) {
  const points = [...given].sort((a, b) => a.workers - b.workers)
  const baselines = Object.keys(points[0].baselines)
  const mostWorkers = points[points.length - 1].workers
  const highest = Math.max(...points.flatMap(point => [point.measuredCi95[1], point.band95[1], ...Object.values(point.baselines)]))
  const ticks = ticksUpTo(highest)
  const top = ticks[ticks.length - 1]
  const x = (/** @type {number} */ workers) => plot.left + ((plot.right - plot.left) * workers) / (mostWorkers + 0.4)
  const y = (/** @type {number} */ rate) => plot.bottom - ((plot.bottom - plot.top) * rate) / top
  const path = (/** @type {Array<[number, number]>} */ pairs) =>
    pairs.map(([workers, rate]) => `${at(x(workers))},${at(y(rate))}`).join(' ')
  const label = `${name}: steps per second against the number of workers, measured and predicted`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(label)}" font-family="system-ui, sans-serif" font-size="13" fill="${ink}">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    `<text x="${plot.left}" y="24" font-size="16" font-weight="600">${escaped(name)}</text>`,
    ...ticks.flatMap(tick => [
      `<line x1="${plot.left}" y1="${at(y(tick))}" x2="${plot.right}" y2="${at(y(tick))}" stroke="${faint}"/>`,
      `<text x="${plot.left - 8}" y="${at(y(tick) + 4.5)}" text-anchor="end">${decimalsLike(tick, ticks[1])}</text>`
    ]),
    ...workerTicks(points, mostWorkers).flatMap(workers => [
      `<line x1="${at(x(workers))}" y1="${plot.bottom}" x2="${at(x(workers))}" y2="${plot.bottom + 5}" stroke="${ink}"/>`,
      `<text x="${at(x(workers))}" y="${plot.bottom + 20}" text-anchor="middle">${workers}</text>`
    ]),
    `<line x1="${plot.left}" y1="${plot.bottom}" x2="${plot.right}" y2="${plot.bottom}" stroke="${ink}"/>`,
    `<text x="${at((plot.left + plot.right) / 2)}" y="${plot.bottom + 42}" text-anchor="middle">workers</text>`,
    `<text x="18" y="${at((plot.top + plot.bottom) / 2)}" text-anchor="middle" transform="rotate(-90 18 ${at((plot.top + plot.bottom) / 2)})">throughput, steps/s</text>`,
    `<polygon points="${path([...points.map(pointAt(({ band95 }) => band95[1])), ...points.map(pointAt(({ band95 }) => band95[0])).reverse()])}" fill="${own}" fill-opacity="0.15"/>`,
    ...baselines.map(baseline => {
      const { colour, dash } = lines[baseline] ?? other
      return `<polyline points="${path(points.map(pointAt(point => point.baselines[baseline])))}" fill="none" stroke="${colour}" stroke-width="1.5" stroke-dasharray="${dash}"/>`
    }),
    `<polyline points="${path(points.map(pointAt(({ predicted }) => predicted)))}" fill="none" stroke="${own}" stroke-width="2.5"/>`,
    ...points.flatMap(({ workers, measured, measuredCi95: [low, high] }) => [
      `<path d="M${at(x(workers))} ${at(y(low))}V${at(y(high))}M${at(x(workers) - 5)} ${at(y(low))}h10M${at(x(workers) - 5)} ${at(y(high))}h10" stroke="${ink}" stroke-width="1.5" fill="none"/>`,
      `<circle cx="${at(x(workers))}" cy="${at(y(measured))}" r="4" fill="${ink}"/>`
    ]),
    ...legend(baselines),
    '</svg>',
    ''
  ].join('\n')
}

/** @param {string[]} baselines */
function legend(baselines) {
  const x = plot.right + 24
  const entries = [
    {
      text: 'measured, 95 %',
      mark: (/** @type {number} */ y) =>
        `<path d="M${x + 14} ${y - 9}v18M${x + 9} ${y - 9}h10M${x + 9} ${y + 9}h10" stroke="${ink}" stroke-width="1.5"/><circle cx="${x + 14}" cy="${y}" r="4" fill="${ink}"/>`
    },
    {
      text: 'predicted, band',
      mark: (/** @type {number} */ y) =>
        `<rect x="${x}" y="${y - 8}" width="28" height="16" fill="${own}" fill-opacity="0.15"/><path d="M${x} ${y}h28" stroke="${own}" stroke-width="2.5"/>`
    },
    ...baselines.map(name => {
      const { colour, dash } = lines[name] ?? other
      return {
        text: titleOf(name),
        mark: (/** @type {number} */ y) =>
          `<path d="M${x} ${y}h28" stroke="${colour}" stroke-width="1.5" stroke-dasharray="${dash}"/>`
      }
    })
  ]
  return entries.flatMap(({ text, mark }, index) => {
    const y = plot.top + 14 + 26 * index
    return [mark(y), `<text x="${x + 38}" y="${y + 4.5}">${escaped(text)}</text>`]
  })
}

/**
 * @param {(point: import('./report.mjs').Point) => number} rate
 * @returns {(point: import('./report.mjs').Point) => [number, number]}
 */
function pointAt(rate) {
  return point => [point.workers, rate(point)]
}

/**
 * The measured sizes, so far apart that their numbers do not touch.
 *
 * @param {readonly import('./report.mjs').Point[]} points
 * @param {number} most
 */
function workerTicks(points, most) {
  /** @type {number[]} */
  const ticks = []
  for (const { workers } of points) {
    if (ticks.length === 0 || workers - ticks[ticks.length - 1] >= most / 24) ticks.push(workers)
  }
  return ticks
}

/**
 * @param {number} value
 * @param {number} step
 */
function decimalsLike(value, step) {
  const decimals = Math.max(0, -Math.floor(Math.log10(step)))
  // 0.25 needs one more than 0.1.
  return value.toFixed(Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) > 1e-9 ? decimals + 1 : decimals)
}
