/** The block of memory of one simulation: how large it is, and what stands in it before the first event (assembly/layout.ts, plan.ts). */
import { hasPriority, planChunkQueues } from './chunkQueues.ts'
import { flowLimitMatters, workerLinksMatter } from './cluster.ts'
import type { gradientsOf } from './gradients.ts'
import { type Cluster, type Job, OperationKind, type RunOptions } from './job.ts'
import type { Core } from './loadCore.ts'
import { LUCK_STREAMS, STRAGGLE_STREAMS, writeRandomSeed } from './randomSeed.ts'
import { shareRows, writeShares } from './shares.ts'
import { TooLargeError } from './simulationError.ts'

/** Completed steps are taken out of the core's memory when so many have gathered. */
const RECORD_CAPACITY = 1024
/** Faster than any network and still finite, as the link clocks need it. */
const UNLIMITED_BYTES_PER_US = 1e15

/** What decides the block. */
interface Parts {
  core: Core
  job: Job
  cluster: Cluster
  gradients: ReturnType<typeof gradientsOf>
  options: RunOptions
}

/**
 * Takes and fills the block of a simulation, and the place of its events.
 *
 * @param jobAddress of the job's own block (acquireJob)
 * @returns the address of the block and its length, bytes
 * @throws TooLargeError when it exceeds 32-bit memory
 */
export function createBlock(parts: Parts, jobAddress: number): { sim: number; bytes: number } {
  const { core, job, cluster, options, gradients } = parts
  const { layout, functions, arena } = core
  const longIndex = longStreams(job, cluster)
  const waiting = waitingStreams(job, cluster, longIndex)
  const queues = planChunkQueues(job, cluster, layout)
  const header = arena.allocate(layout.SIM_HEADER_BYTES)
  const logWorkers = Math.min(options.logWorkers ?? 0, cluster.workers.length)
  const counts: Record<string, number> = {
    SIM_JOB: jobAddress,
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
    SIM_LOG_CAPACITY: logWorkers > 0 ? 2 * job.operations + 4096 : 0,
    SIM_IN_ORDER: options.inOrder === true ? 1 : 0,
    SIM_WORKER_LINKS: workerLinksMatter(cluster) ? 1 : 0,
    SIM_FLOW_LINKS: cluster.servers.length > 1 && flowLimitMatters(cluster) ? 1 : 0,
    SIM_COLOCATED: cluster.colocate === true ? 1 : 0,
    SIM_SHARE_ROWS: shareRows(cluster.shares).pull.length,
    ...modeCounts(parts)
  }
  for (const [field, value] of Object.entries(counts)) new DataView(arena.buffer).setInt32(header + layout[field], value, true)
  const bytes = functions.plan(header)
  const counted = new Uint8Array(arena.buffer, header, layout.SIM_HEADER_BYTES).slice()
  arena.release(header)
  if (bytes === 0) throw new TooLargeError(`${cluster.workers.length} workers need more than 2 GiB of memory`)
  const sim = arena.allocate(bytes)
  let events = 0
  try {
    new Uint8Array(arena.buffer, sim, counted.length).set(counted)
    functions.plan(sim)
    const capacity = Math.max(1024, 4 * cluster.workers.length) + 2 * job.operations
    events = arena.allocate(capacity * layout.EVENT_BYTES)
    const indices: Record<string, Int32Array> = {
      SIM_LONG_INDEX: longIndex,
      SIM_WAITING_INDEX: waiting.index,
      SIM_QUEUE_PLACE: queues.place
    }
    if (cluster.mode?.kind === 'sync') indices.SIM_GRADIENT_INDEX = gradients.index
    fill(parts, sim, { address: events, capacity }, indices)
  } catch (error) {
    if (events !== 0) arena.release(events)
    arena.release(sim)
    throw error
  }
  return { sim, bytes }
}

function modeCounts({ core: { layout }, cluster: { mode, workers }, gradients }: Parts): Record<string, number> {
  if (mode?.kind === 'sync')
    return {
      SIM_MODE: layout.MODE_SYNC,
      SIM_NEEDED: workers.length - mode.backup,
      SIM_GRADIENTS: gradients.count
    }
  if (mode?.kind === 'ssp' && mode.staleness < Infinity) return { SIM_MODE: layout.MODE_SSP, SIM_STALENESS_BOUND: mode.staleness }
  return { SIM_MODE: layout.MODE_ASYNC }
}

function fill(
  { core: { layout, arena }, job, cluster, options }: Parts,
  sim: number,
  events: { address: number; capacity: number },
  indices: Record<string, Int32Array>
): void {
  const view = new DataView(arena.buffer)
  const int = (address: number, value: number) => view.setInt32(address, value, true)
  const double = (address: number, value: number) => view.setFloat64(address, value, true)
  const region = (field: string) => view.getInt32(sim + layout[field], true)
  int(sim + layout.SIM_EVENTS, events.address)
  int(sim + layout.SIM_EVENT_CAPACITY, events.capacity)
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
    const isPulled = job.kind.some((kind, operation) => kind === OperationKind.pull && job.server[operation] === i)
    int(region('SIM_SERVER_STATE') + i * layout.SERVER_BYTES + layout.SERVER_PULLED, isPulled ? 1 : 0)
    int(
      region('SIM_SERVER_STATE') + i * layout.SERVER_BYTES + layout.SERVER_UPDATE_SLOTS,
      server.updateSlots ?? cluster.updateSlots
    )
    setCapacity(i, server.outBytesPerUs)
    setCapacity(servers + i, server.inBytesPerUs)
  })
  const withLinks = view.getInt32(sim + layout.SIM_WORKER_LINKS, true) !== 0
  const { seed, replication } = options
  const drawsShares = shareRows(cluster.shares).pull.length > 0
  const [firstWorker, stride] = [region('SIM_WORKER'), region('SIM_WORKER_STRIDE')]
  const { WORKER_COMPUTE_SCALE, WORKER_HOST_SCALE, WORKER_LATENCY, WORKER_RANDOM, WORKER_LUCK } = layout
  cluster.workers.forEach((worker, i) => {
    const address = firstWorker + i * stride
    double(address + WORKER_COMPUTE_SCALE, worker.computeScale)
    double(address + WORKER_LATENCY, worker.latencyUs)
    double(address + WORKER_HOST_SCALE, worker.computeScale)
    writeRandomSeed(view, address + WORKER_RANDOM, seed, replication, i)
    if (drawsShares) writeRandomSeed(view, address + WORKER_LUCK, seed, replication, LUCK_STREAMS + i)
    if (worker.straggler !== undefined) {
      double(address + layout.WORKER_STRAGGLE_PROBABILITY, worker.straggler.probability)
      double(address + layout.WORKER_STRAGGLE_FACTOR, worker.straggler.factor)
      writeRandomSeed(view, address + layout.WORKER_STRAGGLE, seed, replication, STRAGGLE_STREAMS + i)
    }
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
function longStreams(job: Job, cluster: Cluster): Int32Array {
  const index = new Int32Array(job.operations).fill(-1)
  let count = 0
  for (let operation = 0; operation < job.operations; operation++) {
    if (job.kind[operation] !== OperationKind.pull && job.kind[operation] !== OperationKind.push) continue
    if (hasPriority(cluster, job.kind[operation])) continue
    for (let template = 0; template < job.templates; template++) {
      const at = template * job.operations + operation
      if (job.amount[at] > (job.firstTurnBytes?.[at] ?? cluster.turns.first)) {
        index[operation] = count++
        break
      }
    }
  }
  return index
}

/** The transfers that a connection's list can hold, pulls first: all but those in chunks and pulls that their connection's cursor finds and that never have a rest. */
function waitingStreams(job: Job, cluster: Cluster, longIndex: Int32Array): { index: Int32Array; count: number; pulls: number } {
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
