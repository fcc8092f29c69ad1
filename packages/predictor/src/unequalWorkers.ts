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

/** Throughput of each worker of a cluster when it has the cluster to itself and waits for nobody, steps per second. */
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

  /** A worker whose rate has been measured already. A round of one worker is more than its step: it adds up its gradients before it applies them. */
  know(cluster: Cluster, stepsPerSecond: number): void {
    if (cluster.mode?.kind !== 'sync') this.#known.set(kindOf(cluster, 0), stepsPerSecond)
  }

  /** Of each worker. Simulates one of each kind in the scenario that is not known yet. */
  async of(scenario: Scenario): Promise<number[]> {
    const rates: number[] = []
    for (const worker of scenario.cluster.workers.keys()) rates.push(await this.#rate(scenario, worker))
    return rates
  }

  async #rate(scenario: Scenario, worker: number): Promise<number> {
    const cluster: Cluster = { ...scenario.cluster, mode: undefined }
    const kind = kindOf(cluster, worker)
    const known = this.#known.get(kind)
    if (known !== undefined) return known
    const alone = cluster.colocate
      ? onlyWorker({ ...scenario, cluster }, worker)
      : { ...scenario, cluster: { ...cluster, workers: [cluster.workers[worker]] } }
    const rate = await quickMean(this.#core, alone, this.#plan, defaults.fewestReplications.value, this.#pacer)
    this.#known.set(kind, rate)
    return rate
  }
}

/** The same for workers that do the same when they are alone: that are alike and have the same server on their host, or none. */
function kindOf({ colocate, workers, servers }: Cluster, worker: number): string {
  const { computeScale, outBytesPerUs, inBytesPerUs, latencyUs, straggler } = workers[worker]
  const serverAtHome = colocate && worker < servers.length ? worker : undefined
  // With servers at home what a worker can do alone is found in the cluster that it is in: in its last bits it depends on that.
  const size = colocate ? workers.length : undefined
  return JSON.stringify([computeScale, outBytesPerUs, inBytesPerUs, latencyUs, straggler, serverAtHome, size])
}
