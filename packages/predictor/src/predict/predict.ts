import { loadCore } from '@foretrain/core-wasm'
import { checkQuestion } from '../checkQuestion.ts'
import { bytesOf } from '../demands.ts'
import type { PredictHooks, Question } from '../question.ts'
import type { Point, Prediction } from '../schema.ts'
import { clusterOf, roughCycleUs, setUp } from '../setUp.ts'
import { Pacer } from '../simulate/pacer.ts'
import { planFor, type Scenario } from '../simulate/replicate.ts'
import { AloneRates } from '../unequalWorkers.ts'
import { version } from '../version.ts'
import { type Measured, measure } from './measure.ts'
import { parametersOf } from './parameters.ts'
import { pointOf } from './point.ts'
import { precisionWarning, profileWarnings, questionWarnings } from './warnings.ts'

/**
 * Predicts the throughput of each wanted cluster from the profile of one worker. The same question gives the same document, bit for bit.
 *
 * @throws QuestionError when the question cannot be answered as asked; the reason of `hooks.signal` when that is aborted
 */
export async function predict(question: Question, hooks: PredictHooks = {}): Promise<Prediction> {
  checkQuestion(question)
  const { profile } = question
  const core = await loadCore()
  const pacer = new Pacer(hooks.signal)
  await pacer.breathe(0)
  const set = setUp(core, question)
  const seed = question.seed ?? 1
  const warnings = [...profileWarnings(profile, set.replay), ...questionWarnings(question, set)]
  const scenario = (workers: number): Scenario => ({
    job: set.job,
    cluster: clusterOf(set, workers),
    demands: set.demands,
    seed,
    phaseSpanUs: roughCycleUs(set, workers)
  })

  const measuredBySize = new Map<number, Measured>()
  const measured = async (workers: number) => {
    const known = measuredBySize.get(workers) ?? (await measure(core, question, scenario(workers), pacer))
    measuredBySize.set(workers, known)
    return known
  }
  const aloneRates = new AloneRates(core, planFor(1, question.fixed?.steps), pacer)
  const points: Point[] = []
  const total = question.workers.length
  for (const workers of question.workers) {
    hooks.onProgress?.({ done: points.length, total, workers })
    const alone = await measured(1)
    const here = await measured(workers)
    aloneRates.know(alone.scenario.cluster, alone.mean)
    points.push(await pointOf(core, question, set, here, alone, await aloneRates.all(here.scenario), pacer))
    if (workers !== 1) measuredBySize.delete(workers)
    hooks.onProgress?.({ done: points.length, total, workers })
  }
  const imprecise = question.fixed === undefined ? precisionWarning(points, question.precision) : undefined
  if (imprecise !== undefined) warnings.push(imprecise)
  return {
    schema: 'foretrain/prediction@1',
    version,
    seed,
    profile: {
      traces: profile.traces,
      steps: profile.steps.length,
      dropped: profile.counts.droppedSteps.length,
      operations: profile.operations.length,
      pullBytes: bytesOf(profile, 'pull'),
      pushBytes: bytesOf(profile, 'push'),
      servers: profile.servers.length
    },
    replay: set.replay,
    parameters: parametersOf(question, set),
    points,
    warnings
  }
}
