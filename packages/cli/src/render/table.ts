import { glyphsOf, type Look, paint } from './look.ts'

export interface Column {
  title: string
  align: 'left' | 'right'
  cells: string[]
}

const gap = '  '

/**
 * Lays columns out as lines with a heading. Where the look has fewer columns than the table needs, the table goes on below itself with the
 * columns that did not fit, led by the first column again.
 */
export function renderTable(columns: Column[], look: Look): string {
  return splitToWidth(columns, look.columns)
    .map(part => renderPart(part, look))
    .join('\n')
}

function renderPart(columns: Column[], look: Look): string {
  const widths = columns.map(width)
  const line = (cells: string[]) =>
    cells
      .map((cell, index) => pad(cell, widths[index], columns[index].align))
      .join(gap)
      .trimEnd()
  const rows = columns[0].cells.map((_, row) => line(columns.map(column => column.cells[row])))
  const rule = glyphsOf(look).rule.repeat(widths.reduce((sum, each) => sum + each, 0) + gap.length * (columns.length - 1))
  return `${[paint(look, 'bold', line(columns.map(column => column.title))), paint(look, 'dim', rule), ...rows].join('\n')}\n`
}

function splitToWidth(columns: Column[], most: number | undefined): Column[][] {
  const [lead, ...rest] = columns
  const parts: Column[][] = []
  let part = [lead]
  let used = width(lead)
  for (const column of rest) {
    const needed = gap.length + width(column)
    if (most !== undefined && used + needed > most && part.length > 1) {
      parts.push(part)
      part = [lead]
      used = width(lead)
    }
    part.push(column)
    used += needed
  }
  return [...parts, part]
}

function width(column: Column): number {
  return [column.title, ...column.cells].reduce((most, text) => Math.max(most, [...text].length), 0)
}

function pad(text: string, columns: number, align: Column['align']): string {
  const fill = ' '.repeat(Math.max(columns - [...text].length, 0))
  return align === 'left' ? text + fill : fill + text
}

/** Lines "label  text" with the texts below each other; further lines of a text are indented. */
export function renderFacts(facts: Array<[string, string]>, look: Look): string {
  const labelWidth = Math.max(...facts.map(([label]) => label.length))
  const indent = ' '.repeat(labelWidth + gap.length)
  return facts
    .map(([label, text]) => `${paint(look, 'bold', label.padEnd(labelWidth))}${gap}${text.split('\n').join(`\n${indent}`)}`)
    .map(line => `${line}\n`)
    .join('')
}

/** Items behind each other, on as many lines as they need. */
export function wrapItems(items: string[], columns: number): string {
  const lines: string[] = []
  for (const item of items) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + item.length <= columns) lines[lines.length - 1] = `${last} ${item}`
    else lines.push(item)
  }
  return lines.join('\n')
}
