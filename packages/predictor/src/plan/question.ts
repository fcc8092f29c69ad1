import type { PredictHooks, Progress, Question } from '../question.ts'
import { QuestionError } from '../question.ts'
import type { Plan, Prediction } from '../schema.ts'

/** The throughput to be met. */
export interface Target {
  value: number
  /** Of the whole cluster. */
  unit: 'examples/s' | 'steps/s'
}

/** The clusters to choose from, but for their workers. `servers`: numbers of servers, where there is a choice. */
export type ClusterQuestion = Omit<Question, 'workers'> & { servers?: number[] }

/** What `plan` is asked. */
export interface PlanQuestion {
  question: ClusterQuestion
  /** Sizes to choose from, each of which is simulated. Default: a search from one worker to `largestSearched`. */
  workers?: number[]
  target: Target
  prices: Plan['prices']
  /** See Plan. Default 0.5: a worker that adds half of what the first one brings makes its examples at twice the price, that of the servers aside. */
  kneeShare?: number
}

/** Workers of the largest cluster that the search without given sizes goes to. */
export const largestSearched = 1024

/** Of all that is known so far: while sizes are searched for, `total` still grows. */
export interface PlanProgress extends Progress {
  searching: boolean
}

/** What a caller may be told while a plan is made, and may do for it. */
export interface PlanHooks {
  onProgress?: (progress: PlanProgress) => void
  signal?: AbortSignal
  /** Answers the questions in place of `predict`; in other threads, for instance. */
  predict?: (question: Question, hooks: PredictHooks) => Promise<Prediction>
}

/** @throws QuestionError at the first field that cannot be used, with what would be right; what predictions need they check themselves */
export function checkPlanQuestion({ workers, target, prices, kneeShare }: PlanQuestion): void {
  if (workers?.length === 0) fail('workers', 'is empty', 'at least one cluster size, or leave it out to have sizes searched for')
  if (!(target.value > 0 && Number.isFinite(target.value))) fail('target', `is ${target.value}`, 'a positive number')
  for (const [host, price] of Object.entries(prices)) {
    if (!(price >= 0 && Number.isFinite(price))) fail(`price of a ${host}`, `is ${price}`, 'a number from 0 on')
  }
  if (prices.worker === 0 && prices.server === 0) fail('price of every host', 'is 0', 'a positive one: all clusters cost the same')
  if (kneeShare !== undefined && !(kneeShare > 0 && kneeShare <= 1)) {
    fail('share of the knee', `is ${kneeShare}`, 'a share above 0, at most 1')
  }
}

function fail(field: string, what: string, wanted: string): never {
  throw new QuestionError(`${field} ${what}: use ${wanted}`)
}
