import type { Warning } from '@foretrain/predictor'
import type { AxisName, Row, SweepAxes } from '@foretrain/sweep/local'
import type { Look } from './look.ts'
import { count, significant } from './numbers.ts'
import { axisValue, axisWord, settingText, variedAxes } from './sweepSetting.ts'
import { type Column, renderFacts, renderTable } from './table.ts'

/** Of an axis with more values, those of the best rows are shown. */
const mostValues = 8

/** What a sweep comes to, gathered row by row; what it holds does not grow with the points but with the values of their lists. */
export class SweepSummary {
  readonly #axes: AxisName[]
  /** By axis and value, the fastest row with it. */
  readonly #best = new Map<AxisName, Map<string, Row>>()
  #points = 0
  #failed = 0
  #first: Row | undefined

  constructor(axes: SweepAxes) {
    this.#axes = variedAxes(axes)
    for (const axis of this.#axes) this.#best.set(axis, new Map())
  }

  add(row: Row): void {
    this.#points += 1
    if (row.error !== '') {
      this.#failed += 1
      if (this.#first === undefined || row.point < this.#first.point) this.#first = row
      return
    }
    for (const [axis, best] of this.#best) {
      const value = axisValue(axis, row)
      if (isBetter(row, best.get(value))) best.set(value, row)
    }
    if (this.#axes.length === 0) this.#best.set('workers', new Map([['', row]]))
  }

  get allFailed(): boolean {
    return this.#points > 0 && this.#failed === this.#points
  }

  get firstError(): string {
    return this.#first?.error ?? ''
  }

  /** Undefined when all points could be simulated. */
  get failure(): Warning | undefined {
    if (this.#first === undefined) return undefined
    const message = `${this.#failed} of ${count(this.#points, 'point')} could not be simulated, the first of them point ${this.#first.point}: ${this.#first.error}`
    return { code: 'points-failed', message, count: this.#failed }
  }

  /** The fastest point, and for each list that was varied the fastest point with each of its values. */
  render(seconds: number, look: Look): string {
    const rate = this.#points / seconds
    const facts: Array<[string, string]> = [
      ['points', `${this.#points} in ${significant(seconds, 3)} s, ${significant(rate, 3)} a second; ${this.#failed} failed`]
    ]
    const rows = [...this.#best.values()].flatMap(best => [...best.values()])
    if (rows.length === 0) return renderFacts(facts, look)
    const fastest = rows.reduce((most, row) => (isBetter(row, most) ? row : most))
    facts.push(['fastest', `${significant(fastest.steps_per_second)} steps/s with ${settingText(this.#shown(), fastest)}`])
    const tables = this.#axes.map(axis => renderTable(this.#table(axis), look))
    return [renderFacts(facts, look), ...tables].join('\n')
  }

  /** Names a point. */
  #shown(): AxisName[] {
    return this.#axes.length > 0 ? this.#axes : ['workers']
  }

  #table(axis: AxisName): Column[] {
    const best = [...this.#best.get(axis)!.entries()].sort(([, a], [, b]) => (isBetter(a, b) ? -1 : 1)).slice(0, mostValues)
    const rows = best.map(([, row]) => row)
    const others = this.#axes.filter(other => other !== axis)
    return [
      { title: axisWord(axis), align: 'left', cells: best.map(([value]) => value) },
      { title: 'best steps/s', align: 'right', cells: rows.map(row => significant(row.steps_per_second)) },
      { title: 'efficiency', align: 'right', cells: rows.map(row => significant(row.efficiency, 2)) },
      { title: 'bottleneck', align: 'left', cells: rows.map(row => row.bottleneck) },
      ...(others.length > 0 ? [{ title: 'with', align: 'left' as const, cells: rows.map(row => settingText(others, row)) }] : [])
    ]
  }
}

/** Faster; of equally fast ones the first, so that the order in which rows come does not matter. */
function isBetter(row: Row, than: Row | undefined): boolean {
  if (than === undefined) return true
  const [a, b] = [row.steps_per_second ?? 0, than.steps_per_second ?? 0]
  return a > b || (a === b && row.point < than.point)
}
