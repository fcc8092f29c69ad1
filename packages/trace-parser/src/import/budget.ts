import { type RawStep, TraceError } from '../rawStep.ts'
import { short } from '../text.ts'

/** How many records and nodes may still be read. Shared by the files of a run. */
export interface Budget {
  records: number
}

/** @throws TraceError when nothing is left */
export function spend(name: string, budget: Budget): void {
  if (--budget.records < 0) {
    throw new TraceError(`${short(name)}: more records than the limit allows; give fewer steps, 20 are enough`)
  }
}

/** @throws TraceError when no device of the step recorded anything */
export function refuseEmptyStep({ trace, devices }: RawStep, hasStepStats: boolean): void {
  if (hasStepStats && devices.some(({ records }) => records.length > 0)) return
  throw new TraceError(
    `${short(trace)}: RunMetadata with no step_stats${hasStepStats ? ' records' : ''}; run the step with RunOptions(trace_level=RunOptions.FULL_TRACE)`
  )
}
