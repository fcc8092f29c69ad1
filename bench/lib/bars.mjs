/** @import { Row } from './row.mjs' */
import { formatNumber } from './format.mjs'

/**
 * The bar of a row as it is written; empty when it has none.
 *
 * @param {Row} row
 */
export function barText({ bar, least }) {
  if (bar !== undefined) return `≤ ${formatNumber(bar)}`
  return least === undefined ? '' : `≥ ${formatNumber(least)}`
}

/**
 * How a bar was missed: "OVER" the most or "UNDER" the least that the median should be; undefined when it was kept or there is none.
 *
 * @param {Row} row
 */
export function missed({ median, bar, least }) {
  if (bar !== undefined && median > bar) return 'OVER'
  return least !== undefined && median < least ? 'UNDER' : undefined
}

/**
 * All bars of some suites: how many are kept, then a line for each, the missed ones first.
 *
 * @param {ReadonlyArray<{ suite: string, rows: readonly Row[] }>} results
 */
export function barSummary(results) {
  const barred = results.flatMap(({ suite, rows }) =>
    rows.filter(row => barText(row) !== '').map(row => ({ miss: missed(row), line: lineOf(suite, row) }))
  )
  if (barred.length === 0) return 'No bars.'
  const misses = barred.filter(({ miss }) => miss !== undefined)
  const kept = barred.filter(({ miss }) => miss === undefined)
  return [
    `Bars: ${kept.length} of ${barred.length} kept.`,
    ...misses.map(({ miss, line }) => `  ${miss}  ${line}`),
    ...kept.map(({ line }) => `  kept  ${line}`)
  ].join('\n')
}

/**
 * @param {string} suite
 * @param {Row} row
 */
function lineOf(suite, row) {
  const what = row.measure === undefined ? row.name : `${row.name}, ${row.measure}`
  return `${suite}: ${what}: ${formatNumber(row.median)} ${row.unit} (bar ${barText(row)})`
}
