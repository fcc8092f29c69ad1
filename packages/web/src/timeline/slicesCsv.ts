import { csvField } from '@foretrain/predictor/text'
import { kindOf, laneOf } from './slices.ts'
import type { TimelineState } from './state.ts'

const head = ['host', 'track', 'kind', 'operation', 'type', 'worker', 'step', 'start_us', 'duration_us', 'bytes', 'waited_us']

/** The slices that are shown, track by track, as comma-separated values; times since the run began. */
export function slicesCsv(state: TimelineState): string {
  const { slices } = state
  const { lanes, hosts, operation, operations, step, steps, startUs, durationUs, bytes, waitedUs } = slices
  const lines = [head.join(',')]
  for (const slice of state.visible()) {
    const { host, name } = lanes[laneOf(slices, slice)]
    const id = operation[slice]
    const named = id < 0 ? ['', ''] : [operations.name[id], operations.type[id]]
    const of = step[slice]
    const numbers = [steps.worker[of], steps.ordinal[of], startUs[slice], durationUs[slice], bytes[slice], waitedUs[slice]]
    lines.push([hosts[host].name, name, kindOf(slices, slice), ...named, ...numbers].map(csvField).join(','))
  }
  return `${lines.join('\n')}\n`
}
