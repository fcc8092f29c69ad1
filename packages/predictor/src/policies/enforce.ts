import { type Job, OperationKind } from '@foretrain/core-wasm'
import type { Profile } from '@foretrain/trace-parser'
import type { CompiledJob } from '../compile/compile.ts'
import { QuestionError } from '../question.ts'
import type { Policy, Ranks, StepGraph } from './policy.ts'

/**
 * The compiled job with its pulls handed over in the order of a policy: all at the earliest recorded start of the step's pulls, in ascending
 * rank, equal ranks in recorded order. As TicTac's patch of TensorFlow does, this orders the hand-over and not the completion: a tensor larger
 * than the window still takes its further turns behind what was handed over after it. A pull that waits for another operation is handed over
 * when it is ready. Pushes are as recorded.
 *
 * @param compiled with `releasePullsTogether`
 * @throws QuestionError when the policy does not give a finite rank to every transfer
 */
export function enforce(compiled: CompiledJob, profile: Profile, graph: StepGraph, policy: Policy, first: Ranks): CompiledJob {
  const { job, operationOf } = compiled
  const perTemplate = Math.ceil((policy.orders ?? 1) / job.templates)
  const ranks = Array.from({ length: policy.orders === undefined ? 1 : perTemplate * job.templates }, (_, order) =>
    checked(policy.name, graph, order === 0 ? first : policy.rank(graph, order))
  )
  const repeated = repeatTemplates(job, perTemplate)
  const roots = job.releaseOperation.length / job.templates
  const position = new Map(graph.pulls.map((id, index) => [id, index]))
  // Pulls that were merged go where the last of them goes: whoever waits for one waits for all.
  const pullsOf = operationOf.map(recorded => recorded.flatMap(id => position.get(id) ?? []))
  const stepOf = Array.from({ length: repeated.templates }, (_, template) => Math.floor(template / perTemplate))
  stepOf.forEach((step, template) => {
    const from = template * roots
    const rankOf = ranks[policy.orders === undefined ? 0 : template].pulls
    const rank = pullsOf.map(pulls => largest(pulls.map(pull => rankOf[pull])))
    const startUs = pullsOf.map(pulls => largest(pulls.map(pull => profile.steps[step].startUs[graph.pulls[pull]])))
    const rows = Array.from({ length: roots }, (_, i) => ({
      operation: repeated.releaseOperation[from + i],
      us: repeated.releaseUs[from + i],
      place: i
    }))
    // Of what is due at one time the pulls come last, so that their order does not depend on what else there is.
    rows.sort((a, b) => {
      const [isPullA, isPullB] = [pullsOf[a.operation].length > 0, pullsOf[b.operation].length > 0]
      if (a.us !== b.us || !isPullA || !isPullB) return a.us - b.us || Number(isPullA) - Number(isPullB) || a.place - b.place
      return rank[a.operation] - rank[b.operation] || startUs[a.operation] - startUs[b.operation] || a.place - b.place
    })
    rows.forEach(({ operation }, i) => {
      repeated.releaseOperation[from + i] = operation
    })
  })
  return { ...compiled, job: repeated, stepOf }
}

function largest(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)
}

function checked(name: string, { pulls, pushes }: StepGraph, ranks: Ranks | undefined): Ranks {
  const fail = (what: string): never => {
    throw new QuestionError(`policy ${name} ${what}: give every transfer a finite rank, and ranks for every order or for none`)
  }
  if (ranks === undefined) return fail('gives no ranks for one of its orders')
  const check = (direction: string, given: ArrayLike<number>, ids: readonly number[]) => {
    if (given.length !== ids.length) fail(`ranks ${given.length} of ${ids.length} ${direction}`)
    for (let i = 0; i < ids.length; i++) if (!Number.isFinite(given[i])) fail(`gives rank ${given[i]} to one of the ${direction}`)
  }
  check('pulls', ranks.pulls, pulls)
  if (ranks.pushes) check('pushes', ranks.pushes, pushes)
  return ranks
}

/** Every template `times` times in a row: a uniform draw among all of them draws the same recorded step as one among those that there were. */
function repeatTemplates(job: Job, times: number): Job {
  const roots = job.releaseOperation.length / job.templates
  const repeat = (from: Float64Array, to: Float64Array, length: number) => {
    for (let template = 0; template < job.templates * times; template++) {
      const step = Math.floor(template / times)
      to.set(from.subarray(step * length, (step + 1) * length), template * length)
    }
    return to
  }
  const operations = repeat(Float64Array.from(job.releaseOperation), new Float64Array(job.releaseOperation.length * times), roots)
  return {
    ...job,
    templates: job.templates * times,
    amount: repeat(job.amount, new Float64Array(job.amount.length * times), job.operations),
    releaseOperation: Uint32Array.from(operations),
    releaseUs: repeat(job.releaseUs, new Float64Array(job.releaseUs.length * times), roots)
  }
}

/**
 * First turns of streams under another order than the recorded one. What a recorded step shows of a stream also tells what was under way
 * before it, and that is no longer so. Pulls are cut at the window that fits the pulls of the trace best; where windows outgrew them
 * (`grownWindows`) they are not cut. Pushes go as they were recorded to.
 */
export function turnsInOtherOrder(job: Job, windowBytes: number): Job {
  if (job.firstTurnBytes === undefined) return job
  const firstTurnBytes = job.firstTurnBytes.slice()
  const isPull = (at: number) => job.kind[at % job.operations] === OperationKind.pull
  const cut = firstTurnBytes.some((bytes, at) => isPull(at) && bytes < Number.POSITIVE_INFINITY)
  const turn = cut ? windowBytes : Number.POSITIVE_INFINITY
  for (let at = 0; at < firstTurnBytes.length; at++) if (isPull(at)) firstTurnBytes[at] = turn
  return { ...job, firstTurnBytes }
}
