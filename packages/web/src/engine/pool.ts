import { workerUrl } from 'virtual:worker'
import type { Events, Reply, Request, Results, TaskKind, Tasks } from '../worker/protocol.ts'

/** More bring little: a curve has few points, and every worker keeps a profile. */
const mostWorkers = 4

interface Waiting {
  resolve(result: Results[TaskKind]): void
  reject(error: Error): void
  onEvent?(event: Events[TaskKind]): void
}

export interface RunOptions<Kind extends TaskKind> {
  /** Number of the profile that the task is about. */
  profile: number
  onEvent?: (event: Events[Kind]) => void
  signal?: AbortSignal
}

/** The web workers of the page: any task on any of them; the first one reads files. */
export class Pool {
  readonly #workers: Worker[] = []
  readonly #waiting = new Map<number, Waiting>()
  #lastJob = 0

  constructor(size = Math.min(mostWorkers, Math.max(1, navigator.hardwareConcurrency))) {
    for (let i = 0; i < size; i++) this.#workers.push(this.#start())
    const [reader, ...others] = this.#workers
    for (const other of others) {
      const { port1, port2 } = new MessageChannel()
      this.#post(reader, { kind: 'sibling', port: port1 }, [port1])
      this.#post(other, { kind: 'sibling', port: port2 }, [port2])
    }
  }

  get size(): number {
    return this.#workers.length
  }

  /**
   * Runs a task on a worker.
   *
   * @throws the worker's error, with its name; the signal's reason when that is aborted
   */
  run<Kind extends TaskKind>(index: number, task: Kind, input: Tasks[Kind], options: RunOptions<Kind>): Promise<Results[Kind]> {
    const { profile, signal, onEvent } = options
    const worker = this.#workers[index]
    this.#lastJob += 1
    const job = this.#lastJob
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      this.#waiting.set(job, { resolve, reject, onEvent } as Waiting)
      signal?.addEventListener('abort', () => {
        if (!this.#waiting.delete(job)) return
        this.#post(worker, { kind: 'abort', job })
        reject(signal.reason)
      })
      this.#post(worker, { kind: 'start', job, task, profile, input })
    })
  }

  #start(): Worker {
    const worker = new Worker(workerUrl())
    worker.onmessage = ({ data }: MessageEvent<Reply>) => this.#take(data)
    worker.onerror = event => this.#fail(new Error(event.message || 'the browser could not start a worker'))
    return worker
  }

  #take(reply: Reply): void {
    const waiting = this.#waiting.get(reply.job)
    if (waiting === undefined) return
    if (reply.kind !== 'event') this.#waiting.delete(reply.job)
    if (reply.kind === 'event') waiting.onEvent?.(reply.event)
    else if (reply.kind === 'result') waiting.resolve(reply.result)
    else waiting.reject(Object.assign(new Error(reply.message), { name: reply.name }))
  }

  #fail(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }

  #post(worker: Worker, request: Request, transfer: Transferable[] = []): void {
    worker.postMessage(request, transfer)
  }
}
