import { type Core, loadCore } from '@foretrain/core-wasm'
import { checkQuestion } from '../checkQuestion.ts'
import { bytesOf } from '../demands.ts'
import { numbersOfServers } from '../placement/place.ts'
import type { PredictHooks, Question } from '../question.ts'
import type { Point, Prediction } from '../schema.ts'
import { clusterOf, roughCycleUs, type SetUp, setUp, traceSetUp } from '../setUp.ts'
import { Pacer } from '../simulate/pacer.ts'
import { planFor, type Scenario } from '../simulate/replicate.ts'
import { AloneRates } from '../unequalWorkers.ts'
import { version } from '../version.ts'
import { HowFar } from './howFar.ts'
import { type Measured, measure } from './measure.ts'
import { parametersOf } from './parameters.ts'
import { pointOf } from './point.ts'
import { balanceWarnings, precisionWarning, profileWarnings, questionWarnings } from './warnings.ts'

/**
 * Predicts the throughput of each wanted cluster from the profile of one worker. The same question gives the same document, bit for bit.
 *
 * @throws QuestionError when the question cannot be answered as asked; the reason of `hooks.signal` when that is aborted
 */
export async function predict(question: Question, hooks: PredictHooks = {}): Promise<Prediction> {
  checkQuestion(question)
  const { profile } = question
  const core = await loadCore()
  hooks.signal?.throwIfAborted()
  const trace = traceSetUp(core, question)
  const sets = numbersOfServers(question).map(servers => setUp(core, question, trace, servers))
  const [first] = sets
  const howFar = new HowFar(question, sets, hooks.onProgress)
  const pacer = new Pacer(hooks.signal, steps => howFar.simulated(steps))
  const seed = question.seed ?? 1
  const warnings = [
    ...profileWarnings(profile, trace.replay),
    ...questionWarnings(question, first),
    ...sets.flatMap(balanceWarnings)
  ]
  const points: Point[] = []
  for (const set of sets) {
    const pointWith = pointsOf(core, question, set, seed, pacer)
    for (const workers of question.workers) {
      howFar.begins(workers)
      const point = await pointWith(workers)
      points.push(point)
      hooks.onPoint?.(point)
      howFar.ended()
    }
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
    replay: trace.replay,
    parameters: parametersOf(question, sets),
    points,
    warnings
  }
}

/** Points of clusters with the servers of one set-up, by their workers. What they have in common is simulated once. */
function pointsOf(core: Core, question: Question, set: SetUp, seed: number, pacer: Pacer): (workers: number) => Promise<Point> {
  const scenario = (workers: number): Scenario => ({
    job: set.job,
    cluster: clusterOf(set, workers),
    demands: set.demands,
    seed,
    phaseSpanUs: roughCycleUs(set, workers)
  })
  const aloneRates = new AloneRates(core, planFor({ workers: clusterOf(set, 1).workers }, question.fixed?.steps), pacer)
  let knownAlone: Measured | undefined
  return async workers => {
    knownAlone ??= await measure(core, question, scenario(1), pacer)
    const alone = knownAlone
    const here = workers === 1 ? alone : await measure(core, question, scenario(workers), pacer)
    aloneRates.know(alone.scenario.cluster, alone.mean)
    return pointOf(core, question, set, here, alone, await aloneRates.of(here.scenario), pacer)
  }
}
