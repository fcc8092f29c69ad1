import type { Point } from '@foretrain/predictor'
import { type Colour, glyphsOf, type Look, paint } from './look.ts'

const aboutRows = 16
const widest = 100
const narrowest = 30
const widthWithoutTerminal = 80

/** A position on the plot: what stands there, and above what it may be painted. */
interface Cell {
  character: string
  colour: Colour | undefined
}

interface Scale {
  column: (workers: number) => number
  row: (rate: number) => number
  logarithmic: boolean
  width: number
  rows: number
  /** The rate at the topmost row. */
  top: number
}

/**
 * Throughput over workers, drawn with characters: a point for the prediction, a bar for where a measurement should fall, dots for the upper
 * bound. '' when there are fewer than two cluster sizes.
 */
export function renderChart(points: Point[], look: Look): string {
  if (points.length < 2) return ''
  const glyphs = glyphsOf(look)
  const width = Math.max(narrowest, Math.min(look.columns ?? widthWithoutTerminal, widest))
  const largest = Math.max(...points.map(highest).filter(Number.isFinite))
  if (!(largest > 0)) return ''
  const { ticks, labels, rows } = rateTicks(largest)
  const labelWidth = Math.max(...labels.map(label => label.length))
  const scale = makeScale(points, { width: width - labelWidth - 3, rows, top: ticks.at(-1) ?? largest })
  const cells = drawPlot(points, scale, look)
  const labelOfRow = new Map(ticks.map((tick, index) => [scale.row(tick), labels[index]]))
  const lines = cells.map((row, index) => {
    const label = labelOfRow.get(index)
    const axis = label === undefined ? glyphs.axisVertical : glyphs.axisTick
    return `${(label ?? '').padStart(labelWidth)} ${axis}${paintRow(row, look)}`.trimEnd()
  })
  const margin = ' '.repeat(labelWidth + 1)
  const { marks, numbers } = workersAxis(points, scale, look)
  const legend = [
    `${glyphs.point} predicted`,
    `${glyphs.interval} where a measurement should fall (95 %)`,
    `${glyphs.bound} upper bound`
  ]
  const onOneLine = margin.length + 1 + legend.join('   ').length <= width
  return `${[
    paint(look, 'bold', 'throughput, steps/s'),
    ...lines,
    `${margin}${glyphs.axisCorner}${marks}`,
    `${margin} ${numbers}`.trimEnd(),
    `${margin} ${(scale.logarithmic ? 'workers (logarithmic)' : 'workers').padStart(Math.ceil(scale.width / 2) + 4)}`,
    ...(onOneLine ? [legend.join('   ')] : legend).map(line => `${margin} ${line}`)
  ].join('\n')}\n`
}

function highest({ stepsPerSecond: { mean, ci95, band95 } }: Point): number {
  return Math.max(mean, ...[ci95[1], band95[1]].filter(Number.isFinite))
}

/** The least of the bounds: what no schedule can exceed. */
function upperBound({ bounds }: Point): number {
  return Math.min(...Object.values(bounds).filter(bound => Number.isFinite(bound) && bound > 0))
}

/**
 * Round numbers from 0 to at least `largest`, with as many decimals as their distance has, and the number of rows that puts each of them
 * exactly on a row.
 */
function rateTicks(largest: number): { ticks: number[]; labels: string[]; rows: number } {
  const rough = largest / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map(factor => factor * power).find(candidate => candidate >= rough * (1 - 1e-9)) ?? rough
  const steps = Math.ceil(largest / step - 1e-9)
  const ticks = Array.from({ length: steps + 1 }, (_, index) => index * step)
  const decimals = Math.min(Math.max(-Math.floor(Math.log10(step) + 1e-9), 0), 12)
  return { ticks, labels: ticks.map(tick => tick.toFixed(decimals)), rows: Math.round(aboutRows / steps) * steps + 1 }
}

function makeScale(points: Point[], { width, rows, top }: Pick<Scale, 'width' | 'rows' | 'top'>): Scale {
  const sizes = points.map(point => point.workers)
  const closest = (position: (workers: number) => number) => {
    const [first, last] = [position(sizes[0]), position(sizes.at(-1) ?? 1)]
    return Math.min(...sizes.slice(1).map((size, index) => position(size) - position(sizes[index]))) / (last - first)
  }
  // A logarithmic axis where it separates what a linear one would crowd: 1,2,4,...,512, but not 1-512.
  const logarithmic = closest(workers => workers) * width < 3 && closest(Math.log) > closest(workers => workers)
  const position = logarithmic ? Math.log : (workers: number) => workers
  const [first, last] = [position(sizes[0]), position(sizes.at(-1) ?? 1)]
  return {
    // A column is left free at either end, so that marks do not touch the axis.
    column: workers => 1 + Math.round(((position(workers) - first) / (last - first)) * (width - 3)),
    row: rate => rows - 1 - Math.round((rate / top) * (rows - 1)),
    logarithmic,
    width,
    rows,
    top
  }
}

function drawPlot(points: Point[], scale: Scale, look: Look): Cell[][] {
  const glyphs = glyphsOf(look)
  const cells = Array.from({ length: scale.rows }, () =>
    Array.from({ length: scale.width }, (): Cell => ({ character: ' ', colour: undefined }))
  )
  const put = (column: number, row: number, character: string, colour: Colour) => {
    if (row >= 0 && row < scale.rows && column >= 0 && column < scale.width) cells[row][column] = { character, colour }
  }
  for (const [column, bound] of interpolateBound(points, scale)) {
    if (bound <= scale.top) put(column, scale.row(bound), glyphs.bound, 'dim')
  }
  for (const { workers, stepsPerSecond } of points) {
    const [low, high] = stepsPerSecond.band95.every(Number.isFinite) ? stepsPerSecond.band95 : stepsPerSecond.ci95
    const [top, bottom] = [scale.row(high), scale.row(low)]
    if (!(bottom > top)) continue
    for (let row = top; row <= bottom; row += 1) {
      const character = row === top ? glyphs.intervalTop : row === bottom ? glyphs.intervalBottom : glyphs.interval
      put(scale.column(workers), row, character, 'cyan')
    }
  }
  for (const { workers, stepsPerSecond } of points) put(scale.column(workers), scale.row(stepsPerSecond.mean), glyphs.point, 'cyan')
  return cells
}

/** The bound at every column between the first and the last point, straight from point to point. */
function interpolateBound(points: Point[], scale: Scale): Array<[number, number]> {
  const marks: Array<[number, number]> = []
  for (let index = 0; index + 1 < points.length; index += 1) {
    const [from, to] = [points[index], points[index + 1]]
    const [first, last] = [scale.column(from.workers), scale.column(to.workers)]
    for (let column = first; column <= last; column += 1) {
      const share = last > first ? (column - first) / (last - first) : 0
      const bound = upperBound(from) + (upperBound(to) - upperBound(from)) * share
      if (Number.isFinite(bound)) marks.push([column, bound])
    }
  }
  return marks
}

/** The line of the axis with a mark at each labelled size, and the labels; first and last always, others where there is room. */
function workersAxis(points: Point[], scale: Scale, look: Look): { marks: string; numbers: string } {
  const glyphs = glyphsOf(look)
  const marks = new Array<string>(scale.width).fill(glyphs.axisHorizontal)
  const numbers = new Array<string>(scale.width).fill(' ')
  const place = (workers: number) => {
    const text = String(workers)
    const column = scale.column(workers)
    const start = Math.min(Math.max(column - Math.floor((text.length - 1) / 2), 0), scale.width - text.length)
    const around = numbers.slice(Math.max(start - 1, 0), start + text.length + 1)
    if (around.some(character => character !== ' ')) return
    for (let index = 0; index < text.length; index += 1) numbers[start + index] = text[index]
    marks[column] = glyphs.axisMark
  }
  const sizes = points.map(point => point.workers)
  for (const size of [sizes[0], sizes.at(-1) ?? sizes[0], ...sizes]) place(size)
  return { marks: marks.join(''), numbers: numbers.join('') }
}

/** Paints runs of the same colour, not every character. */
function paintRow(row: Cell[], look: Look): string {
  let line = ''
  for (let start = 0; start < row.length; ) {
    let end = start
    while (end < row.length && row[end].colour === row[start].colour) end += 1
    const text = row
      .slice(start, end)
      .map(cell => cell.character)
      .join('')
    const { colour } = row[start]
    line += colour === undefined ? text : paint(look, colour, text)
    start = end
  }
  return line
}
