import type { LogEntry, StepRecords } from './job.ts'

/** Completed steps and log entries, taken out of the core's memory piece by piece. */
export class RecordStore {
  log: LogEntry[] = []
  private count = 0
  private worker = new Int32Array(64)
  private template = new Int32Array(64)
  private staleness = new Int32Array(64)
  private startUs = new Float64Array(64)
  private endUs = new Float64Array(64)
  private usedShare = new Float64Array(64)
  private waitedUs = new Float64Array(64)

  /**
   * @param logSteps how many steps before the one under way stay in the log, of each worker
   * @param gradients of a synchronous step; 0 where no gradient is ever dropped
   */
  constructor(
    private readonly layout: Readonly<Record<string, number>>,
    private readonly logSteps = Number.POSITIVE_INFINITY,
    private readonly gradients = 0
  ) {}

  takeRecords(view: DataView, address: number, count: number): void {
    const { layout } = this
    this.reserve(this.count + count)
    for (let i = 0; i < count; i++) {
      const record = address + i * layout.RECORD_BYTES
      this.worker[this.count] = view.getInt32(record + layout.RECORD_WORKER, true)
      this.template[this.count] = view.getInt32(record + layout.RECORD_TEMPLATE, true)
      this.staleness[this.count] = view.getInt32(record + layout.RECORD_STALENESS, true)
      this.startUs[this.count] = view.getFloat64(record + layout.RECORD_START, true)
      this.endUs[this.count] = view.getFloat64(record + layout.RECORD_END, true)
      const taken = view.getInt32(record + layout.RECORD_TAKEN, true)
      this.usedShare[this.count] = this.gradients > 0 ? taken / this.gradients : 1
      this.waitedUs[this.count] = view.getFloat64(record + layout.RECORD_WAITED, true)
      this.count += 1
    }
  }

  takeLog(view: DataView, address: number, count: number): void {
    const { layout } = this
    for (let i = 0; i < count; i++) {
      const entry = address + i * layout.LOG_BYTES
      this.log.push({
        worker: view.getInt32(entry + layout.LOG_WORKER, true),
        step: view.getInt32(entry + layout.LOG_STEP, true),
        operation: view.getInt32(entry + layout.LOG_OPERATION, true),
        readyUs: view.getFloat64(entry + layout.LOG_READY, true),
        startUs: view.getFloat64(entry + layout.LOG_START, true),
        wireEndUs: view.getFloat64(entry + layout.LOG_WIRE_END, true),
        endUs: view.getFloat64(entry + layout.LOG_END, true)
      })
    }
    if (count > 0 && this.logSteps < Number.POSITIVE_INFINITY) this.dropOldSteps()
  }

  private dropOldSteps(): void {
    const latest = new Map<number, number>()
    for (const { worker, step } of this.log) latest.set(worker, Math.max(step, latest.get(worker) ?? 0))
    this.log = this.log.filter(({ worker, step }) => step >= latest.get(worker)! - this.logSteps)
  }

  records(): StepRecords {
    return {
      worker: this.worker.slice(0, this.count),
      template: this.template.slice(0, this.count),
      staleness: this.staleness.slice(0, this.count),
      startUs: this.startUs.slice(0, this.count),
      endUs: this.endUs.slice(0, this.count),
      usedShare: this.usedShare.slice(0, this.count),
      waitedUs: this.waitedUs.slice(0, this.count)
    }
  }

  clear(): void {
    this.count = 0
    this.log = []
  }

  private reserve(count: number): void {
    if (count <= this.worker.length) return
    const capacity = Math.max(count, 2 * this.worker.length)
    const larger = <T extends Int32Array | Float64Array>(array: T): T => {
      const copy = new (array.constructor as new (length: number) => T)(capacity)
      copy.set(array)
      return copy
    }
    this.worker = larger(this.worker)
    this.template = larger(this.template)
    this.staleness = larger(this.staleness)
    this.startUs = larger(this.startUs)
    this.endUs = larger(this.endUs)
    this.usedShare = larger(this.usedShare)
    this.waitedUs = larger(this.waitedUs)
  }
}
