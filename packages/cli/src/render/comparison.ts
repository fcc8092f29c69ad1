import type { Comparison } from '@foretrain/predictor'
import { oneLine } from '@foretrain/predictor/text'
import { glyphsOf, type Look } from './look.ts'
import { columnFormat, count, withUnit } from './numbers.ts'
import { renderWarnings } from './shared.ts'
import { type Column, renderFacts, renderTable } from './table.ts'

type Row = Comparison['policies'][number]

/** Columns of the bars: half of them for either sign. */
const barColumns = 20

/** A comparison for people: a row a policy, best first, and the gains as bars. */
export function renderComparison(comparison: Comparison, look: Look): string {
  const { workers, servers, replications, reference, tuned, policies, warnings } = comparison
  const facts: Array<[string, string]> = [
    ['cluster', [count(workers, 'worker'), count(servers, 'server')].join(glyphsOf(look).separator)],
    ['compared', `${count(replications, 'replication')} of each policy on common random numbers, gain over ${oneLine(reference)}`]
  ]
  if (tuned) facts.push(['tuned', `partition ${withUnit(tuned.partitionBytes, 'B')}, credit ${withUnit(tuned.creditBytes, 'B')}`])
  const parts = [renderFacts(facts, look), renderTable(columns(policies, reference, look), look), renderWarnings(warnings, look)]
  return parts.filter(part => part !== '').join('\n')
}

function columns(rows: Row[], reference: string, look: Look): Column[] {
  const glyphs = glyphsOf(look)
  const rate = columnFormat(rows.map(({ stepsPerSecond }) => stepsPerSecond.mean))
  const column = (title: string, cell: (row: Row) => string, align: Column['align'] = 'right') => ({
    title,
    align,
    cells: rows.map(cell)
  })
  const bar = bars(rows, look)
  return [
    column('policy', ({ policy }) => oneLine(policy), 'left'),
    column('steps/s', ({ stepsPerSecond: { mean, ci95 } }) => `${rate(mean)} ${glyphs.plusMinus} ${rate((ci95[1] - ci95[0]) / 2)}`),
    column('95 % band', ({ stepsPerSecond: { band95 } }) => `${rate(band95[0])}${glyphs.to}${rate(band95[1])}`),
    column('gain', ({ gain }) => signed(gain.mean)),
    column('95 % interval', ({ gain: { ci95 } }) => `${signed(ci95[0])}${glyphs.to}${signed(ci95[1])}`),
    column('', row => verdict(row, reference), 'left'),
    column('', bar, 'left')
  ]
}

function verdict({ policy, gain, told, sameOrderAs }: Row, reference: string): string {
  if (policy === reference) return 'reference'
  if (sameOrderAs !== undefined) return `same order as ${oneLine(sameOrderAs)}`
  if (!told) return 'not told from noise'
  return gain.mean > 0 ? 'faster' : 'slower'
}

/** Gains to the right of an axis, losses to the left, on one scale; '' where all are 0. */
function bars(rows: Row[], look: Look): (row: Row) => string {
  const { axisVertical, rule } = glyphsOf(look)
  const half = barColumns / 2
  const largest = rows.reduce((most, { gain }) => Math.max(most, Math.abs(gain.mean)), 0)
  if (!(largest > 0)) return () => ''
  return ({ gain }) => {
    const length = Math.round((Math.abs(gain.mean) / largest) * half)
    const drawn = rule.repeat(length)
    return gain.mean < 0 ? `${drawn.padStart(half)}${axisVertical}` : `${' '.repeat(half)}${axisVertical}${drawn}`
  }
}

/** "+4.8 %": tenths, because hundredths of a percent are beyond any interval. */
function signed(share: number): string {
  const text = (100 * Math.abs(share)).toFixed(1)
  if (text === '0.0') return '0.0 %'
  return `${share < 0 ? '-' : '+'}${text} %`
}
