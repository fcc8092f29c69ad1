/**
 * Sharing of the links (docs/method.md §4): weighted max–min by link clocks. The rate of a busy connection c is weight(c) · λ of its
 * bottleneck link; a link's clock V grows by λ; a turn of q bytes that starts at V ends when the clock shows V + q / weight. So a change
 * of the load re-keys the link, not its connections.
 *
 * Two ways to find λ: when worker links are never the bottleneck, each server link is alone and λ = capacity / Σ weights, O(1). Else the
 * shares of a direction are settled by water filling (waterFilling.ts) once before time advances. A limit of each connection is one more
 * link, which it alone crosses.
 */
import {
  CONNECTION_BUSY_POSITION,
  CONNECTION_BYTES,
  CONNECTION_LINK,
  CONNECTION_SERVER_LINK,
  CONNECTION_TURN_BYTES,
  CONNECTION_WEIGHT,
  CONNECTION_WIRE_BYTES,
  CONNECTION_WORKER_LINK,
  LINK_BUSY_US,
  LINK_BYTES,
  LINK_CAPACITY,
  LINK_CLOCK,
  LINK_CLOCK_AT,
  LINK_CROSSING,
  LINK_HEAP,
  LINK_HEAP_COUNT,
  LINK_LEVEL,
  LINK_MOST,
  LINK_NEXT,
  LINK_REVERSE,
  LINK_SENT_BYTES,
  LINK_SINCE,
  LINK_TOKENS,
  LINK_WEIGHT,
  SIM_ACK_FRACTION,
  SIM_BURST,
  SIM_BUSY_COUNT,
  SIM_BUSY_LIST,
  SIM_CONNECTION,
  SIM_LINK,
  SIM_NOW,
  SIM_SERVERS,
  SIM_UNSETTLED,
  SIM_WORKER_LINKS,
  SIM_WORKERS,
  TAG_BYTES,
  TAG_CONNECTION,
  TAG_VALUE
} from './layout'
import { setNext } from './linkTimes'
import { changeTag, heapPosition, insertTag, removeTag } from './tagHeap'

/** Above this a clock starts again, so that tags keep a resolution far below a byte. */
const CLOCK_LIMIT: f64 = 1099511627776.0 // 2^40

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
    if (i32.load(link, LINK_HEAP_COUNT) > 0) {
      f64.store(link, f64.load(link, LINK_CLOCK) + elapsed * f64.load(link, LINK_LEVEL), LINK_CLOCK)
    }
    f64.store(link, now, LINK_CLOCK_AT)
  }
}

/** To be called whenever the first tag, the level or the clock of a link changed. */
export function updateNext(sim: i32, linkNumber: i32): void {
  const link = linkAddress(sim, linkNumber)
  if (i32.load(link, LINK_HEAP_COUNT) === 0) {
    f64.store(link, 0, LINK_CLOCK)
    setNext(sim, linkNumber, Infinity)
    return
  }
  const rest = f64.load(i32.load(link, LINK_HEAP), TAG_VALUE) - f64.load(link, LINK_CLOCK)
  const at = f64.load(link, LINK_CLOCK_AT)
  setNext(sim, linkNumber, rest > 0 ? at + rest / f64.load(link, LINK_LEVEL) : at)
}

/** λ of a server link that is alone on its connections' paths. */
function relevel(sim: i32, linkNumber: i32): void {
  const link = linkAddress(sim, linkNumber)
  if (i32.load(link, LINK_CROSSING) > 0) {
    f64.store(link, effectiveCapacity(sim, link) / f64.load(link, LINK_WEIGHT), LINK_LEVEL)
  } else {
    f64.store(link, 0, LINK_WEIGHT)
  }
  updateNext(sim, linkNumber)
}

function unsettle(sim: i32, direction: i32): void {
  i32.store(sim + 4 * direction, 1, SIM_UNSETTLED)
}

/** One connection more (+1) or less (−1) crosses the link. */
function cross(sim: i32, linkNumber: i32, change: i32, direction: i32): void {
  const link = linkAddress(sim, linkNumber)
  const crossing = i32.load(link, LINK_CROSSING) + change
  i32.store(link, crossing, LINK_CROSSING)
  const turnedBusy = crossing === 1 && change === 1
  if (!turnedBusy && crossing !== 0) return
  const now = f64.load(sim, SIM_NOW)
  if (!turnedBusy) f64.store(link, f64.load(link, LINK_BUSY_US) + now - f64.load(link, LINK_SINCE), LINK_BUSY_US)
  f64.store(link, now, LINK_SINCE)
  if (f64.load(sim, SIM_ACK_FRACTION) === 0) return
  if (i32.load(sim, SIM_WORKER_LINKS) !== 0) {
    unsettle(sim, 1 - direction)
  } else {
    const reverse = i32.load(link, LINK_REVERSE)
    advanceClock(sim, linkAddress(sim, reverse))
    relevel(sim, reverse)
  }
}

/**
 * Token bucket of a server's link: idle, it fills at the link's rate. A turn of `bytes` that starts while no other connection is on the link has
 * as much of it as there is sent at once, past every limit. Returns what is left for the link.
 */
function afterBurst(sim: i32, linkNumber: i32, bytes: f64, others: i32): f64 {
  if (others > 0) return bytes
  const link = linkAddress(sim, linkNumber)
  let tokens = f64.load(link, LINK_TOKENS)
  if (i32.load(link, LINK_CROSSING) === 0) {
    tokens += (f64.load(sim, SIM_NOW) - f64.load(link, LINK_SINCE)) * f64.load(link, LINK_CAPACITY)
    const depth = f64.load(sim, SIM_BURST)
    if (tokens > depth) tokens = depth
  }
  const atOnce = tokens < bytes ? tokens : bytes
  f64.store(link, tokens - atOnce, LINK_TOKENS)
  return bytes - atOnce
}

/** The connection, whose weight is set, turns busy with a turn of `bytes`. */
export function join(sim: i32, connection: i32, bytes: f64): void {
  const address = connectionAddress(sim, connection)
  const direction = directionOf(sim, connection)
  const serverLink = i32.load(address, CONNECTION_SERVER_LINK)
  f64.store(address, bytes, CONNECTION_TURN_BYTES)
  let rest = bytes
  if (f64.load(sim, SIM_BURST) > 0) rest = afterBurst(sim, serverLink, bytes, i32.load(linkAddress(sim, serverLink), LINK_CROSSING))
  if (i32.load(sim, SIM_WORKER_LINKS) === 0) {
    const link = linkAddress(sim, serverLink)
    const weight = f64.load(address, CONNECTION_WEIGHT)
    advanceClock(sim, link)
    i32.store(address, serverLink, CONNECTION_LINK)
    cross(sim, serverLink, 1, direction)
    f64.store(link, f64.load(link, LINK_WEIGHT) + weight, LINK_WEIGHT)
    insertTag(sim, link, f64.load(link, LINK_CLOCK) + rest / weight, connection)
    relevel(sim, serverLink)
    return
  }
  f64.store(address, rest, CONNECTION_WIRE_BYTES)
  const count = i32.load(sim + 4 * direction, SIM_BUSY_COUNT)
  i32.store(busyEntry(sim, direction, count), connection)
  i32.store(address, count, CONNECTION_BUSY_POSITION)
  i32.store(sim + 4 * direction, count + 1, SIM_BUSY_COUNT)
  i32.store(address, -1, CONNECTION_LINK)
  cross(sim, serverLink, 1, direction)
  cross(sim, i32.load(address, CONNECTION_WORKER_LINK), 1, direction)
  unsettle(sim, direction)
}

/** The connection, whose turn has just ended, goes on with another of `bytes`. */
export function continueWith(sim: i32, connection: i32, bytes: f64): void {
  const address = connectionAddress(sim, connection)
  const linkNumber = i32.load(address, CONNECTION_LINK)
  const link = linkAddress(sim, linkNumber)
  f64.store(address, bytes, CONNECTION_TURN_BYTES)
  let rest = bytes
  if (f64.load(sim, SIM_BURST) > 0) {
    const serverLink = i32.load(address, CONNECTION_SERVER_LINK)
    rest = afterBurst(sim, serverLink, bytes, i32.load(linkAddress(sim, serverLink), LINK_CROSSING) - 1)
  }
  const tag = f64.load(link, LINK_CLOCK) + rest / f64.load(address, CONNECTION_WEIGHT)
  changeTag(sim, link, heapPosition(sim, connection), tag)
  updateNext(sim, linkNumber)
}

/** The connection, whose turn has just ended, has nothing to send. */
export function leave(sim: i32, connection: i32): void {
  const address = connectionAddress(sim, connection)
  const direction = directionOf(sim, connection)
  const linkNumber = i32.load(address, CONNECTION_LINK)
  const link = linkAddress(sim, linkNumber)
  removeTag(sim, link, heapPosition(sim, connection))
  i32.store(address, -1, CONNECTION_LINK)
  if (i32.load(sim, SIM_WORKER_LINKS) === 0) {
    f64.store(link, f64.load(link, LINK_WEIGHT) - f64.load(address, CONNECTION_WEIGHT), LINK_WEIGHT)
    cross(sim, linkNumber, -1, direction)
    relevel(sim, linkNumber)
    return
  }
  const count = i32.load(sim + 4 * direction, SIM_BUSY_COUNT) - 1
  const position = i32.load(address, CONNECTION_BUSY_POSITION)
  const last = i32.load(busyEntry(sim, direction, count))
  i32.store(busyEntry(sim, direction, position), last)
  i32.store(connectionAddress(sim, last), position, CONNECTION_BUSY_POSITION)
  i32.store(sim + 4 * direction, count, SIM_BUSY_COUNT)
  cross(sim, i32.load(address, CONNECTION_SERVER_LINK), -1, direction)
  cross(sim, i32.load(address, CONNECTION_WORKER_LINK), -1, direction)
  updateNext(sim, linkNumber)
  unsettle(sim, direction)
}

/** A busy connection gets another weight; what it has been granted so far stays. */
export function reweigh(sim: i32, connection: i32, weight: f64): void {
  const address = connectionAddress(sim, connection)
  const old = f64.load(address, CONNECTION_WEIGHT)
  if (weight === old) return
  f64.store(address, weight, CONNECTION_WEIGHT)
  const linkNumber = i32.load(address, CONNECTION_LINK)
  if (linkNumber >= 0) {
    const link = linkAddress(sim, linkNumber)
    const position = heapPosition(sim, connection)
    advanceClock(sim, link)
    const clock = f64.load(link, LINK_CLOCK)
    const rest = (f64.load(i32.load(link, LINK_HEAP) + position * TAG_BYTES, TAG_VALUE) - clock) * old
    changeTag(sim, link, position, clock + rest / weight)
    if (i32.load(sim, SIM_WORKER_LINKS) === 0) {
      f64.store(link, f64.load(link, LINK_WEIGHT) + (weight - old), LINK_WEIGHT)
      relevel(sim, linkNumber)
    } else {
      updateNext(sim, linkNumber)
    }
  }
  if (i32.load(sim, SIM_WORKER_LINKS) !== 0) unsettle(sim, directionOf(sim, connection))
}

/** Time has reached the link's next end of a turn: its clock shows that turn's tag. Returns the connection. */
export function reachFirst(sim: i32, linkNumber: i32): i32 {
  const link = linkAddress(sim, linkNumber)
  const first = i32.load(link, LINK_HEAP)
  // The clock is set rather than advanced: rounding can neither skip a turn nor need two events for one.
  f64.store(link, f64.load(first, TAG_VALUE), LINK_CLOCK)
  f64.store(link, f64.load(link, LINK_NEXT), LINK_CLOCK_AT)
  if (f64.load(link, LINK_CLOCK) > CLOCK_LIMIT) restartClock(link)
  const connection = i32.load(first, TAG_CONNECTION)
  const address = connectionAddress(sim, connection)
  const serverLink = linkAddress(sim, i32.load(address, CONNECTION_SERVER_LINK))
  f64.store(serverLink, f64.load(serverLink, LINK_SENT_BYTES) + f64.load(address, CONNECTION_TURN_BYTES), LINK_SENT_BYTES)
  return connection
}

function restartClock(link: i32): void {
  const base = f64.load(link, LINK_CLOCK)
  const count = i32.load(link, LINK_HEAP_COUNT)
  let entry = i32.load(link, LINK_HEAP)
  for (let i = 0; i < count; i++) {
    f64.store(entry, f64.load(entry, TAG_VALUE) - base, TAG_VALUE)
    entry += TAG_BYTES
  }
  f64.store(link, 0, LINK_CLOCK)
}

/** Address of an entry of the list of busy connections of a direction. */
export function busyEntry(sim: i32, direction: i32, position: i32): i32 {
  const perDirection = i32.load(sim, SIM_WORKERS) * i32.load(sim, SIM_SERVERS)
  return i32.load(sim, SIM_BUSY_LIST) + 4 * (direction * perDirection + position)
}
