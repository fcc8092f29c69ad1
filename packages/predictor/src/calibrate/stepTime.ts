import type { Core } from '@foretrain/core-wasm'
import type { Profile } from '@foretrain/trace-parser'
import type { CompiledJob } from '../compile/compile.ts'
import { jobOnPath } from '../compile/firstTurns.ts'
import { defaults } from '../defaults.ts'
import { QuestionError, type TransportName } from '../question.ts'
import type { Calibration } from './calibrate.ts'
import { playInOrder, tracedCluster } from './oneWorker.ts'

const bisections = 30

/**
 * The factor on compute with which one worker on the traced path takes `stepTimeUs` from step to step. The step time grows with the
 * factor, so it is found by bisection; recorded gaps are part of compute and scale with it.
 *
 * @throws QuestionError when transfers alone take longer
 */
export function scaleToStepTime(
  core: Core,
  profile: Profile,
  compiled: CompiledJob,
  { path }: Calibration,
  transport: TransportName,
  stepTimeUs: number
): number {
  const job = jobOnPath(compiled, path)
  const cluster = tracedCluster(profile, transport, path)
  const cycleUs = (computeScale: number) => {
    const scaled = { ...cluster, workers: cluster.workers.map(worker => ({ ...worker, computeScale })) }
    const { spanUs } = playInOrder(core, job, scaled, false)
    return spanUs.reduce((sum, span) => sum + span, 0) / spanUs.length + defaults.stepOverheadUs.value
  }
  const leastUs = cycleUs(0)
  if (stepTimeUs <= leastUs) {
    const least = `${(leastUs / 1000).toFixed(1)} ms`
    throw new QuestionError(
      `step time is ${stepTimeUs / 1000} ms, but its transfers and fixed parts alone take ${least}: use more than that`
    )
  }
  let low = 0
  let high = 1
  while (cycleUs(high) < stepTimeUs) {
    low = high
    high *= 2
    if (high > 2 ** 20)
      throw new QuestionError(
        `step time is ${stepTimeUs / 1000} ms, but the compute of the trace, stretched a million times, does not fill it: use less, or leave it out`
      )
  }
  for (let i = 0; i < bisections; i++) {
    const middle = (low + high) / 2
    if (cycleUs(middle) < stepTimeUs) low = middle
    else high = middle
  }
  return (low + high) / 2
}
