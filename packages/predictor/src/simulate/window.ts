import type { StepRecords } from '@foretrain/core-wasm'
import { mserTruncation } from '../statistics/mser.ts'

/** What is taken from one run after its start-up has been cut off. */
export interface WindowedRun {
  /** Worker-steps per µs of the whole cluster, and of each worker. */
  stepsPerUs: number
  perWorkerPerUs: Float64Array
  /** From a step's begin to the next one's, of the steps that ended in the window. */
  cycleUs: number[]
  staleness: number[]
}

/**
 * Rates over the window that begins with the end of the warm-up (and of what MSER takes for start-up, if wanted) and ends when the
 * first of the workers completes its last recorded step, so that every worker is known throughout. A step that crosses an edge counts
 * by its share.
 *
 * @param warmUp completed steps of the whole cluster to leave out
 * @param overheadUs part of a cycle that lies between the end of a step and the begin of the next
 */
export function measureWindow(
  records: StepRecords,
  workers: number,
  warmUp: number,
  truncate: boolean,
  overheadUs: number
): WindowedRun {
  const { endUs, startUs, worker, staleness } = records
  let first = warmUp
  if (truncate) {
    const betweenUs: number[] = []
    for (let i = Math.max(1, warmUp); i < endUs.length; i++) betweenUs.push(endUs[i] - endUs[i - 1])
    first += mserTruncation(betweenUs)
  }
  const fromUs = first > 0 ? endUs[first - 1] : 0
  const lastEndUs = new Float64Array(workers)
  for (let i = 0; i < endUs.length; i++) lastEndUs[worker[i]] = endUs[i]
  let toUs = endUs[endUs.length - 1]
  for (const last of lastEndUs) if (last > fromUs) toUs = Math.min(toUs, last)

  const perWorkerPerUs = new Float64Array(workers)
  const previousEndUs = new Float64Array(workers).fill(-1)
  const cycleUs: number[] = []
  const staleSteps: number[] = []
  for (let i = 0; i < endUs.length; i++) {
    const w = worker[i]
    const beganUs = previousEndUs[w] < 0 ? startUs[i] : previousEndUs[w]
    previousEndUs[w] = endUs[i]
    const insideUs = Math.min(endUs[i], toUs) - Math.max(beganUs, fromUs)
    if (insideUs > 0) perWorkerPerUs[w] += insideUs / (endUs[i] - beganUs)
    if (i < first) continue
    cycleUs.push(endUs[i] - startUs[i] + overheadUs)
    staleSteps.push(staleness[i])
  }
  let stepsPerUs = 0
  for (let w = 0; w < workers; w++) {
    perWorkerPerUs[w] /= toUs - fromUs
    stepsPerUs += perWorkerPerUs[w]
  }
  return { stepsPerUs, perWorkerPerUs, cycleUs, staleness: staleSteps }
}
