/**
 * Weighted max–min shares by progressive filling: the link that would run full first fixes the level of the connections that cross it; what
 * they use is taken from their other links; and so on. Filled are only the servers' links that a change has opened and the mixed workers
 * with theirs (standing.ts); all others enter as the sums of their servers. Should a level then pass a threshold of one of
 * these, that worker is mixed too, and the filling starts again. Connections whose bottleneck changed move to its clock.
 */
import { attach, demand, emptyServer, fix, fullLevel, give, limitLevel } from './flows'
import { attachBetweenHosts, demandBetweenHosts, fixBetweenHosts, fixLimited, isBetweenHosts } from './hosts'
import {
  CONNECTION_FLOW,
  CONNECTION_FLOW_LINK,
  CONNECTION_SERVER_LINK,
  CONNECTION_WEIGHT,
  CONNECTION_WORKER_LINK,
  FLOW_OFF,
  FLOW_OPEN,
  LINK_LEVEL,
  LINK_REST_CAPACITY,
  LINK_REST_COUNT,
  LINK_REST_WEIGHT,
  LINK_STATE,
  ORDER_COUNT,
  ORDER_FIRST,
  SIM_COLOCATED,
  SIM_FILLING,
  SIM_FLOW_LINKS,
  SIM_MIXED_COUNT,
  SIM_OPEN_COUNT,
  SIM_SERVERS,
  SIM_UNSETTLED,
  TAG_CONNECTION,
  TAG_VALUE
} from './layout'
import { advanceClock, connectionAddress, effectiveCapacity, linkAddress, updateNext } from './linkClock'
import { countVisits, firstConnection, mixedEntry, openEntry, openPassed, openServer, stand } from './standing'
import { changeTag, insertTag, positionOf, removeTag, watchPositions } from './tagOrder'

/**
 * Finds the shares of the directions `first` to `last`: of one, or, with servers on workers' hosts, of both, as pulls and pushes meet on
 * links there.
 */
export function settle(sim: i32, first: i32, last: i32): void {
  let most = 1
  fill(sim, first, last)
  // Twice as many each time: the work stays in proportion to the number of workers that have to be looked at.
  while (openAllPassed(sim, first, last, most)) {
    fill(sim, first, last)
    most *= 2
  }
  for (let direction = first; direction <= last; direction++) attachWorkers(sim, direction)
  if (first !== last) attachBetweenHosts(sim)
  for (let direction = first; direction <= last; direction++) {
    publish(sim, direction)
    i32.store(sim + 4 * direction, 0, SIM_UNSETTLED)
  }
}

function openAllPassed(sim: i32, first: i32, last: i32, most: i32): bool {
  let any = false
  for (let direction = first; direction <= last; direction++) {
    const servers = i32.load(sim + 4 * direction, SIM_OPEN_COUNT)
    for (let i = 0; i < servers; i++) {
      if (openPassed(sim, i32.load(openEntry(sim, direction, i)), most)) any = true
    }
  }
  return any
}

// ------------------------------------------------------------------------------------------------ filling

function fill(sim: i32, first: i32, last: i32): void {
  for (let direction = first; direction <= last; direction++) {
    const opened = i32.load(sim + 4 * direction, SIM_OPEN_COUNT)
    for (let i = 0; i < opened; i++) emptyServer(sim, i32.load(openEntry(sim, direction, i)))
    const workers = i32.load(sim + 4 * direction, SIM_MIXED_COUNT)
    for (let i = 0; i < workers; i++) emptyWorker(sim, i32.load(mixedEntry(sim, direction, i)))
  }
  if (first !== last) demandBetweenHosts(sim)
  const order = sim + SIM_FILLING
  while (true) {
    let lowest: f64 = Infinity
    let bottleneck = -1
    for (let direction = first; direction <= last; direction++) {
      const servers = i32.load(sim + 4 * direction, SIM_OPEN_COUNT)
      countVisits(sim, servers)
      for (let i = 0; i < servers; i++) {
        const serverLink = i32.load(openEntry(sim, direction, i))
        const link = linkAddress(sim, serverLink)
        if (i32.load(link, LINK_REST_COUNT) === 0) continue
        const level = fullLevel(link)
        // Equal levels go to the lower link number: the result must not depend on the order of the list.
        if (level < lowest || (level === lowest && serverLink < bottleneck)) {
          lowest = level
          bottleneck = serverLink
        }
      }
    }
    const otherLevel = i32.load(order, ORDER_COUNT) > 0 ? f64.load(i32.load(order, ORDER_FIRST), TAG_VALUE) : Infinity
    if (bottleneck >= 0 && lowest <= otherLevel) {
      fixServer(sim, bottleneck, lowest)
    } else if (i32.load(order, ORDER_COUNT) > 0) {
      const next = i32.load(i32.load(order, ORDER_FIRST), TAG_CONNECTION)
      if (isBetweenHosts(sim, next)) fixLimited(sim, next)
      else fixWorker(sim, next)
    } else {
      break
    }
  }
}

function emptyWorker(sim: i32, workerLink: i32): void {
  const servers = i32.load(sim, SIM_SERVERS)
  const first = firstConnection(sim, workerLink)
  const link = linkAddress(sim, workerLink)
  advanceClock(sim, link)
  f64.store(link, effectiveCapacity(sim, link), LINK_REST_CAPACITY)
  f64.store(link, 0, LINK_REST_WEIGHT)
  i32.store(link, 0, LINK_REST_COUNT)
  countVisits(sim, servers)
  for (let connection = first; connection < first + servers; connection++) {
    const address = connectionAddress(sim, connection)
    if (i32.load(address, CONNECTION_FLOW) === FLOW_OFF) continue
    i32.store(address, FLOW_OPEN, CONNECTION_FLOW)
    const serverLink = i32.load(address, CONNECTION_SERVER_LINK)
    const server = linkAddress(sim, serverLink)
    if (i32.load(server, LINK_STATE) === 0) {
      openServer(sim, serverLink)
      emptyServer(sim, serverLink)
    }
    const weight = f64.load(address, CONNECTION_WEIGHT)
    demand(server, weight)
    demand(link, weight)
    const flowLink = i32.load(address, CONNECTION_FLOW_LINK)
    if (flowLink >= 0) advanceClock(sim, linkAddress(sim, flowLink))
  }
  if (i32.load(link, LINK_REST_COUNT) > 0) {
    insertTag(watchPositions(sim), sim + SIM_FILLING, nextLevel(sim, workerLink), first)
  }
}

/** The worker's open connection that reaches its own limit first: the one of greatest weight. −1 when they have no limits. */
function firstLimited(sim: i32, workerLink: i32): i32 {
  if (i32.load(sim, SIM_FLOW_LINKS) === 0) return -1
  const servers = i32.load(sim, SIM_SERVERS)
  const first = firstConnection(sim, workerLink)
  let greatest: f64 = 0
  let found = -1
  countVisits(sim, servers)
  for (let connection = first; connection < first + servers; connection++) {
    const address = connectionAddress(sim, connection)
    if (i32.load(address, CONNECTION_FLOW) !== FLOW_OPEN || f64.load(address, CONNECTION_WEIGHT) <= greatest) continue
    greatest = f64.load(address, CONNECTION_WEIGHT)
    found = connection
  }
  return found
}

/** The level at which the worker's link would be full, or one of its open connections reaches its own limit. */
function nextLevel(sim: i32, workerLink: i32): f64 {
  const level = fullLevel(linkAddress(sim, workerLink))
  const limited = firstLimited(sim, workerLink)
  if (limited < 0) return level
  const limit = limitLevel(sim, limited)
  return limit < level ? limit : level
}

function fixServer(sim: i32, serverLink: i32, level: f64): void {
  const direction = serverLink >= i32.load(sim, SIM_SERVERS) ? 1 : 0
  const link = linkAddress(sim, serverLink)
  f64.store(link, level, LINK_LEVEL)
  i32.store(link, 0, LINK_REST_COUNT)
  const workers = i32.load(sim + 4 * direction, SIM_MIXED_COUNT)
  const server = serverLink - direction * i32.load(sim, SIM_SERVERS)
  countVisits(sim, workers)
  for (let i = 0; i < workers; i++) {
    const workerLink = i32.load(mixedEntry(sim, direction, i))
    const address = connectionAddress(sim, firstConnection(sim, workerLink) + server)
    if (i32.load(address, CONNECTION_FLOW) !== FLOW_OPEN) continue
    fix(address, serverLink)
    const weight = f64.load(address, CONNECTION_WEIGHT)
    give(linkAddress(sim, workerLink), weight, weight * level)
    refile(sim, workerLink)
  }
  if (i32.load(sim, SIM_COLOCATED) !== 0) fixBetweenHosts(sim, serverLink, level)
}

/** The worker whose first connection this is has reached its next level. */
function fixWorker(sim: i32, first: i32): void {
  const servers = i32.load(sim, SIM_SERVERS)
  const workerLink = i32.load(connectionAddress(sim, first), CONNECTION_WORKER_LINK)
  const link = linkAddress(sim, workerLink)
  const level = fullLevel(link)
  const limited = firstLimited(sim, workerLink)
  if (limited >= 0 && limitLevel(sim, limited) < level) {
    const address = connectionAddress(sim, limited)
    const flowLink = i32.load(address, CONNECTION_FLOW_LINK)
    const weight = f64.load(address, CONNECTION_WEIGHT)
    const limit = limitLevel(sim, limited)
    f64.store(linkAddress(sim, flowLink), limit, LINK_LEVEL)
    fix(address, flowLink)
    give(linkAddress(sim, i32.load(address, CONNECTION_SERVER_LINK)), weight, weight * limit)
    give(link, weight, weight * limit)
  } else {
    f64.store(link, level, LINK_LEVEL)
    countVisits(sim, servers)
    for (let connection = first; connection < first + servers; connection++) {
      const address = connectionAddress(sim, connection)
      if (i32.load(address, CONNECTION_FLOW) !== FLOW_OPEN) continue
      fix(address, workerLink)
      const weight = f64.load(address, CONNECTION_WEIGHT)
      give(linkAddress(sim, i32.load(address, CONNECTION_SERVER_LINK)), weight, weight * level)
    }
    i32.store(link, 0, LINK_REST_COUNT)
  }
  refile(sim, workerLink)
}

/** Puts a worker some of whose connections were fixed where it belongs in the order of the filling, or out of it. */
function refile(sim: i32, workerLink: i32): void {
  const order = sim + SIM_FILLING
  const position = positionOf(watchPositions(sim), firstConnection(sim, workerLink))
  if (i32.load(linkAddress(sim, workerLink), LINK_REST_COUNT) === 0) {
    removeTag(watchPositions(sim), order, position)
  } else {
    changeTag(watchPositions(sim), order, position, nextLevel(sim, workerLink))
  }
}

// ------------------------------------------------------------------------------------------------ what was found

function attachWorkers(sim: i32, direction: i32): void {
  const workers = i32.load(sim + 4 * direction, SIM_MIXED_COUNT)
  for (let i = 0; i < workers; i++) attachAll(sim, i32.load(mixedEntry(sim, direction, i)))
}

function publish(sim: i32, direction: i32): void {
  const servers = i32.load(sim + 4 * direction, SIM_OPEN_COUNT)
  for (let i = 0; i < servers; i++) {
    const serverLink = i32.load(openEntry(sim, direction, i))
    updateNext(sim, serverLink)
    i32.store(linkAddress(sim, serverLink), 0, LINK_STATE)
  }
  i32.store(sim + 4 * direction, 0, SIM_OPEN_COUNT)
  const workers = i32.load(sim + 4 * direction, SIM_MIXED_COUNT)
  let mixed = 0
  for (let i = 0; i < workers; i++) {
    const workerLink = i32.load(mixedEntry(sim, direction, i))
    if (stand(sim, workerLink)) i32.store(mixedEntry(sim, direction, mixed++), workerLink)
  }
  i32.store(sim + 4 * direction, mixed, SIM_MIXED_COUNT)
}

function attachAll(sim: i32, workerLink: i32): void {
  const servers = i32.load(sim, SIM_SERVERS)
  const first = firstConnection(sim, workerLink)
  countVisits(sim, servers)
  for (let connection = first; connection < first + servers; connection++) {
    const address = connectionAddress(sim, connection)
    if (i32.load(address, CONNECTION_FLOW) === FLOW_OFF) continue
    attach(sim, connection)
    const flowLink = i32.load(address, CONNECTION_FLOW_LINK)
    if (flowLink >= 0) updateNext(sim, flowLink)
  }
  updateNext(sim, workerLink)
}
