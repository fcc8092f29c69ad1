/** Where the regions of a simulation block lie (layout.ts), for the counts in its header. */
import {
  CONNECTION_BYTES,
  JOB_OPERATIONS,
  JOB_TEMPLATES,
  LINK_BYTES,
  LOG_BYTES,
  LONG_BYTES,
  RECORD_BYTES,
  SERVER_BYTES,
  SHARE_BYTES,
  SHARING_BYTES,
  SIM_COMPUTE_SLOTS,
  SIM_CONNECTION,
  SIM_DECK,
  SIM_FLOW_LINKS,
  SIM_HEADER_BYTES,
  SIM_JOB,
  SIM_LEFT,
  SIM_LINK,
  SIM_LINK_HEAPS,
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
  SIM_NEXT,
  SIM_OPEN_LIST,
  SIM_RECORD,
  SIM_RECORD_CAPACITY,
  SIM_SERVER_PARSE_SLOTS,
  SIM_SERVER_STATE,
  SIM_SERVERS,
  SIM_SHARE_ROWS,
  SIM_SHARE_TABLE,
  SIM_SHARING,
  SIM_SLOT,
  SIM_UPDATE_SLOTS,
  SIM_WATCH_HEAPS,
  SIM_WORKER,
  SIM_WORKER_LINKS,
  SIM_WORKER_PARSE_SLOTS,
  SIM_WORKERS,
  TAG_BYTES,
  WORKER_BYTES
} from './layout'

/** Server links come first, then those of the workers, then those of single connections. */
export function linkCount(sim: i32): i32 {
  const servers = i32.load(sim, SIM_SERVERS)
  const workers = i32.load(sim, SIM_WORKERS)
  const ofWorkers = i32.load(sim, SIM_WORKER_LINKS) !== 0 ? 2 * workers : 0
  return 2 * servers + ofWorkers + (i32.load(sim, SIM_FLOW_LINKS) !== 0 ? 2 * workers * servers : 0)
}

function aligned(bytes: i32): i32 {
  return (bytes + 7) & -8
}

/**
 * Lays the regions of a simulation behind its header at `sim`, whose counts are set, and returns the bytes of the whole block
 * (0 when they exceed 2 GiB: addresses are 32-bit). Call it again after copying the header elsewhere: addresses are absolute.
 */
export function plan(sim: i32): f64 {
  const job = i32.load(sim, SIM_JOB)
  const n = i32.load(job, JOB_OPERATIONS)
  const templates = i32.load(job, JOB_TEMPLATES)
  const workers = i32.load(sim, SIM_WORKERS)
  const servers = i32.load(sim, SIM_SERVERS)
  const longStreams = i32.load(sim, SIM_LONG_STREAMS)
  const withWorkerLinks = i32.load(sim, SIM_WORKER_LINKS) !== 0
  const withFlowLinks = i32.load(sim, SIM_FLOW_LINKS) !== 0
  // Products in f64 until they are known to fit: 65,536 workers on 32,768 servers have 2³² connections, which is 0 in i32.
  const connectionCount: f64 = 2 * f64(workers) * f64(servers)
  // Each of its two links, and its own, may hold a connection's tag.
  const tagCount: f64 = connectionCount * (withFlowLinks ? 3 : 2)
  const ofWorkers: f64 = withWorkerLinks ? 2 * f64(workers) : 0
  const links: f64 = 2 * f64(servers) + ofWorkers + (withFlowLinks ? connectionCount : 0)
  const ofWorker = f64(i32.load(sim, SIM_COMPUTE_SLOTS)) + f64(i32.load(sim, SIM_WORKER_PARSE_SLOTS))
  const ofServer =
    f64(i32.load(sim, SIM_UPDATE_SLOTS)) + f64(i32.load(sim, SIM_SERVER_PARSE_SLOTS)) + f64(i32.load(sim, SIM_MESSAGE_SLOTS))
  // Each connection may be in one of two heaps of its server's link; each worker in that of a filling.
  const watchCount: f64 = withWorkerLinks ? 2 * connectionCount + f64(workers) : 0
  const slotCount: f64 = f64(workers) * ofWorker + f64(servers) * ofServer

  let total: f64 = SIM_HEADER_BYTES
  total += f64(workers) * (WORKER_BYTES + 4 * f64(templates) + 6 * f64(n) + f64(longStreams) * LONG_BYTES)
  total += connectionCount * CONNECTION_BYTES + tagCount * TAG_BYTES + links * (LINK_BYTES + 4) + slotCount * 8
  total += f64(servers) * SERVER_BYTES
  total += f64(i32.load(sim, SIM_RECORD_CAPACITY)) * RECORD_BYTES + f64(i32.load(sim, SIM_LOG_CAPACITY)) * LOG_BYTES
  total += f64(i32.load(sim, SIM_LOG_WORKERS)) * f64(n) * 16 + 8 * f64(n) + 4096
  total += 2 * f64(i32.load(sim, SIM_SHARE_ROWS)) * SHARE_BYTES
  if (withWorkerLinks) total += watchCount * TAG_BYTES + 2 * f64(workers) * 4 + 2 * f64(servers) * (SHARING_BYTES + 4)
  if (f64(sim) + total > 2147483647.0) return 0

  const connections = i32(connectionCount)
  let end = sim + SIM_HEADER_BYTES
  i32.store(sim, end, SIM_LONG_INDEX)
  end += aligned(4 * n)
  i32.store(sim, end, SIM_WORKER)
  end += workers * WORKER_BYTES
  i32.store(sim, end, SIM_DECK)
  end += aligned(4 * workers * templates)
  i32.store(sim, end, SIM_LEFT)
  end += aligned(2 * workers * n)
  i32.store(sim, end, SIM_NEXT)
  end += aligned(4 * workers * n)
  i32.store(sim, end, SIM_LONG)
  end += workers * longStreams * LONG_BYTES
  i32.store(sim, end, SIM_CONNECTION)
  end += connections * CONNECTION_BYTES
  i32.store(sim, end, SIM_LINK)
  end += i32(links) * LINK_BYTES
  i32.store(sim, end, SIM_LINK_TIMES)
  end += aligned(4 * i32(links))
  i32.store(sim, end, SIM_SLOT)
  end += 8 * i32(slotCount)
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

  i32.store(sim, end, SIM_LINK_HEAPS)
  end += i32(tagCount) * TAG_BYTES
  if (withWorkerLinks) {
    i32.store(sim, end, SIM_MIXED_LIST)
    end += 8 * workers
    i32.store(sim, end, SIM_OPEN_LIST)
    end += 8 * servers
    i32.store(sim, end, SIM_SHARING)
    end += 2 * servers * SHARING_BYTES
    i32.store(sim, end, SIM_WATCH_HEAPS)
    end += i32(watchCount) * TAG_BYTES
  }
  return f64(end - sim)
}
