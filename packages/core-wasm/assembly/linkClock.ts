/** What a link is and how its clock goes (docs/method.md §4); how fast it goes is decided in links.ts and waterFilling.ts. */
import {
  CONNECTION_BYTES,
  CONNECTION_SERVER_LINK,
  CONNECTION_WORKER,
  CONNECTION_WORKER_LINK,
  LINK_BYTES,
  LINK_CAPACITY,
  LINK_CLOCK,
  LINK_CLOCK_AT,
  LINK_CROSSING,
  LINK_LEVEL,
  LINK_MOST,
  LINK_ORDER_COUNT,
  LINK_ORDER_FIRST,
  LINK_REVERSE,
  SIM_ACK_FRACTION,
  SIM_COLOCATED,
  SIM_CONNECTION,
  SIM_LINK,
  SIM_NOW,
  SIM_SERVERS,
  SIM_WORKERS,
  TAG_VALUE,
  WORKER_LATENCY
} from './layout'
import { setNext } from './linkTimes'
import { workerAddress } from './workers'

export function linkAddress(sim: i32, link: i32): i32 {
  return i32.load(sim, SIM_LINK) + link * LINK_BYTES
}

export function connectionAddress(sim: i32, connection: i32): i32 {
  return i32.load(sim, SIM_CONNECTION) + connection * CONNECTION_BYTES
}

/** 0 for a pull, 1 for a push. */
export function directionOf(sim: i32, connection: i32): i32 {
  return connection >= i32.load(sim, SIM_WORKERS) * i32.load(sim, SIM_SERVERS) ? 1 : 0
}

/** Whether the connection, at this address, is between a worker and the server on its host: its two links are one, the loopback. */
export function isLoopback(sim: i32, address: i32): bool {
  if (i32.load(sim, SIM_COLOCATED) === 0) return false
  return i32.load(address, CONNECTION_SERVER_LINK) === i32.load(address, CONNECTION_WORKER_LINK)
}

/** One way. On one host there is none. */
export function latencyOf(sim: i32, address: i32): f64 {
  if (isLoopback(sim, address)) return 0
  return f64.load(workerAddress(sim, i32.load(address, CONNECTION_WORKER)), WORKER_LATENCY)
}

/** What data can use: acknowledgements of a busy reverse direction take their part. */
export function effectiveCapacity(sim: i32, link: i32): f64 {
  const most = f64.load(link, LINK_MOST)
  let capacity = f64.load(link, LINK_CAPACITY)
  const fraction = f64.load(sim, SIM_ACK_FRACTION)
  if (fraction > 0) {
    const reverse = linkAddress(sim, i32.load(link, LINK_REVERSE))
    if (i32.load(reverse, LINK_CROSSING) > 0) capacity /= 1 + fraction
  }
  return capacity < most ? capacity : most
}

export function advanceClock(sim: i32, link: i32): void {
  const now = f64.load(sim, SIM_NOW)
  const elapsed = now - f64.load(link, LINK_CLOCK_AT)
  if (elapsed > 0) {
    if (i32.load(link, LINK_ORDER_COUNT) > 0) {
      f64.store(link, f64.load(link, LINK_CLOCK) + elapsed * f64.load(link, LINK_LEVEL), LINK_CLOCK)
    }
    f64.store(link, now, LINK_CLOCK_AT)
  }
}

/** To be called whenever the first tag, the level or the clock of a link changed. */
export function updateNext(sim: i32, linkNumber: i32): void {
  const link = linkAddress(sim, linkNumber)
  if (i32.load(link, LINK_ORDER_COUNT) === 0) {
    f64.store(link, 0, LINK_CLOCK)
    setNext(sim, linkNumber, Infinity)
    return
  }
  const rest = f64.load(i32.load(link, LINK_ORDER_FIRST), TAG_VALUE) - f64.load(link, LINK_CLOCK)
  const at = f64.load(link, LINK_CLOCK_AT)
  setNext(sim, linkNumber, rest > 0 ? at + rest / f64.load(link, LINK_LEVEL) : at)
}
