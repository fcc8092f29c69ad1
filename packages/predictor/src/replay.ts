import type { Core } from '@foretrain/core-wasm'
import type { Profile } from '@foretrain/trace-parser'
import type { Calibration } from './calibrate/calibrate.ts'
import { playInOrder, tracedCluster } from './calibrate/oneWorker.ts'
import type { CompiledJob } from './compile/compile.ts'
import { jobOnPath } from './compile/firstTurns.ts'
import { walkContext, walkCriticalPath } from './criticalPath.ts'
import type { TransportName } from './question.ts'
import type { Replay } from './schema.ts'

/**
 * Plays each template once with one worker on the calibrated path and compares spans with the recorded ones, without step overhead.
 * `pinnedShare` counts the recorded release of the operation with which the critical path begins, and recorded gaps on it.
 */
export function replay(
  core: Core,
  profile: Profile,
  compiled: CompiledJob,
  calibration: Calibration,
  transport: TransportName
): Replay {
  const job = jobOnPath(compiled, calibration.path)
  const run = playInOrder(core, job, tracedCluster(profile, transport, calibration.path), true)
  const context = walkContext(profile, compiled, calibration.path)
  let recordedUs = 0
  let simulatedUs = 0
  let pinnedUs = 0
  let errors = 0
  let worst = 0
  profile.steps.forEach((step, template) => {
    const error = Math.abs(run.spanUs[template] - step.spanUs) / step.spanUs
    const times = walkCriticalPath(context, run.log[template], template, 0)
    recordedUs += step.spanUs
    simulatedUs += run.spanUs[template]
    pinnedUs += times.release + times.gap
    errors += error
    worst = Math.max(worst, error)
  })
  const steps = profile.steps.length
  return {
    recordedMs: recordedUs / steps / 1000,
    simulatedMs: simulatedUs / steps / 1000,
    meanAbsError: errors / steps,
    worst,
    pinnedShare: simulatedUs > 0 ? pinnedUs / simulatedUs : 0
  }
}
