import type { LogEntry } from '../../src/job.ts'
import type { Outcome, Step } from './outcome.ts'

/** Above any rounding, below any difference in what happened. */
const SAME_TIME = 1e-9
/** Nothing in the random cases is shorter; before it, at the very start, a relative deviation would mean little. */
const SHORTEST_US = 1000

const relative = (a: number, b: number) => Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b), SHORTEST_US)

const whichStep = (step: Step) => ({
  worker: step.worker,
  template: step.template,
  staleness: step.staleness,
  usedShare: step.usedShare
})
const whichEntry = (entry: LogEntry) => ({ worker: entry.worker, step: entry.step, operation: entry.operation })

export interface Comparison {
  /** The first thing that differs other than by rounding; undefined if nothing does. */
  difference: string | undefined
  /** Of all times of the steps and the log. */
  worstRelative: number
}

/** Every step and every operation of `expected` that ends before `untilUs` against the same in `actual`. */
export function compare(expected: Outcome, actual: Outcome, untilUs = Infinity): Comparison {
  let worstRelative = 0
  let difference: string | undefined
  const check = <T extends object>(what: string, x: T, y: T | undefined, identity: (one: T) => object, times: (keyof T)[]) => {
    const [left, right] = [JSON.stringify(identity(x)), JSON.stringify(y && identity(y))]
    if (left !== right || !y) {
      difference ??= `${what}: ${left} expected, not ${right}`
      return
    }
    for (const key of times) {
      const deviation = relative(Number(x[key]), Number(y[key]))
      worstRelative = Math.max(worstRelative, deviation)
      if (!(deviation <= SAME_TIME)) difference ??= `${String(key)} of ${left}: ${x[key]} µs expected, not ${y[key]} µs`
    }
  }
  expected.steps.forEach((step, i) => {
    if (step.endUs < untilUs) check(`completion ${i}`, step, actual.steps[i], whichStep, ['startUs', 'endUs', 'waitedUs'])
  })
  const entries = new Map(actual.log.map(entry => [JSON.stringify(whichEntry(entry)), entry]))
  for (const entry of expected.log) {
    if (entry.endUs >= untilUs) continue
    const other = entries.get(JSON.stringify(whichEntry(entry)))
    check('log', entry, other, whichEntry, ['readyUs', 'startUs', 'wireEndUs', 'endUs'])
  }
  return { difference, worstRelative }
}
