import type { Prediction } from '../schema.ts'
import { precisionWarning, precisionWarningCode } from './warnings.ts'

/**
 * One document from those of parts of a question that differ in `workers` alone, as `predict` makes it of the whole: points do not depend on
 * each other, so the result is the same bit for bit.
 *
 * @param workers cluster sizes of the whole question, in the order of its points
 * @param precision of the question
 */
export function mergePredictions(
  parts: readonly Prediction[],
  workers: readonly number[],
  precision: number | undefined
): Prediction {
  const points = parts.flatMap(part => part.points)
  const pointOf = new Map(points.map(point => [point.workers, point]))
  const ordered = workers.map(size => pointOf.get(size)!)
  const of = (code: string) => parts.some(part => part.warnings.some(warning => warning.code === code))
  const [first] = parts
  const warnings = first.warnings.filter(warning => warning.code !== precisionWarningCode)
  if (of(precisionWarningCode)) warnings.push(precisionWarning(ordered, precision)!)
  return { ...first, points: ordered, warnings }
}
