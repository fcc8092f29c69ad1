import type { SharedOperations, SharedTransfers } from './align.ts'
import { operationKey } from './readStep.ts'
import type { Roles } from './roles.ts'
import { median } from './statistics.ts'

/** Times of one step on the worker's clock, µs after its earliest start, by operation and then by transfer. */
export interface StepTimes {
  trace: string
  scheduledUs: Float64Array
  startUs: Float64Array
  endUs: Float64Array
  /** 0 for transfers. */
  durationUs: Float64Array
  /** Of transfers; 0 for operations. */
  bytes: Float64Array
  /** Transfers that were not recorded and were filled in. */
  imputed: number[]
  spanUs: number
  /** Earliest start per task. */
  firstUs: Map<string, number>
}

/** Brings the complete steps onto the worker's clock and relative to their start. Lost transfers are NaN. */
export function relativeTimes(
  shared: SharedOperations,
  transfers: SharedTransfers,
  dependencies: readonly number[][],
  roles: Roles,
  offsetUs: readonly number[]
): StepTimes[] {
  const operationCount = shared.operations.length
  const count = operationCount + transfers.transfers.length
  const offsetOf = new Map(roles.servers.map((server, i) => [server, offsetUs[i]]))
  const ahead = (task: string) => offsetOf.get(task) ?? 0
  return shared.complete.map((table, step) => {
    let originUs = Infinity
    let lastUs = -Infinity
    for (const [task, firstUs] of table.firstUs) originUs = Math.min(originUs, firstUs - ahead(task))
    for (const [task, endUs] of table.lastUs) lastUs = Math.max(lastUs, endUs - ahead(task))
    const times: StepTimes = {
      trace: table.trace,
      scheduledUs: new Float64Array(count),
      startUs: new Float64Array(count),
      endUs: new Float64Array(count),
      durationUs: new Float64Array(count),
      bytes: new Float64Array(count),
      imputed: [],
      spanUs: lastUs - originUs,
      firstUs: new Map([...table.firstUs].map(([task, firstUs]) => [task, firstUs - ahead(task) - originUs]))
    }
    shared.operations.forEach(({ task, name }, i) => {
      const node = table.nodes.get(operationKey(task, name))!
      const base = originUs + ahead(task)
      times.scheduledUs[i] = node.scheduledUs - base
      times.startUs[i] = node.startUs - base
      times.endUs[i] = node.endUs - base
      times.durationUs[i] = node.durationUs
    })
    transfers.transfers.forEach(({ source, destination }, i) => {
      const at = operationCount + i
      const record = transfers.recorded[step][i]
      if (record === undefined) {
        for (const column of [times.scheduledUs, times.startUs, times.endUs, times.bytes]) column[at] = Number.NaN
        return
      }
      const endUs = record.endUs - originUs - ahead(destination)
      let startUs = record.startUs - originUs
      if (ahead(source) !== 0 || ahead(destination) !== 0) {
        // The start is the sender's clock clamped into the receiver's; where these differ it is only known to lie between the end
        // of its producer and its own end.
        let producedUs = 0
        for (const dependency of dependencies[at])
          if (dependency < operationCount) producedUs = Math.max(producedUs, times.endUs[dependency])
        startUs = Math.min(endUs, Math.max(startUs - Math.max(0, ahead(source), ahead(destination)), producedUs))
      }
      times.startUs[at] = Math.max(0, startUs)
      times.scheduledUs[at] = times.startUs[at]
      times.endUs[at] = Math.max(endUs, times.startUs[at])
      times.bytes[at] = record.bytes
    })
    return times
  })
}

/**
 * Fills in transfers whose log entry was lost in a step with the medians of the other steps, ended before the first recorded
 * dependent started. Returns how many.
 */
export function imputeTransfers(steps: readonly StepTimes[], operationCount: number, dependencies: readonly number[][]): number {
  let imputed = 0
  const firstDependentUs = new Map<StepTimes, Float64Array>()
  const count = dependencies.length
  for (let at = operationCount; at < count; at++) {
    if (steps.every(step => !Number.isNaN(step.endUs[at]))) continue
    const startUs = median(steps.map(step => step.startUs[at]))
    const endUs = median(steps.map(step => step.endUs[at]))
    const bytes = Math.round(median(steps.map(step => step.bytes[at])))
    for (const step of steps) {
      if (!Number.isNaN(step.endUs[at])) continue
      let bounds = firstDependentUs.get(step)
      if (bounds === undefined) {
        bounds = earliestDependents(step, dependencies)
        firstDependentUs.set(step, bounds)
      }
      step.endUs[at] = Math.min(endUs, bounds[at], step.spanUs)
      step.startUs[at] = Math.min(startUs, step.endUs[at])
      step.scheduledUs[at] = step.startUs[at]
      step.bytes[at] = bytes
      step.imputed.push(at)
      imputed++
    }
  }
  return imputed
}

function earliestDependents(step: StepTimes, dependencies: readonly number[][]): Float64Array {
  const earliest = new Float64Array(dependencies.length).fill(Infinity)
  dependencies.forEach((list, vertex) => {
    const startUs = step.startUs[vertex]
    if (Number.isNaN(startUs)) return
    for (const dependency of list) earliest[dependency] = Math.min(earliest[dependency], startUs)
  })
  return earliest
}
