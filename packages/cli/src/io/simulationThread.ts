import { Worker } from 'node:worker_threads'
import type { CompareQuestion, Inspection, Prediction, Progress, Question, TimelineOptions } from '@foretrain/predictor'
import type { InspectOptions } from '../flags/question.ts'
import type { ReadResult } from './libraries.ts'

/** What the thread is asked to do (workerData). */
export type Job =
  | { kind: 'predict'; question: Question }
  | { kind: 'inspect'; read: ReadResult; options: InspectOptions }
  | { kind: 'timeline'; question: Question; options: TimelineOptions }
  | { kind: 'compare'; question: CompareQuestion }

/** What it says: progress any number of times, then a result or an error. */
export type Reply =
  | { kind: 'progress'; progress: Progress }
  | { kind: 'result'; result: Prediction | Inspection }
  | { kind: 'error'; name: string; message: string; stack: string | undefined }

/**
 * Runs a job in a thread of its own. A simulation holds its thread for seconds; on the main thread it would keep signals and the progress
 * line waiting.
 */
export function runInThread(
  job: Exclude<Job, { kind: 'timeline' | 'compare' }>,
  onProgress?: (progress: Progress) => void
): Promise<Prediction | Inspection> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./thread.js', import.meta.url), { workerData: job })
    worker.on('message', (reply: Reply) => {
      if (reply.kind === 'progress') onProgress?.(reply.progress)
      else if (reply.kind === 'result') resolve(reply.result)
      else reject(Object.assign(new Error(reply.message), { name: reply.name, stack: reply.stack }))
    })
    worker.on('error', reject)
    // Has no effect once a reply has settled the promise.
    worker.on('exit', code => reject(new Error(`the simulation thread ended with ${code}`)))
  })
}
