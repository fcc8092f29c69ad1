import { hasPriority, planChunkQueues } from './chunkQueues.ts'
import { checkCluster, flowLimitMatters, workerLinksMatter } from './cluster.ts'
import { gradientsOf } from './gradients.ts'
import { type Cluster, type Job, type LogEntry, OperationKind, type RunOptions, type Statistics, type StepRecords } from './job.ts'
import { acquireJob, releaseJob } from './jobBlock.ts'
import type { Core } from './loadCore.ts'
import { LUCK_STREAMS, randomSeed, STRAGGLE_STREAMS } from './randomSeed.ts'
import { RecordStore } from './recordStore.ts'
import { shareRows, writeShares } from './shares.ts'
import { SimulationError, TooLargeError, withinMemory } from './simulationError.ts'

/** Completed steps are taken out of the core's memory when so many have gathered. */
const RECORD_CAPACITY = 1024
/** Faster than any network and still finite, as the link clocks need it. */
const UNLIMITED_BYTES_PER_US = 1e15

/**
 * One run of a job on a cluster. Everything is decided by the arguments: the same ones give the same bits, whatever else lives in the core.
 * Call free() when done: the memory is the core's, not the garbage collector's.
 */
export class Simulation {
  private readonly sim: number
  private blockBytes = 0
  private events: number
  private readonly store: RecordStore
  private readonly gradients: { index: Int32Array; count: number }
  private freed = false

  /** Throws SimulationError when job or cluster are inconsistent, its subclass TooLargeError when they exceed 32-bit memory. */
  constructor(
    private readonly core: Core,
    private readonly job: Job,
    private readonly cluster: Cluster,
    options: RunOptions
  ) {
    checkCluster(cluster, job)
    this.gradients = gradientsOf(job)
    const isSynchronous = cluster.mode?.kind === 'sync'
    this.store = new RecordStore(core.layout, options.logSteps, isSynchronous ? Math.max(1, this.gradients.count) : 0)
    const jobAddress = withinMemory(() => acquireJob(core, job))
    try {
      this.sim = withinMemory(() => this.createBlock(jobAddress, options))
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

  // ---------------------------------------------------------------------------------------------- memory

  private createBlock(job: number, options: RunOptions): number {
    const { cluster } = this
    const { layout, functions, arena } = this.core
    const longIndex = this.longStreams()
    const waiting = this.waitingStreams(longIndex)
    const queues = planChunkQueues(this.job, cluster, layout)
    const header = arena.allocate(layout.SIM_HEADER_BYTES)
    const logWorkers = Math.min(options.logWorkers ?? 0, cluster.workers.length)
    const counts: Record<string, number> = {
      SIM_JOB: job,
      SIM_WORKERS: cluster.workers.length,
      SIM_SERVERS: cluster.servers.length,
      SIM_COMPUTE_SLOTS: cluster.computeSlots,
      SIM_UPDATE_SLOTS: Math.max(...cluster.servers.map(server => server.updateSlots ?? cluster.updateSlots)),
      SIM_WORKER_PARSE_SLOTS: cluster.workerParse.slots,
      SIM_SERVER_PARSE_SLOTS: cluster.serverParse.slots,
      SIM_MESSAGE_SLOTS: cluster.sharedServerCpu === true ? 0 : (cluster.serverMessage?.slots ?? 0),
      SIM_LONG_STREAMS: longIndex.reduce((max, index) => Math.max(max, index + 1), 0),
      SIM_WAITING: waiting.count,
      SIM_WAITING_PULLS: waiting.pulls,
      // What does not fit into 32 bits does not fit into memory.
      SIM_QUEUE_BYTES: Math.min(queues.bytes, 2 ** 31 - 8),
      SIM_LOG_WORKERS: logWorkers,
      SIM_RECORD_CAPACITY: RECORD_CAPACITY,
      SIM_LOG_CAPACITY: logWorkers > 0 ? 2 * this.job.operations + 4096 : 0,
      SIM_IN_ORDER: options.inOrder === true ? 1 : 0,
      SIM_WORKER_LINKS: workerLinksMatter(cluster) ? 1 : 0,
      SIM_FLOW_LINKS: cluster.servers.length > 1 && flowLimitMatters(cluster) ? 1 : 0,
      SIM_COLOCATED: cluster.colocate === true ? 1 : 0,
      SIM_SHARE_ROWS: shareRows(cluster.shares).pull.length,
      ...this.modeCounts()
    }
    for (const [field, value] of Object.entries(counts)) new DataView(arena.buffer).setInt32(header + layout[field], value, true)
    const bytes = functions.plan(header)
    const counted = new Uint8Array(arena.buffer, header, layout.SIM_HEADER_BYTES).slice()
    arena.release(header)
    if (bytes === 0) throw new TooLargeError(`${cluster.workers.length} workers need more than 2 GiB of memory`)
    const sim = arena.allocate(bytes)
    this.blockBytes = bytes
    try {
      new Uint8Array(arena.buffer, sim, counted.length).set(counted)
      functions.plan(sim)
      const capacity = Math.max(1024, 4 * cluster.workers.length) + 2 * this.job.operations
      const events = arena.allocate(capacity * layout.EVENT_BYTES)
      const indices: Record<string, Int32Array> = {
        SIM_LONG_INDEX: longIndex,
        SIM_WAITING_INDEX: waiting.index,
        SIM_QUEUE_PLACE: queues.place
      }
      if (cluster.mode?.kind === 'sync') indices.SIM_GRADIENT_INDEX = this.gradients.index
      this.fill(sim, events, capacity, indices, options)
    } catch (error) {
      arena.release(sim)
      throw error
    }
    return sim
  }

  private modeCounts(): Record<string, number> {
    const { layout } = this.core
    const { mode, workers } = this.cluster
    if (mode?.kind === 'sync')
      return {
        SIM_MODE: layout.MODE_SYNC,
        SIM_NEEDED: workers.length - mode.backup,
        SIM_GRADIENTS: this.gradients.count
      }
    if (mode?.kind === 'ssp' && mode.staleness < Infinity) return { SIM_MODE: layout.MODE_SSP, SIM_STALENESS_BOUND: mode.staleness }
    return { SIM_MODE: layout.MODE_ASYNC }
  }

  private fill(sim: number, events: number, capacity: number, indices: Record<string, Int32Array>, options: RunOptions): void {
    const { cluster } = this
    const { layout, arena } = this.core
    const view = new DataView(arena.buffer)
    const int = (address: number, value: number) => view.setInt32(address, value, true)
    const double = (address: number, value: number) => view.setFloat64(address, value, true)
    const region = (field: string) => view.getInt32(sim + layout[field], true)
    int(sim + layout.SIM_EVENTS, events)
    int(sim + layout.SIM_EVENT_CAPACITY, capacity)
    const parameters: Record<string, number> = {
      SIM_TURN_FIRST: Math.min(cluster.turns.first, Number.MAX_VALUE),
      SIM_TURN_LATER: Math.min(cluster.turns.later, Number.MAX_VALUE),
      SIM_STEP_OVERHEAD: cluster.stepOverheadUs,
      SIM_WORKER_PARSE_PER_BYTE: cluster.workerParse.perByteUs,
      SIM_WORKER_PARSE_FIXED: cluster.workerParse.fixedUs,
      SIM_SERVER_PARSE_PER_BYTE: cluster.serverParse.perByteUs,
      SIM_SERVER_PARSE_FIXED: cluster.serverParse.fixedUs,
      SIM_MESSAGE_PER_BYTE: cluster.serverMessage?.pullPerByteUs ?? 0,
      SIM_MESSAGE_FIXED: cluster.serverMessage?.pullFixedUs ?? 0,
      SIM_ACK_FRACTION: cluster.ackFraction,
      SIM_BURST: cluster.burstBytes ?? 0,
      SIM_PARTITION: cluster.priority?.partitionBytes ?? Infinity,
      SIM_CREDIT: cluster.priority?.creditBytes ?? Infinity,
      SIM_CHUNK_US: cluster.priority?.chunkUs ?? 0,
      SIM_PHASE_SPAN: options.phaseSpanUs,
      SIM_ACCUMULATE_SCALE: cluster.mode?.kind === 'sync' ? cluster.mode.accumulateScale : 0
    }
    for (const [field, value] of Object.entries(parameters)) double(sim + layout[field], value)
    double(sim + layout.SIM_START_DELAY, cluster.startDelayUs?.pull ?? 0)
    double(sim + layout.SIM_START_DELAY + 8, cluster.startDelayUs?.push ?? 0)
    double(sim + layout.SIM_QUEUE, cluster.queueUs?.pull ?? 0)
    double(sim + layout.SIM_QUEUE + 8, cluster.queueUs?.push ?? 0)
    writeShares(view, layout, region('SIM_SHARE_TABLE'), cluster.shares)
    for (const [field, index] of Object.entries(indices)) new Int32Array(arena.buffer, region(field), index.length).set(index)

    const servers = cluster.servers.length
    const workers = cluster.workers.length
    const flowBytesPerUs = cluster.flowBytesPerUs ?? Infinity
    const setCapacity = (link: number, rate: number, most = Infinity) => {
      const address = region('SIM_LINK') + link * layout.LINK_BYTES
      double(address + layout.LINK_CAPACITY, Math.min(rate, UNLIMITED_BYTES_PER_US))
      double(address + layout.LINK_MOST, Math.min(most, UNLIMITED_BYTES_PER_US))
    }
    cluster.servers.forEach((server, i) => {
      double(region('SIM_SERVER_STATE') + i * layout.SERVER_BYTES + layout.SERVER_UPDATE_SCALE, server.updateScale)
      const isPulled = this.job.kind.some((kind, operation) => kind === OperationKind.pull && this.job.server[operation] === i)
      int(region('SIM_SERVER_STATE') + i * layout.SERVER_BYTES + layout.SERVER_PULLED, isPulled ? 1 : 0)
      int(
        region('SIM_SERVER_STATE') + i * layout.SERVER_BYTES + layout.SERVER_UPDATE_SLOTS,
        server.updateSlots ?? cluster.updateSlots
      )
      setCapacity(i, server.outBytesPerUs)
      setCapacity(servers + i, server.inBytesPerUs)
    })
    const withLinks = view.getInt32(sim + layout.SIM_WORKER_LINKS, true) !== 0
    cluster.workers.forEach((worker, i) => {
      const address = region('SIM_WORKER') + i * view.getInt32(sim + layout.SIM_WORKER_STRIDE, true)
      double(address + layout.WORKER_COMPUTE_SCALE, worker.computeScale)
      double(address + layout.WORKER_LATENCY, worker.latencyUs)
      double(address + layout.WORKER_HOST_SCALE, worker.computeScale)
      double(address + layout.WORKER_STRAGGLE_PROBABILITY, worker.straggler?.probability ?? 0)
      double(address + layout.WORKER_STRAGGLE_FACTOR, worker.straggler?.factor ?? 1)
      randomSeed(options.seed, options.replication, STRAGGLE_STREAMS + i).forEach((word, j) => {
        int(address + layout.WORKER_STRAGGLE + 4 * j, word)
      })
      randomSeed(options.seed, options.replication, i).forEach((word, j) => {
        int(address + layout.WORKER_RANDOM + 4 * j, word)
      })
      randomSeed(options.seed, options.replication, LUCK_STREAMS + i).forEach((word, j) => {
        int(address + layout.WORKER_LUCK + 4 * j, word)
      })
      if (!withLinks) return
      const most = servers === 1 ? flowBytesPerUs : Infinity
      setCapacity(2 * servers + i, worker.inBytesPerUs, most)
      setCapacity(2 * servers + workers + i, worker.outBytesPerUs, most)
    })
    let next = 2 * (servers + workers)
    if (view.getInt32(sim + layout.SIM_FLOW_LINKS, true) !== 0) {
      for (let i = 0; i < 2 * workers * servers; i++) setCapacity(next++, flowBytesPerUs)
    }
    if (cluster.colocate === true) {
      for (let i = 0; i < 2 * servers; i++) setCapacity(next++, cluster.loopbackBytesPerUs ?? Infinity)
    }
  }

  /** [n] ordinal of each transfer that can need more than one turn; −1 for the rest. */
  private longStreams(): Int32Array {
    const { job } = this
    const index = new Int32Array(job.operations).fill(-1)
    let count = 0
    for (let operation = 0; operation < job.operations; operation++) {
      if (job.kind[operation] !== OperationKind.pull && job.kind[operation] !== OperationKind.push) continue
      if (hasPriority(this.cluster, job.kind[operation])) continue
      for (let template = 0; template < job.templates; template++) {
        const at = template * job.operations + operation
        if (job.amount[at] > (job.firstTurnBytes?.[at] ?? this.cluster.turns.first)) {
          index[operation] = count++
          break
        }
      }
    }
    return index
  }

  /** The transfers that a connection's list can hold, pulls first: all but those in chunks and pulls that their connection's cursor finds and that never have a rest. */
  private waitingStreams(longIndex: Int32Array): { index: Int32Array; count: number; pulls: number } {
    const { job, cluster } = this
    const { pullPerByteUs = 0, pullFixedUs = 0 } = cluster.serverMessage ?? {}
    const isPrepared = pullPerByteUs > 0 || pullFixedUs > 0
    const index = new Int32Array(job.operations).fill(-1)
    let count = 0
    job.kind.forEach((kind, operation) => {
      const isWaiting = isPrepared || job.dependencies[operation] > 0 || longIndex[operation] >= 0
      if (kind === OperationKind.pull && isWaiting && !hasPriority(cluster, kind)) index[operation] = count++
    })
    const pulls = count
    job.kind.forEach((kind, operation) => {
      if (kind === OperationKind.push && !hasPriority(cluster, kind)) index[operation] = count++
    })
    return { index, count, pulls }
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
