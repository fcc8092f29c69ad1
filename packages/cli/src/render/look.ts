import type { TextOutput } from '../io/io.ts'

/** How text may look where it goes. */
export interface Look {
  /** Characters in a line; undefined where lines have no end, as in a file or a pipe. */
  columns: number | undefined
  unicode: boolean
  colour: boolean
}

/** Characters beyond ASCII that the tables and the chart use, each with a stand-in. */
interface Glyphs {
  plusMinus: string
  times: string
  to: string
  point: string
  intervalTop: string
  interval: string
  intervalBottom: string
  bound: string
  axisVertical: string
  axisTick: string
  axisCorner: string
  axisHorizontal: string
  axisMark: string
  rule: string
  separator: string
}

const unicodeGlyphs: Glyphs = {
  plusMinus: '±',
  times: '×',
  to: '–',
  point: '●',
  intervalTop: '┬',
  interval: '│',
  intervalBottom: '┴',
  bound: '·',
  axisVertical: '│',
  axisTick: '┤',
  axisCorner: '└',
  axisHorizontal: '─',
  axisMark: '┴',
  rule: '─',
  separator: ' · '
}

const asciiGlyphs: Glyphs = {
  plusMinus: '+-',
  times: 'x',
  to: ' to ',
  point: 'o',
  intervalTop: '|',
  interval: '|',
  intervalBottom: '|',
  bound: '.',
  axisVertical: '|',
  axisTick: '+',
  axisCorner: '+',
  axisHorizontal: '-',
  axisMark: '+',
  rule: '-',
  separator: ', '
}

/** The characters for a look. */
export function glyphsOf(look: Look): Glyphs {
  return look.unicode ? unicodeGlyphs : asciiGlyphs
}

/** Decides the look of what goes to an output, or to a file when there is none. */
export function lookOf(output: TextOutput | undefined, environment: Record<string, string | undefined>): Look {
  const { LC_ALL, LC_CTYPE, LANG, NO_COLOR, TERM } = environment
  const isTerminal = output?.isTerminal ?? false
  return {
    columns: isTerminal ? output?.columns : undefined,
    // The first that is set decides, as in setlocale(3).
    unicode: /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || ''),
    colour: isTerminal && !NO_COLOR && TERM !== 'dumb'
  }
}

export type Colour = 'bold' | 'dim' | 'cyan' | 'yellow'

const codes: Record<Colour, [number, number]> = { bold: [1, 22], dim: [2, 22], cyan: [36, 39], yellow: [33, 39] }

/** Text in a colour, where the look has colour. */
export function paint(look: Look, colour: Colour, text: string): string {
  if (!look.colour || text === '') return text
  const [on, off] = codes[colour]
  return `\u001b[${on}m${text}\u001b[${off}m`
}
