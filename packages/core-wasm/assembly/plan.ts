/** Where the regions of a simulation block lie (layout.ts has what is in them). */

import { gradientCount } from './gradients'
import {
  CONNECTION_BYTES,
  GRADIENT_BYTES,
  JOB_JOINS,
  JOB_OPERATIONS,
  JOIN_LEFT_BYTES,
  JOIN_READY_BYTES,
  LINK_BYTES,
  LOG_BYTES,
  LONG_BYTES,
  MODE_SSP,
  MODE_SYNC,
  RECORD_BYTES,
  SERVER_BYTES,
  SHARE_BYTES,
  SHARING_BYTES,
  SIM_CHUNK_QUEUE,
  SIM_COLOCATED,
  SIM_COMPUTE_SLOTS,
  SIM_CONNECTION,
  SIM_FLOW_LINKS,
  SIM_GRADIENT,
  SIM_GRADIENT_INDEX,
  SIM_HEADER_BYTES,
  SIM_JOB,
  SIM_JOIN_LEFT,
  SIM_JOIN_READY,
  SIM_KEY,
  SIM_LINK,
  SIM_LINK_ORDERS,
  SIM_LINK_POSITION,
  SIM_LINK_TIMES,
  SIM_LOG,
  SIM_LOG_CAPACITY,
  SIM_LOG_READY,
  SIM_LOG_WORKERS,
  SIM_LONG,
  SIM_LONG_INDEX,
  SIM_LONG_STREAMS,
  SIM_MESSAGE_SLOTS,
  SIM_MIXED_LIST,
  SIM_MODE,
  SIM_NEXT,
  SIM_OPEN_LIST,
  SIM_QUEUE_BYTES,
  SIM_QUEUE_PLACE,
  SIM_RECORD,
  SIM_RECORD_CAPACITY,
  SIM_RING,
  SIM_SERVER_PARSE_SLOTS,
  SIM_SERVER_STATE,
  SIM_SERVER_STATION,
  SIM_SERVERS,
  SIM_SHARE_ROWS,
  SIM_SHARE_TABLE,
  SIM_SHARING,
  SIM_STALENESS_BOUND,
  SIM_STATION,
  SIM_UPDATE_SLOTS,
  SIM_WAITING,
  SIM_WAITING_INDEX,
  SIM_WAITING_PULLS,
  SIM_WATCH_ORDERS,
  SIM_WATCH_POSITION,
  SIM_WORK,
  SIM_WORKER,
  SIM_WORKER_LINKS,
  SIM_WORKER_PARSE_SLOTS,
  SIM_WORKER_STRIDE,
  SIM_WORKERS,
  TAG_BYTES,
  WORK_BYTES,
  WORKER_BYTES
} from './layout'
import { stationBytes } from './slots'
import { tagRoom } from './tagOrder'

const LINE_BYTES: i32 = 64
const MOST_BYTES: f64 = 2147483647.0

/** Server links come first, then those of the workers, then those of single connections, then loopback links. */
export function linkCount(sim: i32): i32 {
  const servers = i32.load(sim, SIM_SERVERS)
  const workers = i32.load(sim, SIM_WORKERS)
  const ofWorkers = i32.load(sim, SIM_WORKER_LINKS) !== 0 ? 2 * workers : 0
  const ofConnections = i32.load(sim, SIM_FLOW_LINKS) !== 0 ? 2 * workers * servers : 0
  return 2 * servers + ofWorkers + ofConnections + (i32.load(sim, SIM_COLOCATED) !== 0 ? 2 * servers : 0)
}

function aligned(bytes: i32): i32 {
  return (bytes + 7) & -8
}

/** In the order of a filling stand workers; where it may be of both directions, also the connections between the servers' hosts. */
export function fillingMost(sim: i32): f64 {
  const workers = f64(i32.load(sim, SIM_WORKERS))
  const servers = f64(i32.load(sim, SIM_SERVERS))
  return i32.load(sim, SIM_COLOCATED) !== 0 ? 2 * workers + 2 * servers * servers : workers
}

/** The address of the line of a cache that begins at `address` or next after it. */
function onLine(address: i32): i32 {
  return (address + LINE_BYTES - 1) & -LINE_BYTES
}

/** Lays out what belongs to one worker, as offsets from its record, and returns its bytes (in f64 until they are known to fit). */
function planWorker(sim: i32, job: i32): f64 {
  const joins: f64 = f64(i32.load(job, JOB_JOINS)) * (JOIN_LEFT_BYTES + JOIN_READY_BYTES)
  const lists: f64 = f64(i32.load(sim, SIM_WAITING) + i32.load(sim, SIM_WAITING_PULLS)) * 4
  const long: f64 = f64(i32.load(sim, SIM_LONG_STREAMS)) * LONG_BYTES
  const stations = stationBytes(i32.load(sim, SIM_COMPUTE_SLOTS)) + stationBytes(i32.load(sim, SIM_WORKER_PARSE_SLOTS))
  const total: f64 = WORKER_BYTES + f64(stations) + joins + lists + long + i32.load(sim, SIM_QUEUE_BYTES) + LINE_BYTES + 48
  if (total > MOST_BYTES) return total
  let end = WORKER_BYTES
  i32.store(sim, end, SIM_STATION)
  end += stations
  i32.store(sim, end, SIM_JOIN_LEFT)
  end = aligned(end + i32.load(job, JOB_JOINS) * JOIN_LEFT_BYTES)
  i32.store(sim, end, SIM_JOIN_READY)
  end += i32.load(job, JOB_JOINS) * JOIN_READY_BYTES
  i32.store(sim, end, SIM_LONG)
  end += i32(long)
  i32.store(sim, end, SIM_NEXT)
  end = aligned(end + 4 * i32.load(sim, SIM_WAITING))
  i32.store(sim, end, SIM_KEY)
  end = aligned(end + 4 * i32.load(sim, SIM_WAITING_PULLS))
  i32.store(sim, end, SIM_CHUNK_QUEUE)
  end = onLine(end + i32.load(sim, SIM_QUEUE_BYTES))
  i32.store(sim, end, SIM_WORKER_STRIDE)
  return f64(end)
}

/**
 * Lays the regions of a simulation behind its header at `sim`, whose counts are set, and returns the bytes of the whole block
 * (0 when they exceed 2 GiB: addresses are 32-bit). Call it again after copying the header elsewhere: addresses are absolute.
 */
export function plan(sim: i32): f64 {
  const job = i32.load(sim, SIM_JOB)
  const n = i32.load(job, JOB_OPERATIONS)
  const workers = i32.load(sim, SIM_WORKERS)
  const servers = i32.load(sim, SIM_SERVERS)
  const withFlowLinks = i32.load(sim, SIM_FLOW_LINKS) !== 0
  // Products in f64 until they are known to fit: 65,536 workers on 32,768 servers have 2³² connections, which is 0 in i32.
  const connectionCount: f64 = 2 * f64(workers) * f64(servers)
  const withWorkerLinks = i32.load(sim, SIM_WORKER_LINKS) !== 0
  const isColocated = i32.load(sim, SIM_COLOCATED) !== 0
  const loopbacks: f64 = isColocated ? 2 * f64(servers) : 0
  // Each of its links may hold a connection's tag. Links of a server on a worker's host also hold what that worker exchanges with the servers.
  const ofServerLinks: f64 = 2 * f64(servers) * tagRoom(f64(workers) + (isColocated ? f64(servers) : 0))
  const ofWorkerLinks: f64 = withWorkerLinks ? 2 * f64(workers) * tagRoom(f64(servers)) : 0
  const tagCount: f64 = ofServerLinks + ofWorkerLinks + (withFlowLinks ? connectionCount : 0) + loopbacks
  // Each connection may be in one of two orders of its server's link.
  const watchCount: f64 = withWorkerLinks ? 4 * f64(servers) * tagRoom(f64(workers)) + tagRoom(fillingMost(sim)) : 0
  const ofWorkers: f64 = withWorkerLinks ? 2 * f64(workers) : 0
  const links: f64 = 2 * f64(servers) + ofWorkers + (withFlowLinks ? connectionCount : 0) + loopbacks
  const ofServer =
    stationBytes(i32.load(sim, SIM_UPDATE_SLOTS)) +
    stationBytes(i32.load(sim, SIM_SERVER_PARSE_SLOTS)) +
    stationBytes(i32.load(sim, SIM_MESSAGE_SLOTS))

  let total: f64 = SIM_HEADER_BYTES
  total += f64(workers) * planWorker(sim, job)
  total += connectionCount * (CONNECTION_BYTES + 4) + tagCount * TAG_BYTES + links * (LINK_BYTES + 4)
  total += f64(servers) * (SERVER_BYTES + f64(ofServer) + 2 * LINE_BYTES)
  total += f64(i32.load(sim, SIM_RECORD_CAPACITY)) * RECORD_BYTES + f64(i32.load(sim, SIM_LOG_CAPACITY)) * LOG_BYTES
  total += f64(i32.load(sim, SIM_LOG_WORKERS)) * f64(n) * 16 + (8 + WORK_BYTES) * f64(n) + 4096
  total += 2 * f64(i32.load(sim, SIM_SHARE_ROWS)) * SHARE_BYTES + 16 * f64(servers)
  if (withWorkerLinks)
    total += watchCount * TAG_BYTES + 4 * connectionCount + 8 * f64(workers) + 2 * f64(servers) * (SHARING_BYTES + 4)
  const isSynchronous = i32.load(sim, SIM_MODE) === MODE_SYNC
  const gradients = isSynchronous ? gradientCount(sim) : 0
  const gradientIndices = isSynchronous ? n : 0
  const ring: f64 = i32.load(sim, SIM_MODE) === MODE_SSP ? f64(i32.load(sim, SIM_STALENESS_BOUND)) + 2 : 0
  total += GRADIENT_BYTES * f64(gradients) + 4 * f64(gradientIndices) + 4 * ring
  if (f64(sim) + total > MOST_BYTES) return 0

  const connections = i32(connectionCount)
  let end = sim + SIM_HEADER_BYTES
  i32.store(sim, end, SIM_LONG_INDEX)
  end += aligned(4 * n)
  i32.store(sim, end, SIM_WAITING_INDEX)
  end += aligned(4 * n)
  i32.store(sim, end, SIM_WORK)
  end += WORK_BYTES * n
  i32.store(sim, end, SIM_QUEUE_PLACE)
  if (i32.load(sim, SIM_QUEUE_BYTES) > 0) end += 16 * servers
  end = onLine(end)
  i32.store(sim, end, SIM_WORKER)
  end += workers * i32.load(sim, SIM_WORKER_STRIDE)
  i32.store(sim, end, SIM_CONNECTION)
  end += connections * CONNECTION_BYTES
  i32.store(sim, end, SIM_LINK_POSITION)
  end += aligned(4 * connections)
  i32.store(sim, end, SIM_LINK)
  end += i32(links) * LINK_BYTES
  i32.store(sim, end, SIM_LINK_TIMES)
  end += aligned(4 * i32(links))
  i32.store(sim, end, SIM_SERVER_STATION)
  end += servers * ofServer
  i32.store(sim, end, SIM_SERVER_STATE)
  end += servers * SERVER_BYTES
  i32.store(sim, end, SIM_SHARE_TABLE)
  end += 2 * i32.load(sim, SIM_SHARE_ROWS) * SHARE_BYTES
  i32.store(sim, end, SIM_RECORD)
  end += i32.load(sim, SIM_RECORD_CAPACITY) * RECORD_BYTES
  i32.store(sim, end, SIM_LOG)
  end += i32.load(sim, SIM_LOG_CAPACITY) * LOG_BYTES
  i32.store(sim, end, SIM_LOG_READY)
  end += i32.load(sim, SIM_LOG_WORKERS) * n * 16
  i32.store(sim, end, SIM_GRADIENT)
  end += gradients * GRADIENT_BYTES
  i32.store(sim, end, SIM_GRADIENT_INDEX)
  end += aligned(4 * gradientIndices)
  i32.store(sim, end, SIM_RING)
  end += aligned(4 * i32(ring))

  i32.store(sim, end, SIM_LINK_ORDERS)
  end += i32(tagCount) * TAG_BYTES + 2 * servers * LINE_BYTES
  if (withWorkerLinks) {
    i32.store(sim, end, SIM_MIXED_LIST)
    end += 8 * workers
    i32.store(sim, end, SIM_OPEN_LIST)
    end += 8 * servers
    i32.store(sim, end, SIM_SHARING)
    end += 2 * servers * SHARING_BYTES
    i32.store(sim, end, SIM_WATCH_ORDERS)
    end += i32(watchCount) * TAG_BYTES
    i32.store(sim, end, SIM_WATCH_POSITION)
    end += aligned(4 * connections)
  }
  // Elsewhere it takes other gaps to begin regions on a line.
  return f64(end - sim) + LINE_BYTES
}
