import {
  CONNECTION_BYTES,
  LINK_HEAP,
  LINK_HEAP_COUNT,
  SIM_CONNECTION,
  SIM_SERVERS,
  SIM_WORKERS,
  TAG_CONNECTION,
  WORKER_BYTES,
  WORKER_TEMPLATE
} from './layout'
import { linkAddress } from './linkClock'
import { workerAddress } from './workers'

/** Busy connections of a link from which on the state of their workers does not stay in the caches until it is needed again. */
const MANY: i32 = 512

/**
 * Looks at what the link's next end of a turn will touch: the lines of the connection, of its worker and of that one's stations. The reads have no use but
 * to bring these into the caches while the processor does something else; nothing waits for their values.
 */
export function readAhead(sim: i32, linkNumber: i32): void {
  const link = linkAddress(sim, linkNumber)
  if (i32.load(link, LINK_HEAP_COUNT) < MANY) return
  const connection = i32.load(i32.load(link, LINK_HEAP), TAG_CONNECTION)
  const worker = workerAddress(sim, i32(connection / i32.load(sim, SIM_SERVERS)) % i32.load(sim, SIM_WORKERS))
  i32.load(i32.load(sim, SIM_CONNECTION) + connection * CONNECTION_BYTES)
  i32.load(worker, WORKER_TEMPLATE)
  i32.load(worker, WORKER_BYTES)
}
