/** @import { Row } from './row.mjs' */
import { barText, missed } from './bars.mjs'
import { formatNumber } from './format.mjs'

/** @param {Row} row */
function rangeOf({ runs, min, max }) {
  return runs > 1 ? `${formatNumber(min)}–${formatNumber(max)}` : ''
}

/**
 * The rows as a table, its first line the heads: a line each, or, where rows have a measure, a line a name and a column a measure.
 *
 * @param {readonly Row[]} rows
 * @returns {string[][]}
 */
export function tabulate(rows) {
  return rows.some(row => row.measure !== undefined)
    ? crossTable(rows)
    : [
        ['', 'median', 'range', 'unit', 'runs', 'bar'],
        ...rows.map(row => [
          row.name,
          formatNumber(row.median),
          rangeOf(row),
          row.unit,
          String(row.runs),
          barText(row) && `${barText(row)}: ${missed(row) ?? 'kept'}`
        ])
      ]
}

/**
 * @param {readonly Row[]} rows
 * @returns {string[][]}
 */
function crossTable(rows) {
  const names = [...new Set(rows.map(row => row.name))]
  const measures = [...new Set(rows.map(row => row.measure))]
  // Unit and bar stand once: with the name if all measures of a name share them, else with the measure.
  const terms = (/** @type {Row} */ row) => `${row.unit}${barText(row) && `, bar ${barText(row)}`}`
  const shared = names.every(name => new Set(rows.filter(row => row.name === name).map(terms)).size === 1)
  const label = (/** @type {string | undefined} */ text, /** @type {'name' | 'measure'} */ key) => {
    const withTerms = shared === (key === 'name')
    return withTerms ? `${text} (${terms(/** @type {Row} */ (rows.find(row => row[key] === text)))})` : String(text)
  }
  return [
    ['', ...measures.map(measure => label(measure, 'measure'))],
    ...names.map(name => [
      label(name, 'name'),
      ...measures.map(measure => {
        const row = rows.find(candidate => candidate.name === name && candidate.measure === measure)
        if (!row) return '–'
        const range = rangeOf(row)
        return `${formatNumber(row.median)}${range && ` (${range})`}${missed(row) ? ` ${missed(row)}` : ''}`
      })
    ])
  ]
}

/**
 * First column to the left, figures to the right.
 *
 * @param {string[][]} table
 * @returns {{ cells: string[][], widths: number[] }}
 */
function padded(table) {
  const widths = table[0].map((_, column) => Math.max(...table.map(line => line[column].length)))
  const pad = (/** @type {string} */ cell, /** @type {number} */ column) =>
    column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])
  return { cells: table.map(line => line.map(pad)), widths }
}

/** @param {string[][]} table */
export function plainTable(table) {
  return padded(table)
    .cells.map(cells => cells.join('  ').trimEnd())
    .join('\n')
}

/**
 * Padded as the formatter wants it, so that the page stays as it was written.
 *
 * @param {string[][]} table
 */
export function markdownTable(table) {
  const { cells, widths } = padded(table.map(line => line.map(cell => cell.replaceAll('|', '\\|'))))
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  const [heads, ...lines] = cells
  return [heads, rule, ...lines].map(line => `| ${line.join(' | ')} |`).join('\n')
}
