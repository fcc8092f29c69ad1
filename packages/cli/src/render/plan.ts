import type { Plan } from '@foretrain/predictor'
import { oneLine } from '@foretrain/predictor/text'
import { glyphsOf, type Look } from './look.ts'
import { columnFormat, count, percent, significant } from './numbers.ts'
import { standingOf } from './planCsv.ts'
import { renderWarnings } from './shared.ts'
import { type Column, renderFacts, renderTable } from './table.ts'

type Row = Plan['points'][number]

/** A plan for people: the answer, then every simulated cluster, then the warnings. */
export function renderPlan(plan: Plan, look: Look): string {
  const parts = [renderFacts(facts(plan), look), renderTable(columns(plan, look), look), renderWarnings(plan.warnings, look)]
  return parts.filter(part => part !== '').join('\n')
}

function facts(plan: Plan): Array<[string, string]> {
  const { target, cheapest, knee, prices, kneeShare, points } = plan
  const share = (row: Row) => `${percent(row.bandShareMeetingTarget)} of its band meets the target`
  const rows: Array<[string, string]> = [
    ['target', oneLine(target)],
    ['prices', `worker ${prices.worker}, server ${prices.server} an hour`]
  ]
  if (cheapest === null)
    rows.push(['cheapest', 'none of the simulated clusters meets the target'], ['fastest', rowText(fastest(points))])
  else rows.push(['cheapest', `${rowText(cheapest)}; ${share(cheapest)}`])
  rows.push(['knee', `${rowText(knee)}; beyond it each added worker brings less than ${percent(kneeShare)} of one worker`])
  return rows
}

function fastest(rows: readonly Row[]): Row {
  return rows.reduce((best, row) => (row.examplesPerSecond > best.examplesPerSecond ? row : best))
}

function rowText({ workers, servers, examplesPerSecond, stepsPerSecond, costPerHour, costPerMillionExamples }: Row): string {
  return (
    `${count(workers, 'worker')}, ${count(servers, 'server')}: ${significant(examplesPerSecond)} examples/s (${significant(stepsPerSecond.mean)} steps/s), ` +
    `${money(costPerHour)} an hour, ${money(costPerMillionExamples)} a million examples`
  )
}

/** With cents, and more digits below one of them. */
function money(value: number): string {
  return value >= 0.1 || value === 0 ? value.toFixed(2) : significant(value, 2)
}

function columns(plan: Plan, look: Look): Column[] {
  const glyphs = glyphsOf(look)
  const { points } = plan
  const rate = columnFormat(points.map(({ stepsPerSecond }) => stepsPerSecond.mean))
  const examples = columnFormat(points.map(({ examplesPerSecond }) => examplesPerSecond))
  const column = (title: string, cell: (row: Row) => string, align: Column['align'] = 'right'): Column => ({
    title,
    align,
    cells: points.map(cell)
  })
  return [
    column('workers', ({ workers }) => String(workers)),
    column('servers', ({ servers }) => String(servers)),
    column('examples/s', ({ examplesPerSecond }) => examples(examplesPerSecond)),
    column('steps/s', ({ stepsPerSecond: { mean, ci95 } }) => `${rate(mean)} ${glyphs.plusMinus} ${rate((ci95[1] - ci95[0]) / 2)}`),
    column('95 % band', ({ stepsPerSecond: { band95 } }) => `${rate(band95[0])}${glyphs.to}${rate(band95[1])}`),
    column('mean meets', row => (row.meetsTarget ? 'yes' : 'no'), 'left'),
    column('band meets', ({ bandShareMeetingTarget }) => percent(bandShareMeetingTarget)),
    column('cost/hour', ({ costPerHour }) => money(costPerHour)),
    column('cost/million', ({ costPerMillionExamples }) => money(costPerMillionExamples)),
    column('point', row => standing(row, plan), 'left')
  ]
}

function standing(row: Row, plan: Plan): string {
  const { cheapest, knee, pareto } = standingOf(row, plan)
  return [cheapest && 'cheapest', knee && 'knee', pareto && 'front'].filter(Boolean).join(', ')
}
