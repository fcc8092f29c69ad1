import { checkCluster } from './cluster.ts'
import { gradientsOf } from './gradients.ts'
import type { Cluster, Job, LogEntry, RunOptions, Statistics, StepRecords } from './job.ts'
import { acquireJob, releaseJob } from './jobBlock.ts'
import type { Core } from './loadCore.ts'
import { RecordStore } from './recordStore.ts'
import { createBlock } from './simulationBlock.ts'
import { SimulationError, withinMemory } from './simulationError.ts'

/**
 * One run of a job on a cluster. Everything is decided by the arguments: the same ones give the same bits, whatever else lives in the core.
 * Call free() when done: the memory is the core's, not the garbage collector's.
 */
export class Simulation {
  private readonly sim: number
  private readonly blockBytes: number
  private events: number
  private readonly store: RecordStore
  private freed = false

  /** Throws SimulationError when job or cluster are inconsistent, its subclass TooLargeError when they exceed 32-bit memory. */
  constructor(
    private readonly core: Core,
    private readonly job: Job,
    private readonly cluster: Cluster,
    options: RunOptions
  ) {
    checkCluster(cluster, job)
    const gradients = gradientsOf(job)
    const isSynchronous = cluster.mode?.kind === 'sync'
    this.store = new RecordStore(core.layout, options.logSteps, isSynchronous ? Math.max(1, gradients.count) : 0)
    const jobAddress = withinMemory(() => acquireJob(core, job))
    try {
      const parts = { core, job, cluster, gradients, options }
      const { sim, bytes } = withinMemory(() => createBlock(parts, jobAddress))
      this.sim = sim
      this.blockBytes = bytes
    } catch (error) {
      releaseJob(core, job)
      throw error
    }
    this.events = this.readInt('SIM_EVENTS')
    core.functions.initialise(this.sim)
  }

  /**
   * Goes on until `steps` steps of all workers have completed since the start ("done") or about `maxEvents` events were taken in this call ("paused").
   * Throws SimulationError when nothing is left to happen: a cyclic graph; TooLargeError when what is under way does not fit into memory.
   */
  run(steps: number, maxEvents = Number.POSITIVE_INFINITY): 'done' | 'paused' {
    return withinMemory(() => this.runUnguarded(steps, maxEvents))
  }

  private runUnguarded(steps: number, maxEvents: number): 'done' | 'paused' {
    const { layout, functions } = this.core
    let budget = maxEvents
    while (true) {
      const before = this.readDouble('SIM_EVENTS_TAKEN')
      const status = functions.run(this.sim, steps, budget)
      budget -= this.readDouble('SIM_EVENTS_TAKEN') - before
      if (status === layout.STATUS_DONE) return 'done'
      if (status === layout.STATUS_EVENTS_FULL) this.growEvents()
      else if (status === layout.STATUS_RECORDS_FULL || status === layout.STATUS_LOG_FULL) this.drain()
      else if (status === layout.STATUS_DEADLOCK) {
        throw new SimulationError(`nothing is left to happen after ${this.completedSteps} steps: the job's graph has a cycle`)
      }
      if (budget <= 0) return 'paused'
    }
  }

  /** Steps of all workers completed since the start. */
  get completedSteps(): number {
    return this.readDouble('SIM_COMPLETED_STEPS')
  }

  /**
   * Rounds that have ended, and when the last of them did: in sync those whose updates have all run, in ssp with a bound the steps that every worker
   * has completed. 0 in async.
   */
  get rounds(): { count: number; endUs: number } {
    return { count: this.readInt('SIM_ROUND'), endUs: this.readDouble('SIM_ROUND_END') }
  }

  /** Simulated time. */
  get timeUs(): number {
    return this.readDouble('SIM_NOW')
  }

  /** Of the core's memory, without the job, which simulations share: a part for each worker (docs/architecture.md) and a little more. */
  get memoryBytes(): number {
    return this.blockBytes + this.readInt('SIM_EVENT_CAPACITY') * this.core.layout.EVENT_BYTES
  }

  /** The steps completed since the start or the last clearRecords(), in that order. */
  records(): StepRecords {
    this.drain()
    return this.store.records()
  }

  /** Forgets completed steps and log entries. */
  clearRecords(): void {
    this.drain()
    this.store.clear()
  }

  /** The operations of the logged workers executed since the start or the last clearRecords(); transfers when their last byte was sent. */
  log(): LogEntry[] {
    this.drain()
    return this.store.log
  }

  statistics(): Statistics {
    const { layout, arena } = this.core
    const view = new DataView(arena.buffer)
    const { workers, servers } = this.cluster
    const now = this.timeUs
    const gather = (count: number, region: string, bytes: number, field: string, first = 0) =>
      Float64Array.from({ length: count }, (_, i) =>
        view.getFloat64(this.readInt(region) + (first + i) * bytes + layout[field], true)
      )
    const busy = (first: number) =>
      Float64Array.from({ length: servers.length }, (_, i) => {
        const link = this.readInt('SIM_LINK') + (first + i) * layout.LINK_BYTES
        const underWay = view.getInt32(link + layout.LINK_CROSSING, true) > 0
        return (
          view.getFloat64(link + layout.LINK_BUSY_US, true) + (underWay ? now - view.getFloat64(link + layout.LINK_SINCE, true) : 0)
        )
      })
    // Loopback links come last.
    const loopbacks = this.readInt('SIM_LINK_TIME_COUNT') - 2 * servers.length
    const sent = (first: number) => {
      const bytes = gather(servers.length, 'SIM_LINK', layout.LINK_BYTES, 'LINK_SENT_BYTES', first)
      if (this.cluster.colocate !== true) return bytes
      const atHome = gather(servers.length, 'SIM_LINK', layout.LINK_BYTES, 'LINK_SENT_BYTES', loopbacks + first)
      return bytes.map((value, i) => value + atHome[i])
    }
    const updateBusyUs = gather(servers.length, 'SIM_SERVER_STATE', layout.SERVER_BYTES, 'SERVER_UPDATE_BUSY')
    const messageBusyUs = gather(servers.length, 'SIM_SERVER_STATE', layout.SERVER_BYTES, 'SERVER_MESSAGE_BUSY')
    return {
      elapsedUs: now - this.readDouble('SIM_STATISTICS_SINCE'),
      events: this.readDouble('SIM_EVENTS_TAKEN'),
      computeBusyUs: gather(workers.length, 'SIM_WORKER', this.readInt('SIM_WORKER_STRIDE'), 'WORKER_COMPUTE_BUSY'),
      updateBusyUs,
      serverCpuBusyUs: updateBusyUs.map((us, i) => us + messageBusyUs[i]),
      pullBytes: sent(0),
      pushBytes: sent(servers.length),
      pullBusyUs: busy(0),
      pushBusyUs: busy(servers.length)
    }
  }

  /** Counts utilisation from now on: warm-up stays out of it. */
  resetStatistics(): void {
    this.core.functions.resetStatistics(this.sim)
  }

  /** Gives the memory back; the object must not be used afterwards. */
  free(): void {
    if (this.freed) return
    this.freed = true
    this.core.arena.release(this.events)
    this.core.arena.release(this.sim)
    releaseJob(this.core, this.job)
  }

  private growEvents(): void {
    const { layout, arena } = this.core
    const capacity = this.readInt('SIM_EVENT_CAPACITY')
    const count = this.readInt('SIM_EVENT_COUNT')
    const larger = arena.allocate(2 * capacity * layout.EVENT_BYTES)
    new Uint8Array(arena.buffer).copyWithin(larger, this.events, this.events + count * layout.EVENT_BYTES)
    arena.release(this.events)
    this.events = larger
    const view = new DataView(arena.buffer)
    view.setInt32(this.sim + layout.SIM_EVENTS, larger, true)
    view.setInt32(this.sim + layout.SIM_EVENT_CAPACITY, 2 * capacity, true)
  }

  private drain(): void {
    const { layout, arena } = this.core
    const view = new DataView(arena.buffer)
    this.store.takeRecords(view, this.readInt('SIM_RECORD'), this.readInt('SIM_RECORD_COUNT'))
    this.store.takeLog(view, this.readInt('SIM_LOG'), this.readInt('SIM_LOG_COUNT'))
    view.setInt32(this.sim + layout.SIM_RECORD_COUNT, 0, true)
    view.setInt32(this.sim + layout.SIM_LOG_COUNT, 0, true)
  }

  private readInt(field: string): number {
    return new DataView(this.core.arena.buffer).getInt32(this.sim + this.core.layout[field], true)
  }

  private readDouble(field: string): number {
    if (this.freed) throw new SimulationError('the simulation was freed')
    return new DataView(this.core.arena.buffer).getFloat64(this.sim + this.core.layout[field], true)
  }
}
