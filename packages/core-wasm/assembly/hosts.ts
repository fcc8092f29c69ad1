/**
 * Servers on the hosts of workers (docs/semantics.md): server j and worker j share a link out and a link in, which are the server's. A
 * connection between two such hosts crosses two of these links, its sender's out and its receiver's in, so pulls and pushes are shared out
 * together. Such connections are in no sum and no list of mixed workers (standing.ts): a filling takes all that are busy on the links that
 * it opens, and opens the links at their other ends. Workers whose hosts have no server stand as they do elsewhere.
 */
import { attach, demand, emptyServer, fix, give, limitLevel } from './flows'
import {
  CONNECTION_FLOW,
  CONNECTION_FLOW_LINK,
  CONNECTION_SERVER_LINK,
  CONNECTION_WEIGHT,
  CONNECTION_WORKER,
  CONNECTION_WORKER_LINK,
  FLOW_OFF,
  FLOW_OPEN,
  LINK_LEVEL,
  LINK_STATE,
  SIM_COLOCATED,
  SIM_FILLING,
  SIM_OPEN_COUNT,
  SIM_SERVERS,
  SIM_WORKERS
} from './layout'
import { advanceClock, connectionAddress, linkAddress, updateNext } from './linkClock'
import { countVisits, openEntry, openServer } from './standing'
import { insertTag, positionOf, removeTag, watchPositions } from './tagOrder'

/** Whether the connection's worker shares its host with a server. */
export function isBetweenHosts(sim: i32, connection: i32): bool {
  if (i32.load(sim, SIM_COLOCATED) === 0) return false
  return i32.load(connectionAddress(sim, connection), CONNECTION_WORKER) < i32.load(sim, SIM_SERVERS)
}

/** Hosts that have both a worker and a server. */
function sharedHosts(sim: i32): i32 {
  const workers = i32.load(sim, SIM_WORKERS)
  const servers = i32.load(sim, SIM_SERVERS)
  return workers < servers ? workers : servers
}

/** How many connections to and from other servers' hosts cross the host's link out (below the number of servers) or in, and two that do not. */
function connectionsOn(sim: i32, hostLink: i32): i32 {
  const servers = i32.load(sim, SIM_SERVERS)
  const host = hostLink < servers ? hostLink : hostLink - servers
  return sharedHosts(sim) + (host < i32.load(sim, SIM_WORKERS) ? servers : 0)
}

/** Those of the host's server come first, then those of its worker. Of each the one between the two, on no link, is −1. */
function connectionOn(sim: i32, hostLink: i32, position: i32): i32 {
  const servers = i32.load(sim, SIM_SERVERS)
  const direction = hostLink < servers ? 0 : 1
  const host = hostLink - direction * servers
  const shared = sharedHosts(sim)
  const ofServer = position < shared
  const worker = ofServer ? position : host
  const server = ofServer ? host : position - shared
  if (worker === server) return -1
  // What leaves the host is a pull from its server or a push of its worker.
  return ((ofServer ? direction : 1 - direction) * i32.load(sim, SIM_WORKERS) + worker) * servers + server
}

function isOff(address: i32): bool {
  return i32.load(address, CONNECTION_FLOW) === FLOW_OFF
}

function otherEnd(address: i32, hostLink: i32): i32 {
  const serverLink = i32.load(address, CONNECTION_SERVER_LINK)
  return serverLink === hostLink ? i32.load(address, CONNECTION_WORKER_LINK) : serverLink
}

/** Opens what the open links are connected with, and enters all their busy connections. */
export function demandBetweenHosts(sim: i32): void {
  let seenOut = 0
  let seenIn = 0
  while (true) {
    if (seenOut < i32.load(sim, SIM_OPEN_COUNT)) openOtherEnds(sim, i32.load(openEntry(sim, 0, seenOut++)))
    else if (seenIn < i32.load(sim, SIM_OPEN_COUNT + 4)) openOtherEnds(sim, i32.load(openEntry(sim, 1, seenIn++)))
    else break
  }
  for (let i = 0; i < seenOut; i++) demandOn(sim, i32.load(openEntry(sim, 0, i)))
  for (let i = 0; i < seenIn; i++) demandOn(sim, i32.load(openEntry(sim, 1, i)))
}

function openOtherEnds(sim: i32, hostLink: i32): void {
  const count = connectionsOn(sim, hostLink)
  countVisits(sim, count)
  for (let i = 0; i < count; i++) {
    const connection = connectionOn(sim, hostLink, i)
    if (connection < 0) continue
    const address = connectionAddress(sim, connection)
    if (isOff(address)) continue
    const other = otherEnd(address, hostLink)
    if (i32.load(linkAddress(sim, other), LINK_STATE) !== 0) continue
    openServer(sim, other)
    emptyServer(sim, other)
  }
}

/** Those of its server only: each connection once. */
function demandOn(sim: i32, hostLink: i32): void {
  const count = sharedHosts(sim)
  countVisits(sim, count)
  for (let i = 0; i < count; i++) {
    const connection = connectionOn(sim, hostLink, i)
    if (connection < 0) continue
    const address = connectionAddress(sim, connection)
    if (isOff(address)) continue
    i32.store(address, FLOW_OPEN, CONNECTION_FLOW)
    const weight = f64.load(address, CONNECTION_WEIGHT)
    demand(linkAddress(sim, hostLink), weight)
    demand(linkAddress(sim, i32.load(address, CONNECTION_WORKER_LINK)), weight)
    const flowLink = i32.load(address, CONNECTION_FLOW_LINK)
    if (flowLink < 0) continue
    advanceClock(sim, linkAddress(sim, flowLink))
    insertTag(watchPositions(sim), sim + SIM_FILLING, limitLevel(sim, connection), connection)
  }
}

/** The host's link has reached its level: so have the connections on it. */
export function fixBetweenHosts(sim: i32, hostLink: i32, level: f64): void {
  const count = connectionsOn(sim, hostLink)
  countVisits(sim, count)
  for (let i = 0; i < count; i++) {
    const connection = connectionOn(sim, hostLink, i)
    if (connection < 0) continue
    const address = connectionAddress(sim, connection)
    if (i32.load(address, CONNECTION_FLOW) !== FLOW_OPEN) continue
    fix(address, hostLink)
    const weight = f64.load(address, CONNECTION_WEIGHT)
    give(linkAddress(sim, otherEnd(address, hostLink)), weight, weight * level)
    if (i32.load(address, CONNECTION_FLOW_LINK) >= 0) leaveFilling(sim, connection)
  }
}

/** The connection has reached its own limit. */
export function fixLimited(sim: i32, connection: i32): void {
  const address = connectionAddress(sim, connection)
  const flowLink = i32.load(address, CONNECTION_FLOW_LINK)
  const level = limitLevel(sim, connection)
  f64.store(linkAddress(sim, flowLink), level, LINK_LEVEL)
  fix(address, flowLink)
  const weight = f64.load(address, CONNECTION_WEIGHT)
  give(linkAddress(sim, i32.load(address, CONNECTION_SERVER_LINK)), weight, weight * level)
  give(linkAddress(sim, i32.load(address, CONNECTION_WORKER_LINK)), weight, weight * level)
  leaveFilling(sim, connection)
}

function leaveFilling(sim: i32, connection: i32): void {
  removeTag(watchPositions(sim), sim + SIM_FILLING, positionOf(watchPositions(sim), connection))
}

/** Moves the connections on the open links to the clocks of their bottlenecks. */
export function attachBetweenHosts(sim: i32): void {
  for (let direction = 0; direction < 2; direction++) {
    const open = i32.load(sim + 4 * direction, SIM_OPEN_COUNT)
    for (let i = 0; i < open; i++) attachOn(sim, i32.load(openEntry(sim, direction, i)))
  }
}

function attachOn(sim: i32, hostLink: i32): void {
  const count = sharedHosts(sim)
  countVisits(sim, count)
  for (let i = 0; i < count; i++) {
    const connection = connectionOn(sim, hostLink, i)
    if (connection < 0) continue
    const address = connectionAddress(sim, connection)
    if (isOff(address)) continue
    attach(sim, connection)
    const flowLink = i32.load(address, CONNECTION_FLOW_LINK)
    if (flowLink >= 0) updateNext(sim, flowLink)
  }
}
