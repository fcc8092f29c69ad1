import type { Job, Priority } from '@foretrain/core-wasm'
import type { CompiledJob } from '../compile/compile.ts'
import { compiledTogether } from '../compile/compiledTogether.ts'
import { jobOnPath } from '../compile/firstTurns.ts'
import { defaults } from '../defaults.ts'
import type { Question } from '../question.ts'
import type { Warning } from '../schema.ts'
import type { Path } from '../transport.ts'
import { enforce, turnsInOtherOrder } from './enforce.ts'
import type { OrderPolicy } from './orderFile.ts'
import type { Policy, StepGraph } from './policy.ts'
import { policyOf } from './policyOf.ts'
import { checkChunks, chunkedTransfers, priorityOfOperations, pushesByRank } from './priority.ts'
import { stepGraphOf } from './stepGraph.ts'

/** The steps of a profile as a policy has them sent. */
export interface OrderedSteps {
  ordered: CompiledJob
  /** `ordered` on the path. */
  job: Job
  /** What the connections do for ranks that are more than an order of hand-over. */
  priority?: Priority
  /** What a reader of a figure must know of the policy. */
  policyWarnings: Warning[]
}

/** What orders are put on. */
interface Recorded {
  /** In recorded order. */
  compiled: CompiledJob
  path: Path
  /** As they were given to `compile`. */
  pullReleaseShiftUs: number
  contract?: boolean
}

export const notMeasuredCode = 'policy-not-measured'

/** Orders of the steps of one profile on one path. What they share is made once. */
export class StepOrders {
  readonly #question: Question
  readonly #recorded: Recorded
  readonly #parseFixedUs: number
  #graph: StepGraph | undefined

  constructor(question: Question, recorded: Recorded) {
    this.#question = question
    this.#recorded = recorded
    this.#parseFixedUs = question.transport === 'simple' ? 0 : defaults.parseFixedUs.value
  }

  /** @throws QuestionError when the policy and the profile do not go together */
  of(asked: Pick<Question, 'policy' | 'priority'>): OrderedSteps {
    const { profile } = this.#question
    const question = { ...this.#question, ...asked, profile }
    const policy = policyOf(question)
    const { compiled, path } = this.#recorded
    if (policy.name === 'recorded') return { ordered: compiled, job: jobOnPath(compiled, path), policyWarnings: [] }
    const graph = this.#stepGraph()
    const ranks = policy.rank(graph, 0)
    const policyWarnings = [notMeasured([policy.name]), ...openEnds(policy, graph)]
    if (ranks === undefined) return { ordered: compiled, job: jobOnPath(compiled, path), policyWarnings }
    const priority = ranks.pushes && this.#priority(question, policy)
    // A merged transfer is one chunk, which takes as long to hand over as theirs do.
    const together = compiledTogether(profile, {
      ...this.#recorded,
      mostBytes: priority?.partitionBytes ?? Number.POSITIVE_INFINITY
    })
    const ordered = enforce(together, profile, graph, policy, ranks)
    const job = turnsInOtherOrder(jobOnPath(ordered, path, ordered.stepOf), path.windowBytes)
    if (priority === undefined) return { ordered, job, policyWarnings }
    if (policy.name === 'priority') checkChunks(job, question.priority ?? {})
    const ranked = { ...job, priority: priorityOfOperations(graph, ranks, ordered.operationOf) }
    return { ordered, job: ranked, priority, policyWarnings }
  }

  #priority({ priority }: Question, policy: Policy): Priority {
    return policy.name === 'priority' ? chunkedTransfers(priority ?? {}, this.#parseFixedUs) : pushesByRank
  }

  #stepGraph(): StepGraph {
    this.#graph ??= stepGraphOf(this.#question.profile, { ...this.#recorded.path, parseFixedUs: this.#parseFixedUs })
    return this.#graph
  }
}

/** @param policies names; not recorded, which the measured clusters hold against reality */
export function notMeasured(policies: readonly string[]): Warning {
  const subject = policies.length === 1 ? `policy ${policies[0]} is` : `policies ${policies.join(', ')} are`
  const message = `${subject} simulated as defined: no measured cluster has held that against reality, and the band does not know of it`
  return { code: notMeasuredCode, message }
}

function openEnds(policy: Policy, graph: StepGraph): Warning[] {
  if (!isOrderFile(policy)) return []
  const warnings: Warning[] = []
  const pulls = policy.unrankedPulls(graph)
  if (pulls > 0) {
    const message = `${pulls} of ${graph.pulls.length} pulls have no rank: they come last, in recorded order`
    warnings.push({ code: 'order-incomplete', message, count: pulls, where: policy.name })
  }
  return warnings
}

function isOrderFile(policy: Policy): policy is OrderPolicy {
  return 'unrankedPulls' in policy
}
