import { availableParallelism } from 'node:os'
import type { Prediction, Progress, Question } from '@foretrain/predictor'
import { runInThread } from './simulationThread.ts'

/** What a point costs beyond its workers, in workers: few-worker points need more replications. */
const POINT_COST = 8

/**
 * Predicts the points of a question in up to `jobs` threads; the document is the same, bit for bit, whatever their number.
 *
 * @param jobs default: as many as the machine runs at once
 */
export async function predictInThreads(
  question: Question,
  jobs: number = availableParallelism(),
  onProgress?: (progress: Progress) => void
): Promise<Prediction> {
  const parts = shareOut(question.workers, jobs)
  const done = parts.map(() => 0)
  const total = question.workers.length * (question.servers?.length ?? 1)
  const predictions = await Promise.all(
    parts.map(async (workers, part) => {
      const report = (progress: Progress) => {
        done[part] = progress.done
        onProgress?.({ ...progress, done: done.reduce((sum, points) => sum + points, 0), total })
      }
      return (await runInThread({ kind: 'predict', question: { ...question, workers } }, report)) as Prediction
    })
  )
  if (predictions.length === 1) return predictions[0]
  const { mergePredictions } = await import('@foretrain/predictor')
  return mergePredictions(predictions, question.workers, question.precision)
}

/** The largest size first, each to the part with the least to do: a point costs about as much as it has workers, and something besides. */
export function shareOut(workers: readonly number[], parts: number): number[][] {
  const shared = Array.from({ length: Math.max(1, Math.min(parts, workers.length)) }, () => ({ workers: [] as number[], cost: 0 }))
  for (const size of [...workers].sort((a, b) => b - a)) {
    const least = shared.reduce((best, part) => (part.cost < best.cost ? part : best))
    least.workers.push(size)
    least.cost += size + POINT_COST
  }
  return shared.map(part => part.workers.sort((a, b) => a - b))
}
