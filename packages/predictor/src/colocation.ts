import type { Cluster, Job } from '@foretrain/core-wasm'
import { fail } from './checks.ts'
import { defaults } from './defaults.ts'
import type { Demands } from './demands.ts'
import { numbersOfServers } from './placement/place.ts'
import type { Question } from './question.ts'

/** Whether servers are on workers' hosts: as the question says itself, else as its hosts do. The only place that knows. */
export function isColocated({ colocate, hosts }: Pick<Question, 'colocate' | 'hosts'>): boolean {
  return colocate ?? hosts?.colocate ?? false
}

/**
 * Server j is on the host of worker j (docs/semantics.md), so there must be as many workers.
 *
 * @throws QuestionError
 */
export function checkColocation(question: Question): void {
  if (!isColocated(question)) return
  const servers = Math.max(...numbersOfServers(question))
  const fewest = Math.min(...question.workers)
  if (fewest < servers)
    fail(
      'number of workers',
      `is ${fewest}`,
      `at least ${servers}, since colocate puts each of ${servers} servers on a worker's host`
    )
}

export function colocated(cluster: Cluster): Cluster {
  return { ...cluster, colocate: true, loopbackBytesPerUs: defaults.loopbackBytesPerUs.value }
}

/** What a step of each worker asks of the links out of a server's host and into it, bytes; `own` is the worker on it, if there is one. */
export interface HostDemand {
  others: number
  own: number
}

/** [M] of each direction. Between the worker and the server of one host nothing crosses a link. */
export function hostDemands({
  pullBytes,
  pushBytes
}: Pick<Demands, 'pullBytes' | 'pushBytes'>): Record<'out' | 'in', HostDemand[]> {
  const beside = (bytes: Float64Array, host: number) =>
    bytes.reduce((sum, value, server) => (server === host ? sum : sum + value), 0)
  return {
    out: Array.from(pullBytes, (others, host) => ({ others, own: beside(pushBytes, host) })),
    in: Array.from(pushBytes, (others, host) => ({ others, own: beside(pullBytes, host) }))
  }
}

/**
 * The demands with what a step asks of hosts' links in place of what it asks of servers': the pulls by the links out, the pushes by the links in, each the
 * mean over the workers. For models that know of equal workers only.
 */
export function meanHostDemands(demands: Demands, workers: number): Demands {
  const { out, in: into } = hostDemands(demands)
  const mean = (list: HostDemand[]) =>
    Float64Array.from(list, ({ others, own }, host) => (host < workers ? ((workers - 1) * others + own) / workers : others))
  return { ...demands, pullBytes: mean(out), pushBytes: mean(into) }
}

/**
 * Throughput that one host's link allows, steps per µs: as many steps as fit, of those workers first that need least of it, each at most as
 * fast as it is alone. The worker on the host may need none.
 *
 * @param aloneStepsPerUs [W]
 */
export function mostSteps(
  capacityPerUs: number,
  host: number,
  { others, own }: HostDemand,
  aloneStepsPerUs: readonly number[]
): number {
  let left = capacityPerUs
  let steps = 0
  const byNeed = aloneStepsPerUs
    .map((rate, worker) => ({ rate, bytes: worker === host ? own : others }))
    .sort((a, b) => a.bytes - b.bytes)
  for (const { rate, bytes } of byNeed) {
    const fitting = bytes > 0 ? Math.min(rate, left / bytes) : rate
    steps += fitting
    left -= fitting * bytes
  }
  return steps
}

/**
 * A colocated scenario with a single one of its workers: servers stay on their hosts. The worker becomes the first, so the server on its host
 * becomes the first as well.
 */
export function onlyWorker<Scenario extends { job: Job; cluster: Cluster; demands: Demands }>(
  scenario: Scenario,
  worker: number
): Scenario {
  const { job, cluster, demands } = scenario
  const workers = [cluster.workers[worker]]
  if (worker >= cluster.servers.length) return { ...scenario, cluster: { ...cluster, workers, colocate: false } }
  const number = (server: number) => (server === 0 ? worker : server === worker ? 0 : server)
  const swapped = (values: Float64Array) => values.map((_, server) => values[number(server)])
  return {
    ...scenario,
    job: { ...job, server: job.server.map(number) },
    cluster: { ...cluster, workers, servers: cluster.servers.map((_, server) => cluster.servers[number(server)]) },
    demands: {
      ...demands,
      pullBytes: swapped(demands.pullBytes),
      pushBytes: swapped(demands.pushBytes),
      updateUs: swapped(demands.updateUs),
      messageUs: swapped(demands.messageUs)
    }
  }
}
