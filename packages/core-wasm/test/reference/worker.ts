import { type Job, type LogEntry, OperationKind } from '../../src/job.ts'
import type { Step } from '../support/outcome.ts'

/** Starts an operation whose dependencies are met; it reports to `worker.complete`. */
type StartOperation = (worker: Worker, operation: number, entry: LogEntry) => void

interface WorkerHooks {
  nowUs(): number
  start: StartOperation
  /** Makes a pull ready, the one in `position` of the list of releases. */
  requestAt(timeUs: number, worker: Worker, position: number, pull: number): void
  /** Calls `ready` back as soon as what ends now has ended. */
  readyLater(worker: Worker, operation: number): void
  /** Calls back at the given time. */
  releaseAt(timeUs: number, worker: Worker): void
  /** Servers have to prepare pulls, in the order in which they become ready. */
  preparesPulls: boolean
  /** What the requests of a step that begins now, and the news of its end, wait in the buffers of servers. */
  requestDelayUs(worker: Worker): number
  resultDelayUs(worker: Worker): number
  endStepAt(timeUs: number, worker: Worker, happen: () => void): void
  stepEnded(worker: Worker, step: Step): void
  beginNext(worker: Worker): void
  /** Synchronous rounds that have ended. */
  roundsEnded(): number
  /** All operations of the step are complete: whether the worker waits for its round; it is told by `goOn`. */
  waitsForRound(worker: Worker): boolean
  /** Share of a step's gradients that so many are. */
  usedShare(takenGradients: number): number
  /** Factor on the compute of the step that begins. */
  drawScale(worker: Worker): number
  /** Of steps in rounds. */
  isSynchronous: boolean
  /** Steps of all workers whose last push has completed so far. */
  pushedSteps: { count: number }
  log(entry: LogEntry): void
}

const isKind = (job: Job, operation: number, kind: OperationKind) => job.kind[operation] === kind
const operationsOf = (job: Job) => Array.from(job.kind, (_, operation) => operation)

/** One worker's present step: which operations wait for what. */
export class Worker {
  readonly index: number
  template = -1
  computeScale = 1
  round = 0
  takenGradients = 0
  #waitedUs = 0
  #step = -1
  #startUs = 0
  #releaseFromUs = 0
  #openDependencies: number[] = []
  #incomplete = 0
  #incompletePushes = 0
  #nextRelease = 0
  /** pushedSteps when the first pull became ready, or at the start of a step without pulls. A step that pulls only after its last push is not stale. */
  #pushedBefore: number | undefined
  #staleness = 0
  readonly #job: Job
  readonly #hooks: WorkerHooks

  constructor(index: number, job: Job, hooks: WorkerHooks) {
    this.index = index
    this.#job = job
    this.#hooks = hooks
  }

  beginStep(): void {
    const job = this.#job
    this.#step++
    this.template = this.#step % job.templates
    this.round = this.#hooks.roundsEnded()
    this.takenGradients = 0
    this.computeScale = this.#hooks.drawScale(this)
    this.#startUs = this.#hooks.nowUs()
    this.#releaseFromUs = this.#startUs + this.#hooks.requestDelayUs(this)
    this.#openDependencies = Array.from(job.dependencies)
    this.#incomplete = job.operations
    this.#incompletePushes = operationsOf(job).filter(operation => isKind(job, operation, OperationKind.push)).length
    this.#nextRelease = 0
    const hasPulls = operationsOf(job).some(operation => isKind(job, operation, OperationKind.pull))
    this.#pushedBefore = hasPulls ? undefined : this.#hooks.pushedSteps.count
    this.#staleness = 0
    this.#requestPulls()
    this.#awaitRelease()
  }

  amount(operation: number): number {
    return this.#job.amount[this.template * this.#job.operations + operation]
  }

  firstTurnBytes(operation: number): number | undefined {
    return this.#job.firstTurnBytes?.[this.template * this.#job.operations + operation]
  }

  /** The roots whose time has come become ready, in the order of the list. */
  release(): void {
    while (this.#nextReleaseUs() <= this.#hooks.nowUs()) {
      const root = this.#root(this.#nextRelease++)
      if (!this.#isRequested(root)) this.becomeReady(root)
    }
    this.#awaitRelease()
  }

  /** Pulls without dependencies go a way of their own unless servers prepare them. */
  #isRequested(root: number): boolean {
    return isKind(this.#job, root, OperationKind.pull) && !this.#hooks.preparesPulls
  }

  #requestPulls(): void {
    for (let i = 0; i < this.#rootCount(); i++) {
      if (this.#isRequested(this.#root(i))) this.#hooks.requestAt(this.#releaseUs(i), this, i, this.#root(i))
    }
  }

  complete(operation: number, entry: LogEntry): void {
    const job = this.#job
    entry.endUs = this.#hooks.nowUs()
    this.#hooks.log(entry)
    this.#incomplete--
    if (isKind(job, operation, OperationKind.push) && --this.#incompletePushes === 0) {
      const { count } = this.#hooks.pushedSteps
      if (!this.#hooks.isSynchronous) this.#staleness = count - (this.#pushedBefore ?? count)
      this.#hooks.pushedSteps.count++
    }
    for (let i = job.successorStart[operation]; i < job.successorStart[operation + 1]; i++) {
      const successor = job.successors[i]
      if (--this.#openDependencies[successor] > 0) continue
      const holdsSlot = isKind(job, operation, OperationKind.compute) || isKind(job, operation, OperationKind.update)
      if (holdsSlot || isKind(job, successor, OperationKind.delay)) this.becomeReady(successor)
      else this.#hooks.readyLater(this, successor)
    }
    if (this.#incomplete === 0) this.#hooks.endStepAt(this.#hooks.nowUs(), this, () => this.#allComplete())
  }

  /** The others that it waited for have caught up. */
  goOn(waitedUs: number): void {
    this.#waitedUs = waitedUs
    if (this.#hooks.isSynchronous) this.#hooks.endStepAt(this.#hooks.nowUs(), this, () => this.#allComplete())
    else this.#hooks.beginNext(this)
  }

  #allComplete(): void {
    if (this.#hooks.waitsForRound(this)) return
    const delayUs = this.#hooks.resultDelayUs(this)
    if (delayUs > 0) this.#hooks.endStepAt(this.#hooks.nowUs() + delayUs, this, () => this.#endStep())
    else this.#endStep()
  }

  becomeReady(operation: number): void {
    if (isKind(this.#job, operation, OperationKind.pull)) this.#pushedBefore ??= this.#hooks.pushedSteps.count
    const nowUs = this.#hooks.nowUs()
    const entry = {
      worker: this.index,
      step: this.#step,
      operation,
      readyUs: nowUs,
      startUs: nowUs,
      wireEndUs: nowUs,
      endUs: nowUs
    }
    this.#hooks.start(this, operation, entry)
  }

  #endStep(): void {
    if (!Array.from(this.#job.kind).includes(OperationKind.push)) this.#hooks.pushedSteps.count++
    const { index: worker, template } = this
    const waitedUs = this.#waitedUs
    this.#waitedUs = 0
    this.#hooks.stepEnded(this, {
      worker,
      template,
      startUs: this.#startUs,
      endUs: this.#hooks.nowUs(),
      staleness: this.#staleness,
      usedShare: this.#hooks.usedShare(this.takenGradients),
      waitedUs
    })
  }

  #awaitRelease(): void {
    if (this.#nextRelease < this.#rootCount()) this.#hooks.releaseAt(this.#nextReleaseUs(), this)
  }

  #rootCount(): number {
    return this.#job.releaseOperation.length / this.#job.templates
  }

  #root(i: number): number {
    return this.#job.releaseOperation[this.template * this.#rootCount() + i]
  }

  #releaseUs(i: number): number {
    return this.#releaseFromUs + this.#job.releaseUs[this.template * this.#rootCount() + i]
  }

  #nextReleaseUs(): number {
    return this.#nextRelease === this.#rootCount() ? Infinity : this.#releaseUs(this.#nextRelease)
  }
}
