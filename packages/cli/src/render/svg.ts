/** A coordinate, in tenths of a pixel. */
export function at(value: number): string {
  return String(Number(value.toFixed(1)))
}

/** Text for XML. What XML cannot hold is left out. */
export function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** A scale with its ticks, each with a label. */
export interface Axis {
  /** 0 at the first tick or end, 1 at the last. */
  position: (value: number) => number
  ticks: Array<{ value: number; label: string }>
  logarithmic: boolean
}

/** Four to eight round steps from 0 to at least `highest`, which is above 0. */
export function linearAxis(highest: number): Axis {
  const rough = highest / 5
  const magnitude = 10 ** Math.floor(Math.log10(rough))
  const step = magnitude * ([1, 2, 5, 10].find(factor => factor * magnitude >= rough * (1 - 1e-9)) ?? 10)
  const steps = Math.ceil(highest / step - 1e-9)
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9))
  const ticks = Array.from({ length: steps + 1 }, (_, index) => ({ value: index * step, label: (index * step).toFixed(decimals) }))
  return { position: value => value / (steps * step), ticks, logarithmic: false }
}

/** From a tenth below `lowest` to a tenth above `highest`, both above 0, with ticks at 1, 2 and 5 times powers of ten within. */
export function logarithmicAxis(lowest: number, highest: number): Axis {
  const [from, to] = [Math.log10(lowest / 1.1), Math.log10(highest * 1.1)]
  const ticks: Axis['ticks'] = []
  for (let power = Math.floor(from); power <= Math.ceil(to); power++) {
    for (const factor of [1, 2, 5]) {
      const value = factor * 10 ** power
      const isWithin = Math.log10(value) >= from && Math.log10(value) <= to
      if (isWithin) ticks.push({ value, label: value.toFixed(Math.max(0, -power)) })
    }
  }
  return { position: value => (Math.log10(value) - from) / (to - from), ticks, logarithmic: true }
}

interface Palette {
  paper: string
  ink: string
  faint: string
  accent: string
}

const light: Palette = { paper: '#ffffff', ink: '#1b1f24', faint: '#d7dbe0', accent: '#0b61c4' }
const dark: Palette = { paper: '#14171c', ink: '#e4e7eb', faint: '#363c45', accent: '#6fb1ff' }

/**
 * Colours by the reader's preference, also where the file is shown as an image. Written out for both, since few programs but browsers know
 * CSS variables.
 *
 * @param own rules of this chart without colours
 * @param coloured those with
 */
export function chartStyle(own: string[], coloured: (palette: Palette) => string[] = () => []): string {
  const colours = (palette: Palette) =>
    [
      `text { fill: ${palette.ink} }`,
      `.paper { fill: ${palette.paper} }`,
      `.grid { stroke: ${palette.faint} }`,
      `.axis { stroke: ${palette.ink} }`,
      ...coloured(palette)
    ].join(' ')
  return [
    '',
    'text { font: 13px system-ui, sans-serif }',
    'text.title { font-size: 16px; font-weight: 600 }',
    'text.small { font-size: 12px }',
    ...own,
    colours(light),
    `@media (prefers-color-scheme: dark) { ${colours(dark)} }`,
    ''
  ].join('\n')
}

/** Where the axes cross and end, in pixels. */
interface PlotArea {
  left: number
  right: number
  top: number
  bottom: number
}

/** The grid, ticks with labels and titles of a chart's axes. */
export function axisLines(plot: PlotArea, xAxis: Axis, yAxis: Axis, titles: { x: string; y: string }): string[] {
  const middle = at((plot.top + plot.bottom) / 2)
  const height = (value: number) => plot.bottom - (plot.bottom - plot.top) * yAxis.position(value)
  return [
    ...yAxis.ticks.flatMap(({ value, label }) => [
      `<line class="grid" x1="${plot.left}" y1="${at(height(value))}" x2="${plot.right}" y2="${at(height(value))}"/>`,
      `<text x="${plot.left - 8}" y="${at(height(value) + 4.5)}" text-anchor="end">${label}</text>`
    ]),
    ...xAxis.ticks.flatMap(({ value, label }) => {
      const tick = at(plot.left + (plot.right - plot.left) * xAxis.position(value))
      return [
        `<line class="axis" x1="${tick}" y1="${plot.bottom}" x2="${tick}" y2="${plot.bottom + 5}"/>`,
        `<text x="${tick}" y="${plot.bottom + 20}" text-anchor="middle">${label}</text>`
      ]
    }),
    `<line class="axis" x1="${plot.left}" y1="${plot.bottom}" x2="${plot.right}" y2="${plot.bottom}"/>`,
    `<text x="${at((plot.left + plot.right) / 2)}" y="${plot.bottom + 42}" text-anchor="middle">${titles.x}${xAxis.logarithmic ? ' (logarithmic)' : ''}</text>`,
    `<text x="18" y="${middle}" text-anchor="middle" transform="rotate(-90 18 ${middle})">${titles.y}</text>`
  ]
}
