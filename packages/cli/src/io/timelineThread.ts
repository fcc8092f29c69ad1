import { Worker } from 'node:worker_threads'
import type { Question, TimelineOptions, TimelineSize } from '@foretrain/predictor'
import type { Job } from './simulationThread.ts'

/** What the thread says: the estimate, then a piece each time it is asked for one. */
export type TimelineReply =
  | { kind: 'estimate'; estimate: TimelineSize }
  | { kind: 'chunk'; text: string }
  | { kind: 'end' }
  | { kind: 'error'; name: string; message: string; stack: string | undefined }

/** What a timeline of a thread offers: nothing is simulated before the first piece is read. */
export interface ThreadTimeline {
  estimate: TimelineSize
  chunks: AsyncGenerator<string>
}

/**
 * Simulates and draws in a thread of its own, a piece at a time, so that the main thread hears Ctrl-C and no more than one piece waits to be
 * written.
 */
export async function timelineInThread(question: Question, options: TimelineOptions): Promise<ThreadTimeline> {
  const job: Job = { kind: 'timeline', question, options }
  const worker = new Worker(new URL('./thread.js', import.meta.url), { workerData: job })
  const next = (): Promise<Exclude<TimelineReply, { kind: 'error' }>> =>
    new Promise((resolve, reject) => {
      const settle = (action: () => void) => {
        worker.off('message', onMessage)
        worker.off('error', onError)
        worker.off('exit', onExit)
        action()
      }
      const onMessage = (reply: TimelineReply) =>
        settle(() => {
          if (reply.kind === 'error') reject(Object.assign(new Error(reply.message), { name: reply.name, stack: reply.stack }))
          else resolve(reply)
        })
      const onError = (error: unknown) => settle(() => reject(error))
      const onExit = (code: number) => settle(() => reject(new Error(`the simulation thread ended with ${code}`)))
      worker.on('message', onMessage)
      worker.on('error', onError)
      worker.on('exit', onExit)
    })
  const first = await next()
  if (first.kind !== 'estimate') throw new Error(`the simulation thread began with ${first.kind}`)
  const chunks = async function* (): AsyncGenerator<string> {
    try {
      for (;;) {
        worker.postMessage('next')
        const reply = await next()
        if (reply.kind !== 'chunk') return
        yield reply.text
      }
    } finally {
      await worker.terminate()
    }
  }
  return { estimate: first.estimate, chunks: chunks() }
}
