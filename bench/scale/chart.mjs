/** The cost of a worker-step over the number of workers as SVG, readable on light and on dark pages. */
import { at, escaped, ticksUpTo } from '../accuracy/svg.mjs'

const width = 640
const height = 360
const plot = { left: 64, right: 610, top: 44, bottom: 306 }
/** Grey enough for both backgrounds. */
const ink = '#7d8590'
const accent = '#2f81f7'

/**
 * @param {ReadonlyArray<{ workers: number, usPerStep: number, range: [number, number] }>} points ascending
 * @param {{ exponent: number, factor: number }} fit
 */
export function chartOf(points, fit) {
  const most = points[points.length - 1].workers
  const ticks = ticksUpTo(Math.max(...points.map(({ range }) => range[1])))
  const decades = Math.log10(most)
  const x = (/** @type {number} */ workers) => plot.left + 16 + ((plot.right - plot.left - 32) * Math.log10(workers)) / decades
  const top = ticks[ticks.length - 1]
  const y = (/** @type {number} */ us) => plot.bottom - ((plot.bottom - plot.top) * us) / top
  const fitted = Array.from({ length: 41 }, (_, i) => most ** (i / 40)).map(
    workers => `${at(x(workers))},${at(y(fit.factor * workers ** fit.exponent))}`
  )
  const label = 'Cost of a worker-step, µs, over the number of workers'
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(label)}" font-family="system-ui, sans-serif" font-size="13" fill="${ink}">`,
    `<text x="${plot.left}" y="24" font-size="15" font-weight="600">${escaped(label)}</text>`,
    ...ticks.flatMap(tick => [
      `<line x1="${plot.left}" y1="${at(y(tick))}" x2="${plot.right}" y2="${at(y(tick))}" stroke="${ink}" stroke-opacity="${tick === 0 ? 1 : 0.25}"/>`,
      `<text x="${plot.left - 8}" y="${at(y(tick) + 4.5)}" text-anchor="end">${tick}</text>`
    ]),
    ...points.map(
      ({ workers }) =>
        `<text x="${at(x(workers))}" y="${plot.bottom + 20}" text-anchor="middle">${workers.toLocaleString('en-US')}</text>`
    ),
    `<text x="${at((plot.left + plot.right) / 2)}" y="${plot.bottom + 42}" text-anchor="middle">workers</text>`,
    `<polyline points="${fitted.join(' ')}" fill="none" stroke="${ink}" stroke-width="1.5" stroke-dasharray="5 4"/>`,
    `<path d="M${plot.left + 16} ${plot.top + 22}h28" stroke="${ink}" stroke-width="1.5" stroke-dasharray="5 4"/>`,
    `<text x="${plot.left + 52}" y="${plot.top + 26}">fitted: workers to the power of ${fit.exponent.toFixed(3)}</text>`,
    `<polyline points="${points.map(({ workers, usPerStep }) => `${at(x(workers))},${at(y(usPerStep))}`).join(' ')}" fill="none" stroke="${accent}" stroke-width="2"/>`,
    ...points.flatMap(({ workers, usPerStep, range: [low, high] }) => [
      `<path d="M${at(x(workers))} ${at(y(low))}V${at(y(high))}" stroke="${accent}" stroke-width="2"/>`,
      `<circle cx="${at(x(workers))}" cy="${at(y(usPerStep))}" r="4" fill="${accent}"/>`
    ]),
    '</svg>',
    ''
  ].join('\n')
}
