import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { CompareHooks, CompareQuestion, Comparison, PolicyRun, Runner } from '@foretrain/predictor'

/** Runs of each policy between two looks at the intervals: more threads would have nothing to do. */
const runsAtOnce = 4

/** What a comparing thread is asked to do next. */
export type Task = { kind: 'facts' } | { kind: 'rate'; run: PolicyRun } | { kind: 'sensitivities'; reference: number }

/** What it answers. */
export type TaskReply = { kind: 'result'; result: unknown } | { kind: 'error'; name: string; message: string; stack?: string }

/**
 * Compares policies in up to `jobs` threads; the document is the same, bit for bit, whatever their number.
 *
 * @param jobs default: as many as the machine runs at once
 */
export async function compareInThreads(
  question: CompareQuestion,
  jobs: number = availableParallelism(),
  onProgress?: CompareHooks['onProgress']
): Promise<Comparison> {
  const { compare } = await import('@foretrain/predictor')
  const pool = new Pool(question, jobs)
  try {
    return await compare(question, { onProgress, runner: pool })
  } finally {
    pool.close()
  }
}

interface Waiting {
  task: Task
  resolve: (result: unknown) => void
  reject: (error: Error) => void
}

/** Threads that take the next task as soon as they have finished one. Each makes the set-up of the question for itself. */
class Pool implements Runner {
  readonly #threads: Worker[]
  readonly #idle: Worker[] = []
  readonly #queue: Waiting[] = []
  readonly #busy = new Map<Worker, Waiting>()
  #failure: Error | undefined

  constructor(question: CompareQuestion, jobs: number) {
    const most = runsAtOnce * question.policies.length
    this.#threads = Array.from({ length: Math.max(1, Math.min(jobs, most)) }, () => this.#start(question))
    this.#idle.push(...this.#threads)
  }

  async facts() {
    return (await this.#do({ kind: 'facts' })) as Awaited<ReturnType<Runner['facts']>>
  }

  async rates(runs: readonly PolicyRun[]): Promise<number[]> {
    return (await Promise.all(runs.map(run => this.#do({ kind: 'rate', run })))) as number[]
  }

  async sensitivities(reference: number) {
    return (await this.#do({ kind: 'sensitivities', reference })) as Awaited<ReturnType<Runner['sensitivities']>>
  }

  close(): void {
    for (const thread of this.#threads) void thread.terminate()
  }

  #start(question: CompareQuestion): Worker {
    const thread = new Worker(new URL('./thread.js', import.meta.url), { workerData: { kind: 'compare', question } })
    thread.on('message', (reply: TaskReply) => {
      const waiting = this.#busy.get(thread)
      this.#busy.delete(thread)
      this.#idle.push(thread)
      if (reply.kind === 'result') waiting?.resolve(reply.result)
      else waiting?.reject(Object.assign(new Error(reply.message), { name: reply.name, stack: reply.stack }))
      this.#next()
    })
    thread.on('error', error => this.#fail(error instanceof Error ? error : new Error(String(error))))
    thread.on('exit', code => this.#fail(new Error(`a simulation thread ended with ${code}`)))
    return thread
  }

  #do(task: Task): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#failure) return reject(this.#failure)
      this.#queue.push({ task, resolve, reject })
      this.#next()
    })
  }

  #next(): void {
    while (this.#idle.length > 0 && this.#queue.length > 0) {
      const thread = this.#idle.shift()!
      const waiting = this.#queue.shift()!
      this.#busy.set(thread, waiting)
      thread.postMessage(waiting.task)
    }
  }

  /** A thread that dies takes the comparison with it. */
  #fail(error: Error): void {
    this.#failure ??= error
    for (const { reject } of [...this.#busy.values(), ...this.#queue.splice(0)]) reject(this.#failure)
    this.#busy.clear()
  }
}
