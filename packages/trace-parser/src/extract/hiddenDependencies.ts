import type { StepTimes } from './times.ts'

/** A root that is scheduled this long after its host began waits for something that its record does not name. */
const LATE_US = 1000
/** What a node waits for ends at most this long after the node is scheduled: clocks are read before and after the hand-over. */
const HAND_OVER_US = 30
/** Share of the steps in which the same candidate must be the last to end. */
const AGREEMENT = 0.9
/** Candidates looked at before a step counts as undecided. */
const MOST_CANDIDATES = 64

export interface HiddenDependencies {
  /** Operation → what it waits for. */
  found: Map<number, number>
  /** Late roots for which no candidate was the last to end in nine steps of ten. */
  unexplained: number[]
}

/**
 * Finds what operations without inputs wait for. A Const under a control dependency is printed without inputs (`Const()`), yet its
 * scheduling time is the end of what it waits for. Released at the recorded time instead, it would pin the step to its recorded
 * length.
 *
 * @param hostOf index of the host of each operation, and of each transfer's destination
 */
export function findHiddenDependencies(
  steps: readonly StepTimes[],
  dependencies: readonly number[][],
  operationCount: number,
  hostOf: ArrayLike<number>,
  hosts: readonly string[]
): HiddenDependencies {
  const late: number[] = []
  for (let vertex = 0; vertex < operationCount; vertex++) {
    if (dependencies[vertex].length > 0) continue
    let lateSteps = 0
    for (const step of steps) {
      const firstUs = step.firstUs.get(hosts[hostOf[vertex]]) ?? 0
      if (step.scheduledUs[vertex] - firstUs > LATE_US) lateSteps++
    }
    if (2 * lateSteps > steps.length) late.push(vertex)
  }
  const found = new Map<number, number>()
  const unexplained: number[] = []
  if (late.length === 0) return { found, unexplained }

  const isLate = new Uint8Array(dependencies.length)
  for (const vertex of late) isLate[vertex] = 1
  const votes = late.map(() => new Map<number, number>())
  for (const step of steps) {
    const byEnd = endingOrders(step, hosts.length, hostOf)
    late.forEach((vertex, i) => {
      const winner = lastToEnd(step, vertex, byEnd[hostOf[vertex]], operationCount, isLate)
      if (winner >= 0) votes[i].set(winner, (votes[i].get(winner) ?? 0) + 1)
    })
  }
  late.forEach((vertex, i) => {
    let best = -1
    let most = 0
    for (const [candidate, count] of votes[i]) {
      if (count > most) {
        best = candidate
        most = count
      }
    }
    if (most >= AGREEMENT * steps.length) found.set(vertex, best)
    else unexplained.push(vertex)
  })
  return { found, unexplained }
}

/** Per host its operations and the transfers that arrive there, by end. */
function endingOrders(step: StepTimes, hosts: number, hostOf: ArrayLike<number>): number[][] {
  const orders: number[][] = Array.from({ length: hosts }, () => [])
  for (let vertex = 0; vertex < step.endUs.length; vertex++) orders[hostOf[vertex]].push(vertex)
  for (const order of orders) order.sort((a, b) => step.endUs[a] - step.endUs[b])
  return orders
}

function lastToEnd(step: StepTimes, vertex: number, byEnd: readonly number[], operationCount: number, isLate: Uint8Array): number {
  const scheduledUs = step.scheduledUs[vertex]
  let low = 0
  let high = byEnd.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (step.endUs[byEnd[middle]] <= scheduledUs + HAND_OVER_US) low = middle + 1
    else high = middle
  }
  for (let tried = 0; low > 0 && tried < MOST_CANDIDATES; tried++) {
    const candidate = byEnd[--low]
    if (candidate === vertex) continue
    if (candidate < operationCount) {
      // What became ready together with the root, or after it, may have ended within the hand-over but was not waited for.
      const readyUs = step.scheduledUs[candidate]
      if (readyUs > scheduledUs || step.startUs[candidate] > scheduledUs) continue
      if (readyUs === scheduledUs && isLate[candidate] === 1) continue
    }
    return candidate
  }
  return -1
}
