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
  know({ workers, mode }: Cluster, stepsPerSecond: number): void {
    if (mode?.kind !== 'sync') this.#known.set(kindOf(workers[0]), stepsPerSecond)
  }

  /** Simulates one worker of each kind in the scenario that is not known yet. */
  async of(scenario: Scenario): Promise<number[]> {
    const rates: number[] = []
    for (const worker of scenario.cluster.workers) rates.push(await this.#rate(scenario, worker))
    return rates
  }

  async #rate(scenario: Scenario, worker: Cluster['workers'][number]): Promise<number> {
    const known = this.#known.get(kindOf(worker))
    if (known !== undefined) return known
    const alone = { ...scenario, cluster: { ...scenario.cluster, workers: [worker], mode: undefined } }
    const rate = await quickMean(this.#core, alone, this.#plan, defaults.fewestReplications.value, this.#pacer)
    this.#known.set(kindOf(worker), rate)
    return rate
  }
}

/** The same for workers that do the same when they are alone. */
function kindOf({ computeScale, outBytesPerUs, inBytesPerUs, latencyUs, straggler }: Cluster['workers'][number]): string {
  return JSON.stringify([computeScale, outBytesPerUs, inBytesPerUs, latencyUs, straggler])
}
