import type { Profile } from '@foretrain/trace-parser'
import { predict } from '../predict/predict.ts'
import type { PredictHooks, Progress, Question } from '../question.ts'
import type { Case, Measurement, Point, Prediction, Validation } from '../schema.ts'
import { questionOf, type ValidateOptions, whyNot } from './question.ts'
import { totalsOf } from './totals.ts'

/** A measured cluster and the profile of its traces. */
export interface CaseToValidate {
  case: Case
  /** Of the case's traces. */
  profile: Profile
}

/** What a caller may be told while a validation runs, and may do for it. */
export interface ValidateHooks {
  /** Points of all cases. */
  onProgress?: (progress: Progress) => void
  /** A case that cannot be predicted: it is in no total. */
  onSkipped?: (name: string, reason: string) => void
  signal?: AbortSignal
  /** Answers the questions in place of `predict`; in another thread, for instance. */
  predict?: (question: Question, hooks: PredictHooks) => Promise<Prediction>
}

/**
 * Predicts every measurement of each case from its traces alone and compares. One worker stands apart from all totals: it is what the traces
 * show, so it tests the replay. Cases that cannot be predicted are told to `onSkipped` and left out.
 *
 * @throws the reason of `hooks.signal` when that is aborted, and what `hooks.predict` throws
 */
export async function validate(
  cases: readonly CaseToValidate[],
  options: ValidateOptions = {},
  hooks: ValidateHooks = {}
): Promise<Validation> {
  const possible = cases.filter(({ case: measured, profile }) => {
    const reason = whyNot(measured, profile)
    if (reason !== undefined) hooks.onSkipped?.(measured.name, reason)
    return reason === undefined
  })
  const questions = possible.map(({ case: measured, profile }) => questionOf(measured, profile, options))
  const total = questions.reduce((sum, { workers }) => sum + workers.length, 0)
  const answer = hooks.predict ?? predict
  const compared: Validation['cases'] = []
  let done = 0
  for (const [index, { case: measured }] of possible.entries()) {
    const question = questions[index]
    const before = done
    const prediction = await answer(question, {
      signal: hooks.signal,
      onProgress: ({ workers, ...own }) => hooks.onProgress?.({ workers, done: before + own.done, total })
    })
    done += question.workers.length
    compared.push(compare(measured, prediction))
  }
  return { schema: 'foretrain/validation@1', ...totalsOf(compared), cases: compared }
}

type ComparedCase = Validation['cases'][number]

function compare(measured: Case, prediction: Prediction): ComparedCase {
  const points = measured.measurements.map(measurement => {
    const point = prediction.points.find(({ workers }) => workers === measurement.workers)
    if (!point) throw new Error(`no prediction for ${measurement.workers} workers`)
    return comparePoint(measurement, point)
  })
  const { meanAbsError, maxAbsError } = totalsOf([{ name: measured.name, meanAbsError: 0, maxAbsError: 0, points }])
  return { name: measured.name, meanAbsError, maxAbsError, points }
}

function comparePoint({ workers, stepsPerSecond: measured, ci95 }: Measurement, point: Point): ComparedCase['points'][number] {
  const { mean: predicted, ci95: simulated, band95 } = point.stepsPerSecond
  const known = Object.entries(point.baselines).filter((entry): entry is [string, number] => entry[1] !== undefined)
  return {
    workers,
    measured,
    measuredCi95: ci95,
    predicted,
    ci95: simulated,
    band95,
    error: (predicted - measured) / measured,
    outside: Math.max(0, ci95[0] - predicted, predicted - ci95[1]) / measured,
    baselines: Object.fromEntries(known),
    baselineErrors: Object.fromEntries(known.map(([name, value]) => [name, (value - measured) / measured]))
  }
}
