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
  const key = (servers: number, size: number) => `${servers} ${size}`
  const pointOf = new Map(points.map(point => [key(point.servers, point.workers), point]))
  // Each part has points with each number of servers, in the order of the question.
  const servers = [...new Set(parts[0].points.map(point => point.servers))]
  const ordered = servers.flatMap(count => workers.map(size => pointOf.get(key(count, size))!))
  const of = (code: string) => parts.some(part => part.warnings.some(warning => warning.code === code))
  const [first] = parts
  const warnings = first.warnings.filter(warning => warning.code !== precisionWarningCode)
  if (of(precisionWarningCode)) warnings.push(precisionWarning(ordered, precision)!)
  return { ...first, points: ordered, warnings }
}
