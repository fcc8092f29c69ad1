import type { StepRecords } from '@foretrain/core-wasm'

/** What the steps of a window say. */
interface WindowedSteps {
  /** Share of each worker in all steps of the window. */
  shareOfWorker: Float64Array
  /** Worker-steps per µs of the whole cluster. */
  stepsPerUs: number
  /** From a step's begin to the next one's, of the steps that ended in the window; where workers wait before a step, the wait before it is its own. */
  cycleUs: number[]
  staleness: number[]
}

/**
 * The steps between two completions, each by the share of its gradients that were used. A step that crosses an edge counts by its share of time; the window ends early enough for every worker to
 * be known throughout.
 *
 * @param first index of the first record that ends in the window
 * @param overheadUs part of a cycle that lies between the end of a step and the begin of the next
 * @param waitsBetween whether a worker waits for others before a step and not within it
 */
export function stepsInWindow(
  records: StepRecords,
  workers: number,
  first: number,
  overheadUs: number,
  waitsBetween = false
): WindowedSteps {
  const { endUs, startUs, worker, staleness, usedShare, waitedUs } = records
  const fromUs = first > 0 ? endUs[first - 1] : 0
  const lastEndUs = new Float64Array(workers)
  for (let i = 0; i < endUs.length; i++) lastEndUs[worker[i]] = endUs[i]
  let toUs = endUs[endUs.length - 1]
  for (const last of lastEndUs) if (last > fromUs) toUs = Math.min(toUs, last)

  const steps = new Float64Array(workers)
  const previousEndUs = new Float64Array(workers).fill(-1)
  for (let i = 0; i < endUs.length; i++) {
    const w = worker[i]
    const beganUs = previousEndUs[w] < 0 ? startUs[i] : previousEndUs[w]
    previousEndUs[w] = endUs[i]
    const insideUs = Math.min(endUs[i], toUs) - Math.max(beganUs, fromUs)
    if (insideUs > 0) steps[w] += (insideUs / (endUs[i] - beganUs)) * usedShare[i]
  }
  const all = steps.reduce((sum, count) => sum + count, 0)
  return {
    shareOfWorker: steps.map(count => count / all),
    stepsPerUs: all / (toUs - fromUs),
    cycleUs: Array.from(endUs.subarray(first), (end, i) => {
      const cycleUs = end - startUs[first + i] + overheadUs
      return waitsBetween ? cycleUs + waitedUs[first + i] : cycleUs
    }),
    staleness: Array.from(staleness.subarray(first))
  }
}
