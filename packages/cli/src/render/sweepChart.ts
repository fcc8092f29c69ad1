import type { AxisName, Row, SweepAxes } from '@foretrain/sweep/local'
import { CommandLineError } from '../errors.ts'
import { at, axisLines, chartStyle, escaped, linearAxis, logarithmicAxis } from './svg.ts'
import { axisWord, settingText, variedAxes } from './sweepSetting.ts'

/** More lines than these nobody tells apart. */
const mostLines = 24
const width = 960
const height = 480
const plot = { left: 72, right: 640, top: 56, bottom: 416 }
const legendLine = 16

/** Throughput against workers, one line for each combination of the other lists. */
export class SweepChart {
  /** That tell lines apart. */
  readonly #others: AxisName[]
  readonly #lines = new Map<string, Array<{ workers: number; rate: number }>>()

  /** @throws CommandLineError when there would be too many lines, or none worth drawing */
  constructor(axes: SweepAxes) {
    const varied = variedAxes(axes)
    if (!varied.includes('workers'))
      throw new CommandLineError('--chart draws throughput against workers: give several cluster sizes, such as --workers 1-16')
    this.#others = varied.filter(axis => axis !== 'workers' && axis !== 'batchSize')
    const lines = this.#others.reduce((product, axis) => product * (axes[axis]?.length ?? 1), 1)
    if (lines > mostLines) {
      const words = this.#others.map(axis => `${axes[axis]?.length} of ${axisWord(axis)}`).join(' × ')
      throw new CommandLineError(
        `--chart would have ${lines} lines (${words}): at most ${mostLines}; shorten a list, or draw from the file`
      )
    }
  }

  add(row: Row): void {
    if (row.steps_per_second === null) return
    const name = settingText(this.#others, row)
    const line = this.#lines.get(name) ?? []
    line.push({ workers: row.workers, rate: row.steps_per_second })
    this.#lines.set(name, line)
  }

  render(): string {
    const lines = [...this.#lines].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
    const all = lines.flatMap(([, points]) => points)
    const most = all.reduce((highest, { workers }) => Math.max(highest, workers), 1)
    const least = all.reduce((lowest, { workers }) => Math.min(lowest, workers), most)
    const workersAxis = most > 64 ? logarithmicAxis(least, most) : linearAxis(most)
    const rateAxis = linearAxis(all.reduce((highest, { rate }) => Math.max(highest, rate), 0) || 1)
    const x = (workers: number) => plot.left + (plot.right - plot.left) * workersAxis.position(workers)
    const y = (rate: number) => plot.bottom - (plot.bottom - plot.top) * rateAxis.position(rate)
    const colour = (index: number) => `hsl(${Math.round((index * 360) / lines.length)} 65% 45%)`
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Throughput against workers, ${lines.length} lines">`,
      `<style>${chartStyle(['.line { fill: none; stroke-width: 2 }'])}</style>`,
      `<rect class="paper" width="${width}" height="${height}"/>`,
      `<text class="title" x="${plot.left}" y="28">Throughput against workers</text>`,
      ...axisLines(plot, workersAxis, rateAxis, { x: 'workers', y: 'throughput, steps/s' }),
      ...lines.flatMap(([name, points], index) => {
        const sorted = [...new Map(points.map(point => [point.workers, point])).values()].sort((a, b) => a.workers - b.workers)
        const path = sorted.map(({ workers, rate }) => `${at(x(workers))},${at(y(rate))}`).join(' ')
        const mark = plot.top + index * legendLine
        return [
          `<polyline class="line" stroke="${colour(index)}" points="${path}"><title>${escaped(name)}</title></polyline>`,
          ...(name === ''
            ? []
            : [
                `<path class="line" stroke="${colour(index)}" d="M${plot.right + 16} ${mark}h20"/>`,
                `<text class="small" x="${plot.right + 44}" y="${mark + 4}">${escaped(name)}</text>`
              ])
        ]
      }),
      '</svg>',
      ''
    ].join('\n')
  }
}
