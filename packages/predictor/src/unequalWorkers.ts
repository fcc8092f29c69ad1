import type { Cluster, Core } from '@foretrain/core-wasm'
import { onlyWorker } from './colocation.ts'
import { defaults } from './defaults.ts'
import { quickMean } from './predict/measure.ts'
import type { Question } from './question.ts'
import type { Pacer } from './simulate/pacer.ts'
import type { Plan, Scenario } from './simulate/replicate.ts'

/**
 * Factor on the recorded compute of each worker. The traces hold what the traced worker's own factor did, so it is divided out: recorded by a
 * worker that is three times as slow, an unslowed one takes a third.
 */
export function recordedCompute({
  computeSlowdown = {},
  tracedWorker = 0
}: Pick<Question, 'computeSlowdown' | 'tracedWorker'>): (worker: number) => number {
  const traced = computeSlowdown[tracedWorker] ?? 1
  return worker => (computeSlowdown[worker] ?? 1) / traced
}

/** Throughput of each worker of a cluster when it has the cluster to itself, steps per second. */
export class AloneRates {
  readonly #known = new Map<string, number>()
  readonly #core: Core
  readonly #plan: Plan
  readonly #pacer: Pacer

  constructor(core: Core, plan: Plan, pacer: Pacer) {
    this.#core = core
    this.#plan = plan
    this.#pacer = pacer
  }

  /** A worker whose rate has been measured already. */
  know(cluster: Cluster, stepsPerSecond: number): void {
    this.#known.set(kindOf(cluster, 0), stepsPerSecond)
  }

  /** Of each worker. Simulates one of each kind in the scenario that is not known yet. */
  async all(scenario: Scenario): Promise<number[]> {
    const rates: number[] = []
    for (const worker of scenario.cluster.workers.keys()) rates.push(await this.#rate(scenario, worker))
    return rates
  }

  async #rate(scenario: Scenario, worker: number): Promise<number> {
    const { cluster } = scenario
    const kind = kindOf(cluster, worker)
    const known = this.#known.get(kind)
    if (known !== undefined) return known
    const alone = cluster.colocate
      ? onlyWorker(scenario, worker)
      : { ...scenario, cluster: { ...cluster, workers: [cluster.workers[worker]] } }
    const rate = await quickMean(this.#core, alone, this.#plan, defaults.fewestReplications.value, this.#pacer)
    this.#known.set(kind, rate)
    return rate
  }
}

/** Alike are workers that compute equally fast and have the same server on their host, or none. */
function kindOf({ colocate, workers, servers }: Cluster, worker: number): string {
  const server = colocate && worker < servers.length ? ` with server ${worker}` : ''
  return `${workers[worker].computeScale}${server}`
}
