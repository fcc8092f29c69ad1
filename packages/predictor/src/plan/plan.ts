import { isColocated } from '../colocation.ts'
import { defaults } from '../defaults.ts'
import { predict } from '../predict/predict.ts'
import { precisionWarning, precisionWarningCode } from '../predict/warnings.ts'
import { type Question, QuestionError } from '../question.ts'
import type { Plan, Point, Prediction, Warning } from '../schema.ts'
import { kneeOf } from './knee.ts'
import { type Goal, nextSizes } from './nextSizes.ts'
import { type ClusterQuestion, checkPlanQuestion, largestSearched, type PlanHooks, type PlanQuestion } from './question.ts'
import { cheapestOf, fastestOf, paretoFrontOf, rowOf } from './rows.ts'
import { planWarnings } from './warnings.ts'

const defaultKneeShare = 0.5

/**
 * Finds the cheapest cluster whose predicted mean throughput meets a target, the knee of the curve and the Pareto front of cost against
 * throughput. The same question gives the same document, bit for bit.
 *
 * @throws QuestionError when the question cannot be answered as asked; the reason of `hooks.signal` when that is aborted
 */
export async function plan(asked: PlanQuestion, hooks: PlanHooks = {}): Promise<Plan> {
  checkPlanQuestion(asked)
  const { question, target, prices, kneeShare = defaultKneeShare } = asked
  const batchSize = question.batchSize ?? 1
  const targetStepsPerSecond = target.unit === 'steps/s' ? target.value : target.value / batchSize
  // A server on a worker's host costs no host of its own.
  const charged = isColocated(question) ? { ...prices, server: 0 } : prices
  if (isColocated(question) && asked.workers === undefined)
    throw new QuestionError('workers of clusters with servers on their hosts are not searched for: name the sizes to choose from')
  const growth = question.precision ?? defaults.precision.value
  const predictions =
    asked.workers === undefined
      ? await search(question, { target: targetStepsPerSecond, kneeShare, growth, largest: largestSearched }, hooks)
      : [await answer({ ...question, workers: ascending(asked.workers) }, 0, false, hooks)]
  const points = predictions.flatMap(prediction => prediction.points).sort((a, b) => a.servers - b.servers || a.workers - b.workers)
  const rows = points.map(point => rowOf(point, charged, targetStepsPerSecond))
  const cheapest = cheapestOf(rows)
  const { servers } = cheapest ?? fastestOf(rows)
  const knee = rows[points.indexOf(kneeAmong(points, servers, kneeShare))]
  const facts = { rows, cheapest, knee, target, batchSize: question.batchSize }
  const [{ version, seed }] = predictions
  return {
    schema: 'foretrain/plan@1',
    version,
    seed,
    target: `${target.value}${target.unit}`,
    targetStepsPerSecond,
    targetExamplesPerSecond: targetStepsPerSecond * batchSize,
    prices,
    kneeShare,
    cheapest,
    knee,
    pareto: paretoFrontOf(rows),
    points: rows,
    warnings: [...ownWarnings(predictions, points, question), ...planWarnings(facts)]
  }
}

/** The knee of the curve with so many servers. One worker's throughput is known even where no point has one worker. */
function kneeAmong(points: readonly Point[], servers: number, kneeShare: number): Point {
  const rated = points
    .filter(point => point.servers === servers)
    .map(point => ({ workers: point.workers, throughput: point.stepsPerSecond.mean, point }))
  const [{ throughput, point }] = rated
  return kneeOf(rated, (kneeShare * throughput) / point.speedup).point
}

/** Simulates few sizes with each number of servers: nextSizes says which. */
async function search(question: ClusterQuestion, goal: Goal, hooks: PlanHooks): Promise<Prediction[]> {
  const predictions: Prediction[] = []
  let done = 0
  for (const each of byServers(question)) {
    const known = new Map<number, number>()
    for (let workers = nextSizes(known, goal); workers.length > 0; workers = nextSizes(known, goal)) {
      const prediction = await answer({ ...each, workers }, done, true, hooks)
      for (const point of prediction.points) known.set(point.workers, point.stepsPerSecond.mean)
      done += prediction.points.length
      predictions.push(prediction)
    }
  }
  return predictions
}

/** The question with each of its numbers of servers alone: each has sizes of its own to search. */
function byServers(question: ClusterQuestion): ClusterQuestion[] {
  return question.servers?.map(servers => ({ ...question, servers: [servers] })) ?? [question]
}

function answer(question: Question, done: number, searching: boolean, hooks: PlanHooks): Promise<Prediction> {
  const ask = hooks.predict ?? predict
  return ask(question, {
    signal: hooks.signal,
    onProgress: ({ workers, ...own }) => hooks.onProgress?.({ workers, done: done + own.done, total: done + own.total, searching })
  })
}

function ascending(sizes: readonly number[]): number[] {
  return [...new Set(sizes)].sort((a, b) => a - b)
}

/** The warnings of the predictions as if they had been one: each once, and one that names all imprecise points. */
function ownWarnings(
  predictions: readonly Prediction[],
  points: readonly Point[],
  { precision, fixed }: ClusterQuestion
): Warning[] {
  const others = predictions.flatMap(prediction => prediction.warnings).filter(({ code }) => code !== precisionWarningCode)
  const warnings = [...new Map(others.map(warning => [JSON.stringify(warning), warning])).values()]
  const imprecise = fixed === undefined ? precisionWarning(points, precision) : undefined
  return imprecise === undefined ? warnings : [...warnings, imprecise]
}
