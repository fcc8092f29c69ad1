import {
  CONNECTION_BYTES,
  LINK_ORDER,
  ORDER_RUN,
  ORDER_RUN_START,
  SIM_CONNECTION,
  SIM_SERVERS,
  SIM_WORKERS,
  TAG_BYTES,
  TAG_CONNECTION,
  WORKER_TEMPLATE
} from './layout'
import { linkAddress } from './linkClock'
import { workerAddress } from './workers'

/** So many turns are looked at together: their lines come from memory side by side. A power of two. */
const TURNS: i32 = 8
const LINE_BYTES: i32 = 64

/**
 * Looks at what the next turns of the link's run will touch when they end: of each the line of the connection and the lines of its worker, with that one's
 * stations and join counters. The reads have no use but to bring these into the caches while the processor does something else; nothing waits for
 * their values. Only thousands of connections have a run (tagOrder.ts); the state of fewer stays in the caches.
 */
export function readAhead(sim: i32, linkNumber: i32): void {
  const order = linkAddress(sim, linkNumber) + LINK_ORDER
  const run = i32.load(order, ORDER_RUN)
  if (run === 0 || (run & (TURNS - 1)) !== 0) return
  const end = i32.load(order) + (i32.load(order, ORDER_RUN_START) + run) * TAG_BYTES
  for (let entry = end - TURNS * TAG_BYTES; entry < end; entry += TAG_BYTES) {
    const connection = i32.load(entry, TAG_CONNECTION)
    // A dead one.
    if (connection < 0) continue
    i32.load(i32.load(sim, SIM_CONNECTION) + connection * CONNECTION_BYTES)
    const worker = workerAddress(sim, i32(connection / i32.load(sim, SIM_SERVERS)) % i32.load(sim, SIM_WORKERS)) + WORKER_TEMPLATE
    i32.load(worker)
    i32.load(worker, LINE_BYTES)
    i32.load(worker, 2 * LINE_BYTES)
    i32.load(worker, 3 * LINE_BYTES)
    i32.load(worker, 4 * LINE_BYTES)
  }
}
