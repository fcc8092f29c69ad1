import { groupIndexOf, groupOf, type Hosts, type WorkerGroup } from '../hosts/hosts.ts'
import type { Question } from '../question.ts'
import type { Point } from '../schema.ts'
import { bandwidthText } from './bandwidth.ts'

/** Mini-batches that each worker computes in a step. */
export function replicasOf(hosts: Hosts | undefined, worker: number): number {
  return groupOf(hosts, worker).replicas ?? 1
}

/** Mean speed of the first workers, as asked for. */
export function computeSpeedOf({ hosts, computeSpeed }: Question, workers: number): number | undefined {
  if (hosts === undefined) return computeSpeed
  const speeds = Array.from({ length: workers }, (_, worker) => (groupOf(hosts, worker).speed ?? 1) * (computeSpeed ?? 1))
  return speeds.reduce((sum, speed) => sum + speed, 0) / workers
}

/** Mean rate of the workers of each group that the cluster has; undefined where it has one group only. */
export function groupsOf(hosts: Hosts | undefined, perWorker: readonly number[]): Point['groups'] {
  if (hosts === undefined) return undefined
  const groups = hosts.workers.map(group => ({ label: labelOf(group), workers: 0, stepsPerSecond: 0 }))
  perWorker.forEach((rate, worker) => {
    const group = groups[groupIndexOf(hosts, worker)]
    group.workers += 1
    group.stepsPerSecond += rate
  })
  const present = groups.filter(({ workers }) => workers > 0)
  if (present.length < 2) return undefined
  return present.map(({ stepsPerSecond, ...group }) => ({ ...group, stepsPerSecond: stepsPerSecond / group.workers }))
}

function labelOf({ speed, bandwidthBitsPerSecond, uplinkBitsPerSecond, latencyUs, replicas, straggler }: WorkerGroup): string {
  const parts = [
    speed === undefined ? '' : `speed ${speed}`,
    bandwidthBitsPerSecond === undefined ? '' : bandwidthText(bandwidthBitsPerSecond),
    uplinkBitsPerSecond === undefined ? '' : `${bandwidthText(uplinkBitsPerSecond)} uplink`,
    latencyUs === undefined ? '' : `${latencyUs / 1000} ms`,
    replicas === undefined ? '' : `${replicas} replicas`,
    straggler === undefined ? '' : `${straggler.factor} times as long in ${straggler.probability} of the steps`
  ]
  return parts.filter(part => part !== '').join(', ') || 'as traced'
}
