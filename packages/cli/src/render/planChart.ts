import type { Plan } from '@foretrain/predictor'
import { oneLine } from '@foretrain/predictor/text'
import { standingOf } from './planCsv.ts'
import { at, axisLines, chartStyle, escaped, linearAxis, logarithmicAxis } from './svg.ts'

type Row = Plan['points'][number]

const width = 760
const height = 440
const plot = { left: 72, right: 736, top: 64, bottom: 376 }
/** Costs that differ more than this, as a factor, get a logarithmic axis: on a linear one the cheap clusters would lie on each other. */
const widestLinear = 12
/** About, in pixels. */
const letterWidth = 8

const style = chartStyle(
  [
    '.front, .cheapest { fill: none; stroke-width: 2 }',
    '.target { stroke-dasharray: 6 4 }',
    '.band { stroke-opacity: 0.45; stroke-width: 5 }'
  ],
  ({ paper, ink, accent }) => [
    `.target, .cheapest { stroke: ${ink} }`,
    `.band, .front { stroke: ${accent} }`,
    `.on-front { fill: ${accent} }`,
    `.other { fill: ${paper}; stroke: ${ink} }`
  ]
)

/** Cost an hour against throughput as SVG: all simulated clusters, the Pareto front with its bands, the target. */
export function renderPlanChart(plan: Plan): string {
  const { points } = plan
  const costs = points.map(row => row.costPerHour)
  const [lowest, highest] = [Math.min(...costs), Math.max(...costs)]
  const costAxis = highest > widestLinear * lowest ? logarithmicAxis(lowest, highest) : linearAxis(highest)
  const reached = Math.max(...points.map(row => band(row)[1]))
  // A target far above everything would press the points to the bottom; it is then named instead of drawn.
  const drawsTarget = plan.targetExamplesPerSecond <= 1.5 * reached
  const rateAxis = linearAxis(drawsTarget ? Math.max(reached, plan.targetExamplesPerSecond) : reached)
  const x = (row: Row) => plot.left + (plot.right - plot.left) * costAxis.position(row.costPerHour)
  const y = (rate: number) => plot.bottom - (plot.bottom - plot.top) * rateAxis.position(rate)
  const target = `target ${oneLine(plan.target)}`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(`Throughput against cost an hour of ${points.length} clusters; ${target}`)}">`,
    `<style>${style}</style>`,
    `<rect class="paper" width="${width}" height="${height}"/>`,
    `<text class="title" x="${plot.left}" y="24">${escaped(`Cost against throughput, ${target}${drawsTarget ? '' : ' (above the chart)'}`)}</text>`,
    `<text class="small" x="${plot.left}" y="44">${escaped(legend(points))}</text>`,
    ...axisLines(plot, costAxis, rateAxis, { x: 'cost an hour', y: 'throughput, examples/s' }),
    ...(drawsTarget ? [targetLine(plan, y)] : []),
    ...plan.pareto.map(row => `<path class="band" d="M${at(x(row))} ${at(y(band(row)[0]))}V${at(y(band(row)[1]))}"/>`),
    `<polyline class="front" points="${plan.pareto.map(row => `${at(x(row))},${at(y(row.examplesPerSecond))}`).join(' ')}"/>`,
    ...points.flatMap(row => mark(row, plan, x(row), y(row.examplesPerSecond))),
    ...labels(plan, x, y),
    '</svg>',
    ''
  ].join('\n')
}

/** The band in examples per second. */
function band({ examplesPerSecond, stepsPerSecond: { mean, band95 } }: Row): [number, number] {
  const batchSize = examplesPerSecond / mean
  return [band95[0] * batchSize, band95[1] * batchSize]
}

function hasSeveralServers(points: readonly Row[]): boolean {
  return points.some(({ servers }) => servers !== points[0].servers)
}

function legend(points: readonly Row[]): string {
  const numbers = hasSeveralServers(points) ? 'workers + servers' : 'workers'
  return `filled: the Pareto front with its 95 % bands; open: other clusters; numbers: ${numbers}`
}

function targetLine({ targetExamplesPerSecond }: Plan, y: (rate: number) => number): string {
  const height = at(y(targetExamplesPerSecond))
  return `<line class="target" x1="${plot.left}" y1="${height}" x2="${plot.right}" y2="${height}"/>`
}

function mark(row: Row, plan: Plan, x: number, y: number): string[] {
  const { cheapest, pareto } = standingOf(row, plan)
  return [
    `<circle class="${pareto ? 'on-front' : 'other'}" cx="${at(x)}" cy="${at(y)}" r="4"/>`,
    ...(cheapest ? [`<circle class="cheapest" cx="${at(x)}" cy="${at(y)}" r="8"/>`] : [])
  ]
}

/** The sizes of the front where there is room, those of the cheapest cluster and of the knee always and with the word. */
function labels(plan: Plan, x: (row: Row) => number, y: (rate: number) => number): string[] {
  const several = hasSeveralServers(plan.points)
  const taken: Array<[number, number]> = []
  const texts: string[] = []
  const add = (row: Row, words: string[], always: boolean) => {
    const text = [several ? `${row.workers}+${row.servers}` : String(row.workers), words.join(', ')].join(' ').trim()
    const length = text.length * letterWidth
    // Below and to the right the rising curve leaves room.
    const left = Math.min(x(row) + 6, width - length)
    if (!always && taken.some(([start, end]) => left < end && left + length > start)) return
    taken.push([left, left + length])
    const below = y(band(row)[0]) + 16
    const height = below < plot.bottom - 4 ? below : y(band(row)[1]) - 8
    texts.push(`<text class="${always ? 'named' : 'small'}" x="${at(left)}" y="${at(height)}">${text}</text>`)
  }
  const named = plan.points.map((row): [Row, string[]] => [row, wordsFor(row, plan)]).filter(([, words]) => words.length > 0)
  for (const [row, words] of named) add(row, words, true)
  for (const row of plan.pareto) if (wordsFor(row, plan).length === 0) add(row, [], false)
  return texts
}

function wordsFor(row: Row, plan: Plan): string[] {
  const { cheapest, knee } = standingOf(row, plan)
  return [...(cheapest ? ['cheapest'] : []), ...(knee ? ['knee'] : [])]
}
