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
  CONNECTION_FLOW,
  CONNECTION_LINK,
  CONNECTION_SERVER_LINK,
  CONNECTION_TURN_BYTES,
  CONNECTION_WEIGHT,
  CONNECTION_WIRE_BYTES,
  CONNECTION_WORKER_LINK,
  FLOW_OFF,
  FLOW_OPEN,
  LINK_BUSY_US,
  LINK_CAPACITY,
  LINK_CLOCK,
  LINK_CLOCK_AT,
  LINK_CROSSING,
  LINK_LEVEL,
  LINK_NEXT,
  LINK_ORDER,
  LINK_ORDER_FIRST,
  LINK_REVERSE,
  LINK_SENT_BYTES,
  LINK_SINCE,
  LINK_TOKENS,
  LINK_WEIGHT,
  SHARING_CROSSING,
  SIM_ACK_FRACTION,
  SIM_BURST,
  SIM_NOW,
  SIM_SERVERS,
  SIM_WORKER_LINKS,
  TAG_BYTES,
  TAG_CONNECTION,
  TAG_VALUE
} from './layout'
import { advanceClock, connectionAddress, effectiveCapacity, isLoopback, linkAddress, updateNext } from './linkClock'
import { openServer, openWorker, sharingAddress } from './standing'
import { changeTag, insertTag, linkPositions, lowerTags, positionOf, removeTag } from './tagOrder'

/** Above this a clock starts again, so that tags keep a resolution far below a byte. */
const CLOCK_LIMIT: f64 = 1099511627776.0 // 2^40

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

/** One connection more (+1) or less (−1) crosses the link. */
function cross(sim: i32, linkNumber: i32, change: i32): void {
  const link = linkAddress(sim, linkNumber)
  const crossing = i32.load(link, LINK_CROSSING) + change
  i32.store(link, crossing, LINK_CROSSING)
  const turnedBusy = crossing === 1 && change === 1
  if (!turnedBusy && crossing !== 0) return
  const now = f64.load(sim, SIM_NOW)
  if (!turnedBusy) f64.store(link, f64.load(link, LINK_BUSY_US) + now - f64.load(link, LINK_SINCE), LINK_BUSY_US)
  f64.store(link, now, LINK_SINCE)
  if (f64.load(sim, SIM_ACK_FRACTION) === 0) return
  const reverse = i32.load(link, LINK_REVERSE)
  if (i32.load(sim, SIM_WORKER_LINKS) === 0) {
    advanceClock(sim, linkAddress(sim, reverse))
    relevel(sim, reverse)
  } else if (i32.load(linkAddress(sim, reverse), LINK_CROSSING) > 0) {
    if (reverse < 2 * i32.load(sim, SIM_SERVERS)) openServer(sim, reverse)
    else openWorker(sim, reverse)
  }
}

/** Notes or forgets that the connection crosses a server's link; a worker's link need not know who crosses it. */
function toggleCrossing(sim: i32, linkNumber: i32, connection: i32): void {
  if (linkNumber >= 2 * i32.load(sim, SIM_SERVERS)) return
  const sharing = sharingAddress(sim, linkNumber)
  i32.store(sharing, i32.load(sharing, SHARING_CROSSING) ^ connection, SHARING_CROSSING)
}

/** The token bucket of a link that turns busy has gained what the link could have sent while it was idle. */
function refill(sim: i32, link: i32): void {
  const idleUs = f64.load(sim, SIM_NOW) - f64.load(link, LINK_SINCE)
  const tokens = f64.load(link, LINK_TOKENS) + idleUs * f64.load(link, LINK_CAPACITY)
  const depth = f64.load(sim, SIM_BURST)
  f64.store(link, tokens < depth ? tokens : depth, LINK_TOKENS)
}

/**
 * Token bucket of a server's link: idle, it fills at the link's rate. A turn of `bytes` that starts while no other connection is on the link has
 * as much of it as there is sent at once, past every limit. Returns what is left for the link.
 */
function afterBurst(sim: i32, linkNumber: i32, bytes: f64, others: i32): f64 {
  if (others > 0) return bytes
  const link = linkAddress(sim, linkNumber)
  if (i32.load(link, LINK_CROSSING) === 0) refill(sim, link)
  const tokens = f64.load(link, LINK_TOKENS)
  const atOnce = tokens < bytes ? tokens : bytes
  f64.store(link, tokens - atOnce, LINK_TOKENS)
  return bytes - atOnce
}

/** A connection between a worker and the server on its host turns busy: nobody else is on their loopback link. */
function joinLoopback(sim: i32, connection: i32, loopback: i32, bytes: f64): void {
  const link = linkAddress(sim, loopback)
  advanceClock(sim, link)
  i32.store(connectionAddress(sim, connection), loopback, CONNECTION_LINK)
  insertTag(linkPositions(sim), link + LINK_ORDER, f64.load(link, LINK_CLOCK) + bytes, connection)
  updateNext(sim, loopback)
}

/** The connection, whose weight is set, turns busy with a turn of `bytes`. */
export function join(sim: i32, connection: i32, bytes: f64): void {
  const address = connectionAddress(sim, connection)
  const serverLink = i32.load(address, CONNECTION_SERVER_LINK)
  f64.store(address, bytes, CONNECTION_TURN_BYTES)
  if (isLoopback(sim, address)) {
    joinLoopback(sim, connection, serverLink, bytes)
    return
  }
  let rest = bytes
  if (f64.load(sim, SIM_BURST) > 0) rest = afterBurst(sim, serverLink, bytes, i32.load(linkAddress(sim, serverLink), LINK_CROSSING))
  if (i32.load(sim, SIM_WORKER_LINKS) === 0) {
    const link = linkAddress(sim, serverLink)
    const weight = f64.load(address, CONNECTION_WEIGHT)
    advanceClock(sim, link)
    i32.store(address, serverLink, CONNECTION_LINK)
    cross(sim, serverLink, 1)
    f64.store(link, f64.load(link, LINK_WEIGHT) + weight, LINK_WEIGHT)
    insertTag(linkPositions(sim), link + LINK_ORDER, f64.load(link, LINK_CLOCK) + rest / weight, connection)
    relevel(sim, serverLink)
    return
  }
  const workerLink = i32.load(address, CONNECTION_WORKER_LINK)
  openWorker(sim, workerLink)
  if (f64.load(sim, SIM_BURST) > 0 && workerLink < 2 * i32.load(sim, SIM_SERVERS)) {
    const host = linkAddress(sim, workerLink)
    if (i32.load(host, LINK_CROSSING) === 0) refill(sim, host)
  }
  f64.store(address, rest, CONNECTION_WIRE_BYTES)
  i32.store(address, FLOW_OPEN, CONNECTION_FLOW)
  toggleCrossing(sim, serverLink, connection)
  toggleCrossing(sim, workerLink, connection)
  cross(sim, serverLink, 1)
  cross(sim, workerLink, 1)
}

/** The connection, whose turn has just ended, goes on with another of `bytes`. */
export function continueWith(sim: i32, connection: i32, bytes: f64): void {
  const address = connectionAddress(sim, connection)
  const linkNumber = i32.load(address, CONNECTION_LINK)
  const link = linkAddress(sim, linkNumber)
  f64.store(address, bytes, CONNECTION_TURN_BYTES)
  let rest = bytes
  if (f64.load(sim, SIM_BURST) > 0 && !isLoopback(sim, address)) {
    const serverLink = i32.load(address, CONNECTION_SERVER_LINK)
    rest = afterBurst(sim, serverLink, bytes, i32.load(linkAddress(sim, serverLink), LINK_CROSSING) - 1)
  }
  const tag = f64.load(link, LINK_CLOCK) + rest / f64.load(address, CONNECTION_WEIGHT)
  const positions = linkPositions(sim)
  changeTag(positions, link + LINK_ORDER, positionOf(positions, connection), tag)
  updateNext(sim, linkNumber)
}

/** The connection, whose turn has just ended, has nothing to send. */
export function leave(sim: i32, connection: i32): void {
  const address = connectionAddress(sim, connection)
  const linkNumber = i32.load(address, CONNECTION_LINK)
  const link = linkAddress(sim, linkNumber)
  const positions = linkPositions(sim)
  removeTag(positions, link + LINK_ORDER, positionOf(positions, connection))
  if (isLoopback(sim, address)) {
    i32.store(address, -1, CONNECTION_LINK)
    updateNext(sim, linkNumber)
    return
  }
  if (i32.load(sim, SIM_WORKER_LINKS) === 0) {
    i32.store(address, -1, CONNECTION_LINK)
    f64.store(link, f64.load(link, LINK_WEIGHT) - f64.load(address, CONNECTION_WEIGHT), LINK_WEIGHT)
    cross(sim, linkNumber, -1)
    relevel(sim, linkNumber)
    return
  }
  const serverLink = i32.load(address, CONNECTION_SERVER_LINK)
  const workerLink = i32.load(address, CONNECTION_WORKER_LINK)
  openServer(sim, serverLink)
  openWorker(sim, workerLink)
  i32.store(address, -1, CONNECTION_LINK)
  i32.store(address, FLOW_OFF, CONNECTION_FLOW)
  toggleCrossing(sim, serverLink, connection)
  toggleCrossing(sim, workerLink, connection)
  cross(sim, serverLink, -1)
  cross(sim, workerLink, -1)
  updateNext(sim, linkNumber)
}

/** A busy connection gets another weight; what it has been granted so far stays. */
export function reweigh(sim: i32, connection: i32, weight: f64): void {
  const address = connectionAddress(sim, connection)
  const old = f64.load(address, CONNECTION_WEIGHT)
  if (weight === old) return
  const withWorkerLinks = i32.load(sim, SIM_WORKER_LINKS) !== 0
  if (withWorkerLinks) openWorker(sim, i32.load(address, CONNECTION_WORKER_LINK))
  f64.store(address, weight, CONNECTION_WEIGHT)
  const linkNumber = i32.load(address, CONNECTION_LINK)
  if (linkNumber < 0) return
  const link = linkAddress(sim, linkNumber)
  const positions = linkPositions(sim)
  const position = positionOf(positions, connection)
  advanceClock(sim, link)
  const clock = f64.load(link, LINK_CLOCK)
  const rest = (f64.load(i32.load(link, LINK_ORDER) + position * TAG_BYTES, TAG_VALUE) - clock) * old
  changeTag(positions, link + LINK_ORDER, position, clock + rest / weight)
  if (withWorkerLinks) {
    updateNext(sim, linkNumber)
  } else {
    f64.store(link, f64.load(link, LINK_WEIGHT) + (weight - old), LINK_WEIGHT)
    relevel(sim, linkNumber)
  }
}

/** Time has reached the link's next end of a turn: its clock shows that turn's tag. Returns the connection. */
export function reachFirst(sim: i32, linkNumber: i32): i32 {
  const link = linkAddress(sim, linkNumber)
  const first = i32.load(link, LINK_ORDER_FIRST)
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
  lowerTags(link + LINK_ORDER, f64.load(link, LINK_CLOCK))
  f64.store(link, 0, LINK_CLOCK)
}
