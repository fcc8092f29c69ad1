import type { Cluster, Statistics } from '@foretrain/core-wasm'
import type { Demands } from '../demands.ts'

/**
 * Work done in steps, from the counters of a simulation: the mean of bytes pulled, bytes pushed, compute and updates, each over what one step
 * asks of it, weighted by the time that it takes when nothing else is in the way. Every weighting counts each step as 1 in the long run; this
 * one counts a step that is under way by about the share of its work that is done. With many workers that matters: they move in convoys, and
 * the steps under way at the two edges of a window are then far more or far fewer than half done, all at once.
 *
 * @returns undefined when a step asks for nothing that is counted
 */
export function progressOf(cluster: Cluster, demands: Demands): ((statistics: Statistics) => number) | undefined {
  const pullBytes = total(demands.pullBytes)
  const pushBytes = total(demands.pushBytes)
  const updateUs = total(demands.updateUs)
  const { outBytesPerUs, inBytesPerUs } = cluster.servers[0]
  const weights = { pull: pullBytes / outBytesPerUs, push: pushBytes / inBytesPerUs, compute: demands.computeUs, update: updateUs }
  const weight = weights.pull + weights.push + weights.compute + weights.update
  if (!(weight > 0)) return undefined
  return statistics => {
    let work = 0
    if (pullBytes > 0) work += (total(statistics.pullBytes) / pullBytes) * weights.pull
    if (pushBytes > 0) work += (total(statistics.pushBytes) / pushBytes) * weights.push
    // What one update or compute operation costs is scaled by its host; divided out, each counts as one.
    statistics.computeBusyUs.forEach((busyUs, worker) => {
      const { computeScale, straggler } = cluster.workers[worker]
      const scale = computeScale * (straggler ? 1 + straggler.probability * (straggler.factor - 1) : 1)
      if (demands.computeUs > 0 && scale > 0) work += (busyUs / scale / demands.computeUs) * weights.compute
    })
    statistics.updateBusyUs.forEach((busyUs, server) => {
      const scale = cluster.servers[server].updateScale
      if (updateUs > 0 && scale > 0) work += (busyUs / scale / updateUs) * weights.update
    })
    return work / weight
  }
}

function total(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0)
}
