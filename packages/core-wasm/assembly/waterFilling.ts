/**
 * Weighted max–min shares of one direction by progressive filling: the link that would run full first fixes the level of the connections
 * that cross it; what they use is taken from their other links; and so on. Connections whose bottleneck changed move to its clock.
 */
import {
  CONNECTION_FLOW_LINK,
  CONNECTION_FOUND_LINK,
  CONNECTION_LINK,
  CONNECTION_SERVER_LINK,
  CONNECTION_UNFIXED,
  CONNECTION_WEIGHT,
  CONNECTION_WIRE_BYTES,
  CONNECTION_WORKER_LINK,
  LINK_CLOCK,
  LINK_HEAP,
  LINK_LEVEL,
  LINK_REST_CAPACITY,
  LINK_REST_COUNT,
  LINK_REST_WEIGHT,
  SIM_BUSY_COUNT,
  SIM_FLOW_LINKS,
  SIM_UNSETTLED,
  TAG_BYTES,
  TAG_VALUE
} from './layout'
import { advanceClock, busyEntry, connectionAddress, effectiveCapacity, linkAddress, updateNext } from './links'
import { heapPosition, insertTag, removeTag } from './tagHeap'

function openLink(sim: i32, link: i32): void {
  advanceClock(sim, link)
  f64.store(link, effectiveCapacity(sim, link), LINK_REST_CAPACITY)
  f64.store(link, 0, LINK_REST_WEIGHT)
  i32.store(link, 0, LINK_REST_COUNT)
}

function demand(link: i32, weight: f64): void {
  f64.store(link, f64.load(link, LINK_REST_WEIGHT) + weight, LINK_REST_WEIGHT)
  i32.store(link, i32.load(link, LINK_REST_COUNT) + 1, LINK_REST_COUNT)
}

function give(link: i32, weight: f64, rate: f64): void {
  const rest = f64.load(link, LINK_REST_CAPACITY) - rate
  f64.store(link, rest > 0 ? rest : 0, LINK_REST_CAPACITY)
  f64.store(link, f64.load(link, LINK_REST_WEIGHT) - weight, LINK_REST_WEIGHT)
  i32.store(link, i32.load(link, LINK_REST_COUNT) - 1, LINK_REST_COUNT)
}

/** The level at which the link would be full; Infinity when it has no demand left. */
function fullLevel(link: i32): f64 {
  if (i32.load(link, LINK_REST_COUNT) === 0) return Infinity
  return f64.load(link, LINK_REST_CAPACITY) / f64.load(link, LINK_REST_WEIGHT)
}

export function settle(sim: i32, direction: i32): void {
  i32.store(sim + 4 * direction, 0, SIM_UNSETTLED)
  const count = i32.load(sim + 4 * direction, SIM_BUSY_COUNT)
  const list = busyEntry(sim, direction, 0)
  const limited = i32.load(sim, SIM_FLOW_LINKS) !== 0
  for (let i = 0; i < count; i++) {
    const connection = connectionAddress(sim, i32.load(list + 4 * i))
    openLink(sim, linkAddress(sim, i32.load(connection, CONNECTION_SERVER_LINK)))
    openLink(sim, linkAddress(sim, i32.load(connection, CONNECTION_WORKER_LINK)))
    if (limited) openLink(sim, linkAddress(sim, i32.load(connection, CONNECTION_FLOW_LINK)))
  }
  for (let i = 0; i < count; i++) {
    const connection = connectionAddress(sim, i32.load(list + 4 * i))
    const weight = f64.load(connection, CONNECTION_WEIGHT)
    i32.store(connection, 1, CONNECTION_UNFIXED)
    demand(linkAddress(sim, i32.load(connection, CONNECTION_SERVER_LINK)), weight)
    demand(linkAddress(sim, i32.load(connection, CONNECTION_WORKER_LINK)), weight)
    if (limited) demand(linkAddress(sim, i32.load(connection, CONNECTION_FLOW_LINK)), weight)
  }
  let unfixed = count
  while (unfixed > 0) unfixed -= fill(sim, list, count, limited)
  for (let i = 0; i < count; i++) attach(sim, i32.load(list + 4 * i))
  for (let i = 0; i < count; i++) {
    const connection = connectionAddress(sim, i32.load(list + 4 * i))
    updateNext(sim, i32.load(connection, CONNECTION_SERVER_LINK))
    updateNext(sim, i32.load(connection, CONNECTION_WORKER_LINK))
    if (limited) updateNext(sim, i32.load(connection, CONNECTION_FLOW_LINK))
  }
}

/** Fixes the connections of the link that is full at the lowest level; returns how many. */
function fill(sim: i32, list: i32, count: i32, limited: bool): i32 {
  let lowest: f64 = Infinity
  let bottleneck = -1
  for (let i = 0; i < count; i++) {
    const connection = connectionAddress(sim, i32.load(list + 4 * i))
    if (i32.load(connection, CONNECTION_UNFIXED) === 0) continue
    const serverLink = i32.load(connection, CONNECTION_SERVER_LINK)
    const workerLink = i32.load(connection, CONNECTION_WORKER_LINK)
    const serverLevel = fullLevel(linkAddress(sim, serverLink))
    const workerLevel = fullLevel(linkAddress(sim, workerLink))
    // Equal levels go to the lower link number: the result must not depend on the order of the list.
    if (serverLevel < lowest || (serverLevel === lowest && serverLink < bottleneck)) {
      lowest = serverLevel
      bottleneck = serverLink
    }
    if (workerLevel < lowest || (workerLevel === lowest && workerLink < bottleneck)) {
      lowest = workerLevel
      bottleneck = workerLink
    }
    if (!limited) continue
    const flowLink = i32.load(connection, CONNECTION_FLOW_LINK)
    const flowLevel = fullLevel(linkAddress(sim, flowLink))
    if (flowLevel < lowest || (flowLevel === lowest && flowLink < bottleneck)) {
      lowest = flowLevel
      bottleneck = flowLink
    }
  }
  f64.store(linkAddress(sim, bottleneck), lowest, LINK_LEVEL)
  let fixed = 0
  for (let i = 0; i < count; i++) {
    const connection = connectionAddress(sim, i32.load(list + 4 * i))
    if (i32.load(connection, CONNECTION_UNFIXED) === 0) continue
    const serverLink = i32.load(connection, CONNECTION_SERVER_LINK)
    const workerLink = i32.load(connection, CONNECTION_WORKER_LINK)
    const flowLink = i32.load(connection, CONNECTION_FLOW_LINK)
    if (serverLink !== bottleneck && workerLink !== bottleneck && flowLink !== bottleneck) continue
    const weight = f64.load(connection, CONNECTION_WEIGHT)
    i32.store(connection, 0, CONNECTION_UNFIXED)
    i32.store(connection, bottleneck, CONNECTION_FOUND_LINK)
    // Its own link has nobody else to give a rest to.
    give(linkAddress(sim, serverLink), weight, weight * lowest)
    give(linkAddress(sim, workerLink), weight, weight * lowest)
    fixed++
  }
  return fixed
}

/** Moves the connection to the clock of the bottleneck just found. */
function attach(sim: i32, connectionNumber: i32): void {
  const connection = connectionAddress(sim, connectionNumber)
  const found = i32.load(connection, CONNECTION_FOUND_LINK)
  const old = i32.load(connection, CONNECTION_LINK)
  if (found === old) return
  const weight = f64.load(connection, CONNECTION_WEIGHT)
  let rest = f64.load(connection, CONNECTION_WIRE_BYTES)
  if (old >= 0) {
    const link = linkAddress(sim, old)
    const position = heapPosition(sim, connectionNumber)
    rest = (f64.load(i32.load(link, LINK_HEAP) + position * TAG_BYTES, TAG_VALUE) - f64.load(link, LINK_CLOCK)) * weight
    removeTag(sim, link, position)
  }
  const link = linkAddress(sim, found)
  insertTag(sim, link, f64.load(link, LINK_CLOCK) + rest / weight, connectionNumber)
  i32.store(connection, found, CONNECTION_LINK)
}
