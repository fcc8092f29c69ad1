import { type Core, loadCore } from '@foretrain/core-wasm'
import type { PolicyName } from '../policies/names.ts'
import type { Policy } from '../policies/policy.ts'
import { nameOfPolicy } from '../policies/policyOf.ts'
import type { PrioritySettings } from '../policies/priority.ts'
import { notMeasured, notMeasuredCode, type OrderedSteps } from '../policies/stepOrders.ts'
import type { Sensitivities } from '../predict/band.ts'
import { elasticitiesOf } from '../predict/elasticity.ts'
import { measure } from '../predict/measure.ts'
import { profileWarnings, questionWarnings } from '../predict/warnings.ts'
import type { Question } from '../question.ts'
import type { Warning } from '../schema.ts'
import { clusterOf, roughCycleUs, type SetUp, setUp } from '../setUp.ts'
import { Pacer } from '../simulate/pacer.ts'
import { planFor, runReplication, type Scenario } from '../simulate/replicate.ts'

/** What a comparison asks: one cluster, several policies. */
export interface CompareQuestion extends Omit<Question, 'policy'> {
  policies: ReadonlyArray<PolicyName | Policy>
  /** Looks for the partition and credit with which "priority" is fastest before it compares. Default false. */
  tune?: boolean
}

/** One run. */
export interface PolicyRun {
  /** Index into `CompareQuestion.policies`. */
  policy: number
  replication: number
  /** Instead of those of the question. */
  priority?: PrioritySettings
}

/** What all runs of a comparison have in common. */
export interface ComparisonFacts {
  servers: number
  /** Bytes. */
  largestTransfer: number
  templates: { count: number; computeStandardError: number }
  /** For each policy the first one that sends every step in the same order. */
  sameOrder: number[]
  warnings: Warning[]
}

/** Does the runs of a comparison, in any order and anywhere: what a run gives depends on the question and the run alone. */
export interface Runner {
  facts(): Promise<ComparisonFacts>
  /** Steps per second of each run. */
  rates(runs: readonly PolicyRun[]): Promise<number[]>
  /** Of the reference, for the band. */
  sensitivities(reference: number): Promise<Sensitivities>
}

/** Replications from which elasticities start, as many as they compare. */
const replicationsForBand = 4

/** Runs them in this thread. */
export class PolicyRuns implements Runner {
  readonly #core: Core
  readonly #question: CompareQuestion
  readonly #set: SetUp
  readonly #pacer: Pacer
  readonly #orders: OrderedSteps[]
  /** By settings: a job that several runs share is laid into memory once. */
  readonly #tried = new Map<string, OrderedSteps>()

  private constructor(core: Core, question: CompareQuestion, set: SetUp, pacer: Pacer) {
    this.#core = core
    this.#question = question
    this.#set = set
    this.#pacer = pacer
    this.#orders = question.policies.map(policy => set.orders.of({ policy }))
  }

  /** @throws QuestionError when a policy and the profile do not go together */
  static async open(question: CompareQuestion, signal?: AbortSignal): Promise<PolicyRuns> {
    const core = await loadCore()
    return new PolicyRuns(core, question, setUp(core, question, undefined, question.servers?.[0]), new Pacer(signal))
  }

  async facts(): Promise<ComparisonFacts> {
    const question = this.#question
    const { profile } = question
    return {
      servers: this.#set.servers,
      largestTransfer: this.#set.calibration.largestTensorBytes,
      templates: { count: profile.steps.length, computeStandardError: this.#set.demands.computeStandardError },
      sameOrder: this.#orders.map(order => this.#orders.findIndex(other => isSameOrder(order, other))),
      warnings: [...profileWarnings(profile, this.#set.replay), ...questionWarnings(question, this.#set), ...this.#policyWarnings()]
    }
  }

  /** One for all policies that were not measured, then those of each. */
  #policyWarnings(): Warning[] {
    const names = this.#question.policies.map(policy => nameOfPolicy({ policy }))
    const isNotMeasured = ({ code }: Warning) => code === notMeasuredCode
    const unmeasured = names.filter((_, i) => this.#orders[i].policyWarnings.some(isNotMeasured))
    const others = this.#orders.flatMap(({ policyWarnings }) => policyWarnings.filter(warning => !isNotMeasured(warning)))
    return unmeasured.length > 0 ? [notMeasured(unmeasured), ...others] : others
  }

  async rates(runs: readonly PolicyRun[]): Promise<number[]> {
    const rates: number[] = []
    for (const run of runs) {
      const scenario = this.#scenario(run)
      const plan = planFor(scenario.cluster, this.#question.fixed?.steps)
      const { stepsPerUs } = await runReplication(this.#core, scenario, plan, run.replication, this.#pacer)
      rates.push(stepsPerUs * 1e6)
    }
    return rates
  }

  async sensitivities(reference: number): Promise<Sensitivities> {
    const scenario = this.#scenario({ policy: reference })
    const question = this.#question
    const fixed = question.fixed && { ...question.fixed, replications: Math.min(question.fixed.replications, replicationsForBand) }
    const measured = await measure(this.#core, { ...question, precision: 1 - Number.EPSILON, fixed }, scenario, this.#pacer)
    const { compute, links } = await elasticitiesOf(this.#core, measured, this.#pacer)
    return { compute, links }
  }

  /** Every policy starts from the same phases, and its workers draw the same recorded steps. */
  #scenario({ policy, priority }: Pick<PolicyRun, 'policy' | 'priority'>): Scenario {
    const order = priority ? this.#prioritised(policy, priority) : this.#orders[policy]
    const [workers] = this.#question.workers
    return {
      job: order.job,
      cluster: clusterOf({ ...this.#set, priority: order.priority }, workers),
      demands: this.#set.demands,
      seed: this.#question.seed ?? 1,
      phaseSpanUs: roughCycleUs(this.#set, workers)
    }
  }

  #prioritised(policy: number, priority: PrioritySettings): OrderedSteps {
    const key = JSON.stringify([policy, priority])
    const order = this.#tried.get(key) ?? this.#set.orders.of({ policy: this.#question.policies[policy], priority })
    this.#tried.set(key, order)
    return order
  }
}

function isSameOrder(a: OrderedSteps, b: OrderedSteps): boolean {
  if (a === b) return true
  if (a.priority || b.priority || a.job.templates !== b.job.templates || a.job.operations !== b.job.operations) return false
  const { releaseOperation, releaseUs } = b.job
  return (
    a.job.releaseOperation.every((operation, i) => operation === releaseOperation[i]) &&
    a.job.releaseUs.every((us, i) => us === releaseUs[i])
  )
}
