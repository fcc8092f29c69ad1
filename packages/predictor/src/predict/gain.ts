import type { Cluster, Core } from '@foretrain/core-wasm'
import { defaults } from '../defaults.ts'
import type { Pacer } from '../simulate/pacer.ts'
import { runReplication } from '../simulate/replicate.ts'
import type { Measured } from './measure.ts'

/**
 * Of the stretches of a run, those over which two clusters are compared. With the same random numbers much of the chance falls out, so half of a
 * run tells enough; that of a few workers is short, and all of it is taken.
 */
const comparedShare = 0.5

/** What another cluster brings over the measured one with the same random numbers: throughput over that of the same steps there, less 1. */
export async function gainOf(
  core: Core,
  { scenario, plan, replications }: Measured,
  cluster: Cluster,
  replication: number,
  pacer: Pacer
): Promise<number> {
  const { edges } = replications[replication]
  const stretches = edges.length - 1
  const few = cluster.workers.length <= defaults.fewWorkers.value
  const compared = few ? stretches : Math.ceil(stretches * comparedShare)
  const [from, to] = [edges[0], edges[compared]]
  const asMeasured = (to.progress - from.progress) / (to.elapsedUs - from.elapsedUs)
  const shorter = { ...plan, measured: to.steps - from.steps, truncate: false }
  const { stepsPerUs } = await runReplication(core, { ...scenario, cluster }, shorter, replication, pacer)
  return stepsPerUs / asMeasured - 1
}
