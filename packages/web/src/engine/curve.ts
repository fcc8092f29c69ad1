import { mergePredictions, type Point, type Prediction, shareOut } from '@foretrain/predictor'
import type { Asked } from '../worker/protocol.ts'
import { type LevelName, levelsFor } from './levels.ts'
import type { Pool } from './pool.ts'

/** A point of the curve and how carefully it was simulated. */
export interface CurvePoint {
  level: LevelName
  point: Point
}

export interface CurveHooks {
  onPoint(point: CurvePoint): void
  /** All points of a level are there. */
  onLevel(level: LevelName): void
  signal: AbortSignal
}

/**
 * Simulates the curve of a question on all workers of the pool, from coarse to full.
 *
 * @returns the document that `foretrain predict` makes of the same question
 * @throws QuestionError of the predictor; the signal's reason when that is aborted
 */
export async function simulateCurve(pool: Pool, profile: number, question: Asked, hooks: CurveHooks): Promise<Prediction> {
  const { signal, onPoint, onLevel } = hooks
  let parts: Prediction[] = []
  for (const { name, workers, fixed } of levelsFor(question.workers)) {
    const { precision: _, ...rest } = question
    const asked = fixed === undefined ? question : { ...rest, fixed }
    parts = await Promise.all(
      shareOut(workers, pool.size).map((share, worker) =>
        pool.run(
          worker,
          'predict',
          { question: { ...asked, workers: share } },
          { profile, signal, onEvent: point => onPoint({ level: name, point }) }
        )
      )
    )
    onLevel(name)
  }
  return mergePredictions(parts, question.workers, question.precision)
}
