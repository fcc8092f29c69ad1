import { availableParallelism } from 'node:os'
import type { Prediction, Progress, Question } from '@foretrain/predictor'
import { runInThread } from './simulationThread.ts'

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
  const { mergePredictions, shareOut } = await import('@foretrain/predictor')
  const parts = shareOut(question.workers, jobs)
  const done = parts.map(() => 0)
  const shares = parts.map(() => 0)
  const total = question.workers.length * (question.servers?.length ?? 1)
  const predictions = await Promise.all(
    parts.map(async (workers, part) => {
      const report = (progress: Progress) => {
        done[part] = progress.done
        shares[part] = progress.share ?? 0
        // All wait for the part that is most behind.
        const share = Math.min(...shares)
        onProgress?.({ workers: progress.workers, done: done.reduce((sum, points) => sum + points, 0), total, share })
      }
      return (await runInThread({ kind: 'predict', question: { ...question, workers } }, report)) as Prediction
    })
  )
  if (predictions.length === 1) return predictions[0]
  return mergePredictions(predictions, question.workers, question.precision)
}
