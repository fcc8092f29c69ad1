import type { LogEntry } from '../../src/job.ts'
import type { Outcome, Step } from './outcome.ts'

/** Above any rounding, below any difference in what happened. */
export const SAME_TIME = 1e-9
/** Events nearer to each other than this might be taken in either order. */
export const CLEAR_GAP_US = 1

const relative = (a: number, b: number) => (a === b ? 0 : Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b)))

const whichStep = (step: Step) => ({ worker: step.worker, template: step.template, staleness: step.staleness })
const whichEntry = (entry: LogEntry) => ({ worker: entry.worker, step: entry.step, operation: entry.operation })

/** Entries of completed steps, in an order that does not depend on when they were written. */
function completedEntries(outcome: Outcome, steps: number): LogEntry[] {
  const completed = new Map<number, number>()
  for (const { worker } of outcome.steps.slice(0, steps)) completed.set(worker, (completed.get(worker) ?? 0) + 1)
  return outcome.log
    .filter(entry => entry.step < (completed.get(entry.worker) ?? 0))
    .sort((a, b) => a.worker - b.worker || a.step - b.step || a.operation - b.operation)
}

export interface Comparison {
  /** The first thing that differs other than in time; undefined if nothing does. */
  difference: string | undefined
  /** Of all times of the steps and the log. */
  worstRelative: number
}

/** The first `steps` completed steps and their operations in two outcomes. */
export function compare(a: Outcome, b: Outcome, steps: number): Comparison {
  let worstRelative = 0
  let difference: string | undefined
  const check = (what: string, x: object | undefined, y: object | undefined) => {
    const [left, right] = [JSON.stringify(x), JSON.stringify(y)]
    if (left !== right) difference ??= `${what}: ${left} and ${right}`
  }
  const times = (what: string, x: number, y: number) => {
    const deviation = relative(x, y)
    worstRelative = Math.max(worstRelative, deviation)
    if (!(deviation <= SAME_TIME)) difference ??= `${what}: ${x} and ${y} µs`
  }
  for (let i = 0; i < steps; i++) {
    const [x, y] = [a.steps[i], b.steps[i]]
    check(`completion ${i}`, x && whichStep(x), y && whichStep(y))
    if (!x || !y) break
    times(`start of completion ${i}`, x.startUs, y.startUs)
    times(`end of completion ${i}`, x.endUs, y.endUs)
  }
  if (difference) return { difference, worstRelative }
  const [logA, logB] = [completedEntries(a, steps), completedEntries(b, steps)]
  check('log length', [logA.length], [logB.length])
  for (let i = 0; i < Math.min(logA.length, logB.length); i++) {
    const [x, y] = [logA[i], logB[i]]
    check(`log entry ${i}`, whichEntry(x), whichEntry(y))
    for (const key of ['readyUs', 'startUs', 'wireEndUs', 'endUs'] as const)
      times(`${key} of ${JSON.stringify(whichEntry(x))}`, x[key], y[key])
  }
  return { difference, worstRelative }
}
