import type { Core } from '@foretrain/core-wasm'
import { defaults } from '../defaults.ts'
import type { Question } from '../question.ts'
import type { Pacer } from '../simulate/pacer.ts'
import { type Plan, planFor, type Replication, runReplication, type Scenario } from '../simulate/replicate.ts'
import { meanInterval } from '../statistics/studentT.ts'

/** Steps of worker 0 whose critical path is walked: enough for a mean, few enough to cost nothing. */
const mostWalkedSteps = 12

/** Replications of one scenario and what they agree on. */
export interface Measured {
  scenario: Scenario
  plan: Plan
  /** In the order of their numbers; only the first has last steps. */
  replications: Replication[]
  /** Steps per second. */
  mean: number
  halfWidth: number
}

/** docs/method.md §6: replications until the 95 % interval is narrow enough, or as many as were asked for. */
export async function measure(core: Core, question: Question, scenario: Scenario, pacer: Pacer): Promise<Measured> {
  const workers = scenario.cluster.workers.length
  const plan = planFor(scenario.cluster, question.fixed?.steps)
  const fewest = question.fixed?.replications ?? defaults.fewestReplications.value
  // The phase between a few workers drifts slowly and a run of them is short, so more runs may be needed, and each is cheap.
  const limit = workers <= defaults.fewWorkers.value ? defaults.mostReplicationsOfFew : defaults.mostReplications
  const most = question.fixed?.replications ?? limit.value
  const precision = question.precision ?? defaults.precision.value
  const replications: Replication[] = []
  for (;;) {
    replications.push(
      await runReplication(core, scenario, plan, replications.length, pacer, replications.length === 0 ? mostWalkedSteps : 0)
    )
    if (replications.length < fewest) continue
    const { mean, halfWidth } =
      replications.length > 1 ? meanInterval(replications.map(stepsPerSecond)) : aloneInterval(replications[0])
    const precise = question.fixed !== undefined || halfWidth <= precision * mean
    if (precise || replications.length >= most) return { scenario, plan, replications, mean, halfWidth }
  }
}

/** One replication has no others to differ from: its stretches are taken as independent. Never wider than the mean itself. */
function aloneInterval(run: Replication): { mean: number; halfWidth: number } {
  const mean = stepsPerSecond(run)
  const { halfWidth } = meanInterval(run.batchStepsPerUs.map(rate => rate * 1e6))
  return { mean, halfWidth: Math.min(halfWidth, mean) }
}

/** Mean throughput of the first `count` replications of a scenario, steps per second. */
export async function quickMean(core: Core, scenario: Scenario, plan: Plan, count: number, pacer: Pacer): Promise<number> {
  let sum = 0
  for (let replication = 0; replication < count; replication++) {
    sum += stepsPerSecond(await runReplication(core, scenario, plan, replication, pacer))
  }
  return sum / count
}

export function stepsPerSecond(run: { stepsPerUs: number }): number {
  return run.stepsPerUs * 1e6
}
