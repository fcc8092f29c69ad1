/**
 * How workers stand in a direction, so that a change costs what it touches (docs/method.md §4). A worker whose link has room (roomy) or
 * limits all its connections (full) is only part of its servers' sums: a weight for each connection that the server's link limits, a rate for
 * each that something else does. Whoever a change touches, or is limited here by its own link and there by a server's, is mixed: in a list
 * whose shares the filling finds one by one.
 *
 * Whether a standing is still right is seen at the servers' levels alone: each of the connections above is watched by its server's link, in
 * the order of those to be looked at when the level rises past a threshold, or falls below one.
 */
import {
  CONNECTION_FLOW_LINK,
  CONNECTION_LINK,
  CONNECTION_SERVER_LINK,
  CONNECTION_WEIGHT,
  CONNECTION_WORKER_LINK,
  LINK_CAPACITY,
  LINK_LEVEL,
  LINK_STATE,
  ORDER_COUNT,
  ORDER_FIRST,
  SHARING_BYTES,
  SHARING_FALLING,
  SHARING_RISING,
  SHARING_TAKEN,
  SHARING_TAKEN_COUNT,
  SHARING_WEIGHT,
  SHARING_WEIGHT_COUNT,
  SIM_FILLING,
  SIM_MIXED_COUNT,
  SIM_MIXED_LIST,
  SIM_OPEN_COUNT,
  SIM_OPEN_LIST,
  SIM_SERVERS,
  SIM_SHARING,
  SIM_SHARING_VISITS,
  SIM_UNSETTLED,
  SIM_WATCH_ORDERS,
  SIM_WORKERS,
  STANDING_FULL,
  STANDING_IDLE,
  STANDING_MIXED,
  STANDING_ROOMY,
  TAG_CONNECTION,
  TAG_VALUE
} from './layout'
import { connectionAddress, effectiveCapacity, linkAddress } from './linkClock'
import { fillingMost } from './plan'
import { initialiseOrder, insertTag, positionOf, removeTag, watchPositions } from './tagOrder'

export function sharingAddress(sim: i32, serverLink: i32): i32 {
  return i32.load(sim, SIM_SHARING) + serverLink * SHARING_BYTES
}

/** Address of an entry of the list of server links whose level must be found again. */
export function openEntry(sim: i32, direction: i32, position: i32): i32 {
  return i32.load(sim, SIM_OPEN_LIST) + 4 * (direction * i32.load(sim, SIM_SERVERS) + position)
}

/** Address of an entry of the list of the links of mixed workers. */
export function mixedEntry(sim: i32, direction: i32, position: i32): i32 {
  return i32.load(sim, SIM_MIXED_LIST) + 4 * (direction * i32.load(sim, SIM_WORKERS) + position)
}

/** The worker's connections in the link's direction are so many from this one on, as there are servers. */
export function firstConnection(sim: i32, workerLink: i32): i32 {
  const servers = i32.load(sim, SIM_SERVERS)
  return (workerLink - 2 * servers) * servers
}

export function countVisits(sim: i32, visits: i32): void {
  f64.store(sim, f64.load(sim, SIM_SHARING_VISITS) + f64(visits), SIM_SHARING_VISITS)
}

export function initialiseSharing(sim: i32): void {
  const workers = i32.load(sim, SIM_WORKERS)
  const end = 2 * i32.load(sim, SIM_SERVERS)
  let entries = i32.load(sim, SIM_WATCH_ORDERS)
  for (let link = 0; link < end; link++) {
    const sharing = sharingAddress(sim, link)
    entries = initialiseOrder(sharing + SHARING_RISING, entries, workers)
    entries = initialiseOrder(sharing + SHARING_FALLING, entries, workers)
  }
  initialiseOrder(sim + SIM_FILLING, entries, i32(fillingMost(sim)))
}

/** The level of the server's link must be found again before time advances. */
export function openServer(sim: i32, serverLink: i32): void {
  const link = linkAddress(sim, serverLink)
  if (i32.load(link, LINK_STATE) !== 0) return
  i32.store(link, 1, LINK_STATE)
  const direction = serverLink >= i32.load(sim, SIM_SERVERS) ? 1 : 0
  const count = i32.load(sim + 4 * direction, SIM_OPEN_COUNT)
  i32.store(openEntry(sim, direction, count), serverLink)
  i32.store(sim + 4 * direction, count + 1, SIM_OPEN_COUNT)
  i32.store(sim + 4 * direction, 1, SIM_UNSETTLED)
}

/** The worker's shares must be found again before time advances. To be called before its connections, their weights or its capacity change. */
export function openWorker(sim: i32, workerLink: i32): void {
  const servers = i32.load(sim, SIM_SERVERS)
  if (workerLink < 2 * servers) {
    // A server's host: what its worker sends and receives is in no sum.
    openServer(sim, workerLink)
    return
  }
  const workers = i32.load(sim, SIM_WORKERS)
  const direction = workerLink >= 2 * servers + workers ? 1 : 0
  i32.store(sim + 4 * direction, 1, SIM_UNSETTLED)
  const link = linkAddress(sim, workerLink)
  const standing = i32.load(link, LINK_STATE)
  if (standing === STANDING_MIXED) return
  i32.store(link, STANDING_MIXED, LINK_STATE)
  const count = i32.load(sim + 4 * direction, SIM_MIXED_COUNT)
  i32.store(mixedEntry(sim, direction, count), workerLink)
  i32.store(sim + 4 * direction, count + 1, SIM_MIXED_COUNT)
  if (standing === STANDING_IDLE) return
  const first = firstConnection(sim, workerLink)
  countVisits(sim, servers)
  for (let connection = first; connection < first + servers; connection++) {
    const address = connectionAddress(sim, connection)
    if (i32.load(address, CONNECTION_LINK) < 0) continue
    addToSums(sim, address, -1)
    const position = positionOf(watchPositions(sim), connection)
    if (position >= 0) removeTag(watchPositions(sim), watchingOrder(sim, address), position)
  }
}

function isServerLimited(connection: i32): bool {
  return i32.load(connection, CONNECTION_LINK) === i32.load(connection, CONNECTION_SERVER_LINK)
}

function watchingOrder(sim: i32, connection: i32): i32 {
  const sharing = sharingAddress(sim, i32.load(connection, CONNECTION_SERVER_LINK))
  return sharing + (isServerLimited(connection) ? SHARING_RISING : SHARING_FALLING)
}

/** Puts the connection into the sums of its server's link (+1) or takes the same out of them (−1). */
function addToSums(sim: i32, connection: i32, sign: i32): void {
  const sharing = sharingAddress(sim, i32.load(connection, CONNECTION_SERVER_LINK))
  const weight = f64.load(connection, CONNECTION_WEIGHT)
  if (isServerLimited(connection)) {
    add(sharing + SHARING_WEIGHT, sharing + SHARING_WEIGHT_COUNT, weight, sign)
  } else {
    const level = f64.load(linkAddress(sim, i32.load(connection, CONNECTION_LINK)), LINK_LEVEL)
    add(sharing + SHARING_TAKEN, sharing + SHARING_TAKEN_COUNT, weight * level, sign)
  }
}

/**
 * With a low part (Knuth's two-sum) a sum forgets what is taken out of it again: a link may never be idle, weights of 20 and 0.001 come and go,
 * and rounding must neither gather nor depend on who came first.
 */
function add(sum: i32, counter: i32, amount: f64, sign: i32): void {
  const count = i32.load(counter) + sign
  i32.store(counter, count)
  if (count === 0) {
    f64.store(sum, 0)
    f64.store(sum, 0, 8)
    return
  }
  const value = amount * f64(sign)
  const high = f64.load(sum)
  const total = high + value
  const added = total - high
  const low = f64.load(sum, 8) + (high - (total - added) + (value - added))
  const rounded = total + low
  f64.store(sum, rounded)
  f64.store(sum, low - (rounded - total), 8)
}

/**
 * The level of a server's link may have passed thresholds: the workers concerned must be looked at, the most clearly passed first and `most`
 * of each kind at once, since each may stop the level from passing the next. Returns whether there was any.
 */
export function openPassed(sim: i32, serverLink: i32, most: i32): bool {
  const level = f64.load(linkAddress(sim, serverLink), LINK_LEVEL)
  const sharing = sharingAddress(sim, serverLink)
  let opened = 0
  while (opened < most && i32.load(sharing, SHARING_RISING + ORDER_COUNT) > 0) {
    const first = i32.load(sharing, SHARING_RISING + ORDER_FIRST)
    if (f64.load(first, TAG_VALUE) >= level) break
    openWorker(sim, i32.load(connectionAddress(sim, i32.load(first, TAG_CONNECTION)), CONNECTION_WORKER_LINK))
    opened++
  }
  let openedBelow = 0
  while (openedBelow < most && i32.load(sharing, SHARING_FALLING + ORDER_COUNT) > 0) {
    const first = i32.load(sharing, SHARING_FALLING + ORDER_FIRST)
    if (-f64.load(first, TAG_VALUE) <= level) break
    openWorker(sim, i32.load(connectionAddress(sim, i32.load(first, TAG_CONNECTION)), CONNECTION_WORKER_LINK))
    openedBelow++
  }
  return opened + openedBelow > 0
}

/** The shares of a mixed worker are found: it goes where it belongs. Returns whether it stays mixed. */
export function stand(sim: i32, workerLink: i32): bool {
  const servers = i32.load(sim, SIM_SERVERS)
  const first = firstConnection(sim, workerLink)
  const link = linkAddress(sim, workerLink)
  let busy = 0
  let own = 0
  let shared: f64 = 0
  let room = effectiveCapacity(sim, link)
  countVisits(sim, servers)
  for (let connection = first; connection < first + servers; connection++) {
    const address = connectionAddress(sim, connection)
    const attached = i32.load(address, CONNECTION_LINK)
    if (attached < 0) continue
    busy++
    const rate = f64.load(address, CONNECTION_WEIGHT) * f64.load(linkAddress(sim, attached), LINK_LEVEL)
    if (attached === workerLink) own++
    else if (isServerLimited(address)) shared += rate
    else room -= rate
  }
  if (own > 0 && own < busy) return true
  i32.store(link, busy === 0 ? STANDING_IDLE : own > 0 ? STANDING_FULL : STANDING_ROOMY, LINK_STATE)
  // The room is shared out in proportion: as long as no level rises past its part, the worker's link cannot become the bottleneck.
  const growth = shared > 0 && room > shared ? room / shared : 1
  for (let connection = first; connection < first + servers; connection++) {
    const address = connectionAddress(sim, connection)
    if (i32.load(address, CONNECTION_LINK) < 0) continue
    addToSums(sim, address, 1)
    watch(sim, connection, growth)
  }
  return false
}

function watch(sim: i32, connection: i32, growth: f64): void {
  const address = connectionAddress(sim, connection)
  const level = f64.load(linkAddress(sim, i32.load(address, CONNECTION_LINK)), LINK_LEVEL)
  let threshold = -level
  if (isServerLimited(address)) {
    const weight = f64.load(address, CONNECTION_WEIGHT)
    const flowLink = i32.load(address, CONNECTION_FLOW_LINK)
    threshold = level * growth
    if (flowLink >= 0) {
      const limit = f64.load(linkAddress(sim, flowLink), LINK_CAPACITY) / weight
      if (limit < threshold) threshold = limit
    }
    if (threshold * weight >= f64.load(linkAddress(sim, i32.load(address, CONNECTION_SERVER_LINK)), LINK_CAPACITY)) {
      // Not even alone would it get so much.
      i32.store(watchPositions(sim) + 4 * connection, -1)
      return
    }
  }
  insertTag(watchPositions(sim), watchingOrder(sim, address), threshold, connection)
}
