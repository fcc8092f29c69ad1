import type fc from 'fast-check'
import type { Cluster, Job } from '../../src/job.ts'
import { job, type OperationSpec } from './job.ts'
import { type ClusterLimits, clusters, type JobLimits, specs } from './scenario.ts'

export interface Drained {
  specs: readonly OperationSpec[]
  job: Job
  cluster: Cluster
}

const NEVER_US = 1e15

const first = (value: OperationSpec['amount'] | undefined) => (typeof value === 'object' ? value[0] : (value ?? 0))

/** A job whose second step begins so late that after one step of every worker nothing is under way. */
export function drained(list: readonly OperationSpec[]): { specs: OperationSpec[]; job: Job } {
  const single = list.map(spec => ({ ...spec, amount: first(spec.amount), releaseUs: first(spec.releaseUs) }))
  const specs = single.map(({ firstTurnBytes, ...spec }) =>
    firstTurnBytes === undefined ? spec : { ...spec, firstTurnBytes: first(firstTurnBytes) }
  )
  const twice = specs.map(spec => ({ ...spec, amount: [spec.amount, spec.amount], releaseUs: [spec.releaseUs, NEVER_US] }))
  return { specs, job: job(twice) }
}

export function drainedScenarios(limits: ClusterLimits & JobLimits = {}): fc.Arbitrary<Drained> {
  return clusters(limits).chain(hosts => specs(hosts.servers.length, limits).map(list => ({ ...drained(list), cluster: hosts })))
}
