import { type PathTimes, type WalkContext, walkCriticalPath } from '../criticalPath.ts'
import type { Point } from '../schema.ts'
import type { Replication } from '../simulate/replicate.ts'

/**
 * Where a mean step goes along its critical path: the shares found in the last steps of worker 0 in one replication, scaled to the mean
 * of all steps. "latency" holds the time from a step's start to the recorded release of its first operation on the path (the request on
 * its way and the server's read), "compute" the recorded gaps,
 * "barrier" the wait for other workers.
 */
export function breakdownOf(
  context: WalkContext,
  { lastSteps }: Replication,
  meanCycleUs: number,
  overheadUs: number
): Point['breakdownMs'] {
  const times: PathTimes = { compute: 0, wire: 0, queue: 0, latency: 0, parse: 0, serverCpu: 0, release: 0, gap: 0 }
  let totalUs = 0
  let barrierUs = 0
  for (const { log, template, startUs, waitedUs } of lastSteps) {
    const walked = walkCriticalPath(context, log, template, startUs)
    for (const where of Object.keys(times) as Array<keyof PathTimes>) {
      times[where] += walked[where]
      totalUs += walked[where]
    }
    barrierUs += waitedUs
    totalUs += waitedUs
  }
  const toMs = totalUs > 0 ? (meanCycleUs - overheadUs) / totalUs / 1000 : 0
  return {
    compute: (times.compute + times.gap) * toMs,
    wire: times.wire * toMs,
    queue: times.queue * toMs,
    latency: (times.latency + times.release) * toMs,
    parse: times.parse * toMs,
    serverCpu: times.serverCpu * toMs,
    barrier: barrierUs * toMs,
    overhead: overheadUs / 1000
  }
}
