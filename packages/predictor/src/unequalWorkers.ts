import type { Cluster, Core } from '@foretrain/core-wasm'
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

/** Throughput of each worker of a cluster when it has the cluster to itself, steps per second summed over all. */
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
    this.#known.set(kindOf(cluster.workers[0]), stepsPerSecond)
  }

  /** Simulates one worker of each kind in the scenario that is not known yet. */
  async sum(scenario: Scenario): Promise<number> {
    let sum = 0
    for (const worker of scenario.cluster.workers) sum += await this.#rate(scenario, worker)
    return sum
  }

  async #rate(scenario: Scenario, worker: Cluster['workers'][number]): Promise<number> {
    const known = this.#known.get(kindOf(worker))
    if (known !== undefined) return known
    const alone = { ...scenario, cluster: { ...scenario.cluster, workers: [worker] } }
    const rate = await quickMean(this.#core, alone, this.#plan, defaults.fewestReplications.value, this.#pacer)
    this.#known.set(kindOf(worker), rate)
    return rate
  }
}

/** The same for workers that do the same when they are alone. */
function kindOf({ computeScale, outBytesPerUs, inBytesPerUs, latencyUs }: Cluster['workers'][number]): string {
  return `${computeScale} ${outBytesPerUs} ${inBytesPerUs} ${latencyUs}`
}
