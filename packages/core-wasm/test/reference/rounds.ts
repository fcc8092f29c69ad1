import { type Job, OperationKind } from '../../src/job.ts'

/** What a worker shows to those that it waits for. */
export interface Waiting {
  index: number
  /** The round that its step belongs to. */
  round: number
  /** Gradients of its step that its round took. */
  takenGradients: number
  /** Goes on after so much waiting. */
  goOn(waitedUs: number): void
}

/** An update, or a push that leads to none. */
function isGradient(job: Job, operation: number): boolean {
  const leadsToUpdate = (from: number): boolean => {
    const successors = Array.from(job.successors.slice(job.successorStart[from], job.successorStart[from + 1]))
    return successors.some(successor => job.kind[successor] === OperationKind.update || leadsToUpdate(successor))
  }
  if (job.kind[operation] === OperationKind.update) return true
  return job.kind[operation] === OperationKind.push && !leadsToUpdate(operation)
}

/** Synchronous rounds: what each has collected, and who waits for its end. */
export class Rounds {
  ended = 0
  /** Operations that are gradients; none: the step itself is one. */
  readonly gradients: readonly number[]
  #taken: number[] = []
  #added: number[] = []
  #complete: number[] = []
  #waiting: { worker: Waiting; sinceUs: number }[] = []
  readonly #needed: number
  readonly #nowUs: () => number

  constructor(job: Job, needed: number, nowUs: () => number) {
    this.gradients = [...job.kind.keys()].filter(operation => isGradient(job, operation))
    this.#needed = needed
    this.#nowUs = nowUs
  }

  /** A gradient of the worker's step has come: whether it is used. */
  take(worker: Waiting, gradient: number): boolean {
    const taken = this.#taken.filter(one => one === gradient).length
    if (worker.round !== this.ended || taken === this.#needed) return false
    this.#taken.push(gradient)
    worker.takenGradients++
    return true
  }

  /** A gradient that was taken has been added up: whether it was the last of its variable. */
  add(gradient: number): boolean {
    this.#added.push(gradient)
    return this.#added.filter(one => one === gradient).length === this.#needed
  }

  /** All that there is to do for a variable in this round is done. */
  complete(gradient: number): void {
    this.#complete.push(gradient)
    if (this.#complete.length < Math.max(1, this.gradients.length)) return
    this.ended++
    this.#taken = []
    this.#added = []
    this.#complete = []
    const waiting = this.#waiting
    this.#waiting = []
    for (const { worker, sinceUs } of waiting) worker.goOn(this.#nowUs() - sinceUs)
  }

  /** All operations of the worker's step are complete: whether it now waits for the end of the round. */
  wait(worker: Waiting): boolean {
    const step = -1
    if (this.gradients.length === 0 && this.take(worker, step) && this.add(step)) this.complete(step)
    if (worker.round !== this.ended) return false
    this.#waiting.push({ worker, sinceUs: this.#nowUs() })
    return true
  }
}

/** Stale synchronous parallel: nobody begins a step before all have completed all but `bound` of those before it. */
export class Staleness {
  readonly #completed: number[]
  #waiting: { worker: Waiting; sinceUs: number }[] = []
  readonly #bound: number
  readonly #nowUs: () => number

  constructor(workers: number, bound: number, nowUs: () => number) {
    this.#completed = Array.from({ length: workers }, () => 0)
    this.#bound = bound
    this.#nowUs = nowUs
  }

  /** The worker has completed a step and would begin the next: lets it and all others go on that may. */
  stepEnded(worker: Waiting): void {
    this.#completed[worker.index]++
    this.#waiting.push({ worker, sinceUs: this.#nowUs() })
    const mayBegin = (one: Waiting) => Math.min(...this.#completed) >= this.#completed[one.index] - this.#bound
    const free = this.#waiting.filter(one => mayBegin(one.worker))
    this.#waiting = this.#waiting.filter(one => !mayBegin(one.worker))
    for (const one of free) one.worker.goOn(this.#nowUs() - one.sinceUs)
  }
}
