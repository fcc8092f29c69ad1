/** The event loop (docs/method.md §4) and the start of a run. */
import { actOnChunks } from './chunks'
import { finishedStream, joinLate, nextTurn, wake } from './connections'
import {
  CLASS_CHUNK,
  CLASS_COMPUTE,
  CLASS_NET,
  CLASS_PARSE,
  CLASS_READY,
  CLASS_RELEASE,
  CLASS_REQUEST,
  CLASS_SHIFT,
  CLASS_STEP,
  CLASS_UPDATE,
  NET_JOIN,
  NET_RAMP,
  removeFirst,
  STEP_BEGINS,
  schedule,
  WORKER_MASK
} from './eventQueue'
import {
  CONNECTION_BYTES,
  CONNECTION_FLOW_LINK,
  CONNECTION_IDLE_SINCE,
  CONNECTION_LINK,
  CONNECTION_LUCK,
  CONNECTION_RAMP_STEP,
  CONNECTION_REQUEST_DUE,
  CONNECTION_SERVER,
  CONNECTION_SERVER_LINK,
  CONNECTION_WEIGHT,
  CONNECTION_WORKER,
  CONNECTION_WORKER_LINK,
  EVENT_CLASS_WORKER,
  EVENT_OPERATION,
  EVENT_TIME,
  JOB_JOIN_DEPENDENCIES,
  JOB_JOINS,
  JOB_OPERATIONS,
  JOIN_LEFT_BYTES,
  LINK_BUSY_US,
  LINK_CAPACITY,
  LINK_CROSSING,
  LINK_LEVEL,
  LINK_NEXT,
  LINK_ORDER,
  LINK_REVERSE,
  LINK_SENT_BYTES,
  LINK_SINCE,
  LINK_TOKENS,
  MODE_ASYNC,
  RAMP_STEPS,
  SERVER_BYTES,
  SERVER_MESSAGE_BUSY,
  SERVER_UPDATE_BUSY,
  SIM_BURST,
  SIM_COLOCATED,
  SIM_COMPLETED_STEPS,
  SIM_CONNECTION,
  SIM_EVENT_CAPACITY,
  SIM_EVENT_COUNT,
  SIM_EVENTS,
  SIM_EVENTS_TAKEN,
  SIM_FLOW_LINKS,
  SIM_JOB,
  SIM_JOIN_LEFT,
  SIM_LINK_ORDERS,
  SIM_LOG_CAPACITY,
  SIM_LOG_COUNT,
  SIM_LOG_WORKERS,
  SIM_MODE,
  SIM_NOW,
  SIM_PHASE_SPAN,
  SIM_RECORD_CAPACITY,
  SIM_RECORD_COUNT,
  SIM_SERVER_STATE,
  SIM_SERVERS,
  SIM_STATISTICS_SINCE,
  SIM_UNSETTLED,
  SIM_WORKER_LINKS,
  SIM_WORKERS,
  STATUS_DEADLOCK,
  STATUS_DONE,
  STATUS_EVENTS_FULL,
  STATUS_LOG_FULL,
  STATUS_PAUSED,
  STATUS_RECORDS_FULL,
  WORKER_COMPUTE_BUSY,
  WORKER_RANDOM
} from './layout'
import { linkAddress } from './linkClock'
import { reachFirst } from './links'
import { firstLink, initialiseLinkTimes } from './linkTimes'
import { arrive, complete, handOver, RELEASE_PULL, ready } from './operations'
import { linkCount } from './plan'
import { onRampEvent } from './ramp'
import { uniform } from './random'
import { readAhead } from './readAhead'
import { initialiseRounds, onRoundEvent } from './rounds'
import { initialiseSharing } from './standing'
import { countPushedStep, onRequest, onStepEvent, RELEASE_ROOTS, release } from './step'
import { initialiseOrder } from './tagOrder'
import { settle } from './waterFilling'
import { workerAddress } from './workers'

/** Prepares a zeroed block whose header, workers (random state, scale, latency), servers and link capacities are set. */
export function initialise(sim: i32): void {
  const workers = i32.load(sim, SIM_WORKERS)
  const servers = i32.load(sim, SIM_SERVERS)
  const workerLinks = i32.load(sim, SIM_WORKER_LINKS)
  const job = i32.load(sim, SIM_JOB)
  const links = linkCount(sim)
  const colocated = i32.load(sim, SIM_COLOCATED) !== 0
  const firstLoopback = colocated ? links - 2 * servers : links
  const firstFlowLink = i32.load(sim, SIM_FLOW_LINKS) !== 0 ? 2 * servers + 2 * workers : firstLoopback
  let entries = i32.load(sim, SIM_LINK_ORDERS)
  for (let link = 0; link < links; link++) {
    const address = linkAddress(sim, link)
    f64.store(address, Infinity, LINK_NEXT)
    f64.store(address, f64.load(sim, SIM_BURST), LINK_TOKENS)
    let reverse: i32
    if (link < 2 * servers) reverse = link < servers ? link + servers : link - servers
    else if (link < firstFlowLink) reverse = link < 2 * servers + workers ? link + workers : link - workers
    // Nobody "crosses" a connection's own link: it pays for no acknowledgements.
    else reverse = link
    if (link >= firstLoopback) f64.store(address, f64.load(address, LINK_CAPACITY), LINK_LEVEL)
    i32.store(address, reverse, LINK_REVERSE)
    // The children of an entry lie on one line of a cache.
    if (link < 2 * servers) entries = ((entries + 16 + 63) & -64) - 16
    const most = link < 2 * servers ? (colocated ? workers + servers : workers) : link < firstFlowLink ? servers : 1
    entries = initialiseOrder(address + LINK_ORDER, entries, most)
  }
  initialiseLinkTimes(sim, links)
  if (workerLinks !== 0) initialiseSharing(sim)
  let connection = i32.load(sim, SIM_CONNECTION)
  let flowLink = firstFlowLink
  for (let direction = 0; direction < 2; direction++) {
    for (let worker = 0; worker < workers; worker++) {
      for (let server = 0; server < servers; server++) {
        i32.store(connection, -1, CONNECTION_LINK)
        i32.store(connection, worker, CONNECTION_WORKER)
        i32.store(connection, server, CONNECTION_SERVER)
        i32.store(connection, direction * servers + server, CONNECTION_SERVER_LINK)
        i32.store(connection, workerLinks !== 0 ? 2 * servers + direction * workers + worker : -1, CONNECTION_WORKER_LINK)
        if (colocated && worker < servers) crossHosts(connection, direction, firstLoopback, servers)
        i32.store(connection, flowLink < firstLoopback ? flowLink++ : -1, CONNECTION_FLOW_LINK)
        f64.store(connection, 1, CONNECTION_WEIGHT)
        f64.store(connection, 1, CONNECTION_LUCK)
        i32.store(connection, RAMP_STEPS, CONNECTION_RAMP_STEP)
        f64.store(connection, -Infinity, CONNECTION_IDLE_SINCE)
        f64.store(connection, -1, CONNECTION_REQUEST_DUE)
        connection += CONNECTION_BYTES
      }
    }
  }
  const joins = i32.load(job, JOB_JOINS)
  for (let worker = 0; worker < workers; worker++) {
    let left = workerAddress(sim, worker) + i32.load(sim, SIM_JOIN_LEFT)
    for (let i = 0; i < joins; i++) {
      i32.store16(left, i32.load(i32.load(job, JOB_JOIN_DEPENDENCIES) + 4 * i))
      left += JOIN_LEFT_BYTES
    }
  }
  initialiseRounds(sim)
  const phaseSpan = f64.load(sim, SIM_PHASE_SPAN)
  for (let worker = 0; worker < workers; worker++) {
    const address = workerAddress(sim, worker)
    const phase = phaseSpan > 0 ? phaseSpan * uniform(address + WORKER_RANDOM) : 0
    schedule(sim, phase, CLASS_STEP, worker, STEP_BEGINS)
  }
}

/** The connection's worker has a server on its host: it has that host's links, and with that server a loopback link. */
function crossHosts(connection: i32, direction: i32, firstLoopback: i32, servers: i32): void {
  const worker = i32.load(connection, CONNECTION_WORKER)
  const loopback = firstLoopback + direction * servers + worker
  const isLocal = i32.load(connection, CONNECTION_SERVER) === worker
  if (isLocal) i32.store(connection, loopback, CONNECTION_SERVER_LINK)
  // Servers' links out come first: what a worker pushes leaves by its host's.
  i32.store(connection, isLocal ? loopback : direction === 0 ? servers + worker : worker, CONNECTION_WORKER_LINK)
}

/** Runs until `steps` steps have completed since the start, `maxEvents` events were taken, or the host has to act (STATUS_…). */
export function run(sim: i32, steps: f64, maxEvents: f64): i32 {
  const n = i32.load(i32.load(sim, SIM_JOB), JOB_OPERATIONS)
  const logging = i32.load(sim, SIM_LOG_WORKERS) > 0
  // One event makes each operation of one worker ready at most once, and each of those schedules at most one event; the start of a step one for
  // each connection. Where workers wait for each other, the end of a round one for each worker.
  const waiting = i32.load(sim, SIM_MODE) !== MODE_ASYNC ? i32.load(sim, SIM_WORKERS) : 0
  const margin = n + i32.load(sim, SIM_SERVERS) + waiting + 8
  let taken: f64 = 0
  let status = STATUS_PAUSED
  while (taken < maxEvents) {
    if (f64.load(sim, SIM_COMPLETED_STEPS) >= steps) {
      status = STATUS_DONE
      break
    }
    if (i32.load(sim, SIM_EVENT_COUNT) + margin > i32.load(sim, SIM_EVENT_CAPACITY)) {
      status = STATUS_EVENTS_FULL
      break
    }
    if (i32.load(sim, SIM_RECORD_COUNT) >= i32.load(sim, SIM_RECORD_CAPACITY)) {
      status = STATUS_RECORDS_FULL
      break
    }
    if (logging && i32.load(sim, SIM_LOG_COUNT) + n > i32.load(sim, SIM_LOG_CAPACITY)) {
      status = STATUS_LOG_FULL
      break
    }
    if (i32.load(sim, SIM_UNSETTLED) !== 0 || i32.load(sim, SIM_UNSETTLED + 4) !== 0) settleWhenDue(sim)
    const link = firstLink(sim)
    const linkTime = f64.load(linkAddress(sim, link), LINK_NEXT)
    const eventTime = i32.load(sim, SIM_EVENT_COUNT) > 0 ? f64.load(i32.load(sim, SIM_EVENTS), EVENT_TIME) : Infinity
    if (linkTime === Infinity && eventTime === Infinity) {
      status = STATUS_DEADLOCK
      break
    }
    taken += 1
    if (linkTime < eventTime || (linkTime === eventTime && firstClass(sim) !== CLASS_REQUEST)) {
      f64.store(sim, linkTime, SIM_NOW)
      endTurn(sim, link)
    } else {
      f64.store(sim, eventTime, SIM_NOW)
      dispatch(sim)
    }
  }
  f64.store(sim, f64.load(sim, SIM_EVENTS_TAKEN) + taken, SIM_EVENTS_TAKEN)
  return status
}

function firstClass(sim: i32): i32 {
  if (i32.load(sim, SIM_EVENT_COUNT) === 0) return CLASS_NET
  return i32.load(i32.load(sim, SIM_EVENTS), EVENT_CLASS_WORKER) >> CLASS_SHIFT
}

function endTurn(sim: i32, link: i32): void {
  const connection = reachFirst(sim, link)
  const finished = finishedStream(sim, connection)
  if (finished >= 0) arrive(sim, connection, finished)
  nextTurn(sim, connection)
  readAhead(sim, link)
}

/** Shares are found once per distinct time: not while another event of this instant waits. */
function settleWhenDue(sim: i32): void {
  const now = f64.load(sim, SIM_NOW)
  const next = i32.load(sim, SIM_EVENT_COUNT) > 0 ? f64.load(i32.load(sim, SIM_EVENTS), EVENT_TIME) : Infinity
  if (next <= now) return
  if (f64.load(linkAddress(sim, firstLink(sim)), LINK_NEXT) <= now) return
  if (i32.load(sim, SIM_COLOCATED) !== 0) {
    settle(sim, 0, 1)
    return
  }
  if (i32.load(sim, SIM_UNSETTLED) !== 0) settle(sim, 0, 0)
  if (i32.load(sim, SIM_UNSETTLED + 4) !== 0) settle(sim, 1, 1)
}

function dispatch(sim: i32): void {
  const event = i32.load(sim, SIM_EVENTS)
  const classWorker = i32.load(event, EVENT_CLASS_WORKER)
  const operation = i32.load(event, EVENT_OPERATION)
  const worker = classWorker & WORKER_MASK
  const eventClass = classWorker >> CLASS_SHIFT
  removeFirst(sim)
  if (eventClass === CLASS_READY) {
    ready(sim, worker, operation)
  } else if (eventClass === CLASS_COMPUTE || eventClass === CLASS_UPDATE) {
    complete(sim, worker, operation)
  } else if (eventClass === CLASS_REQUEST) {
    onRequest(sim, worker, operation)
  } else if (eventClass === CLASS_NET) {
    const what = operation & 3
    if (what === NET_RAMP) onRampEvent(sim, operation >> 2)
    else if (what === NET_JOIN) joinLate(sim, operation >> 2)
    else wake(sim, operation >> 2)
  } else if (eventClass === CLASS_PARSE) {
    countPushedStep(sim, worker)
  } else if (eventClass === CLASS_RELEASE) {
    if (operation === RELEASE_ROOTS) release(sim, worker)
    else handOver(sim, worker, operation - RELEASE_PULL, 0)
  } else if (eventClass === CLASS_CHUNK) {
    actOnChunks(sim, operation)
  } else if (eventClass === CLASS_STEP) {
    onStepEvent(sim, worker, operation)
  } else {
    onRoundEvent(sim, worker, operation)
  }
}

/** Utilisation is counted from now on. */
export function resetStatistics(sim: i32): void {
  const now = f64.load(sim, SIM_NOW)
  f64.store(sim, now, SIM_STATISTICS_SINCE)
  f64.store(sim, 0, SIM_EVENTS_TAKEN)
  const workers = i32.load(sim, SIM_WORKERS)
  const servers = i32.load(sim, SIM_SERVERS)
  for (let i = 0; i < workers; i++) f64.store(workerAddress(sim, i), 0, WORKER_COMPUTE_BUSY)
  for (let i = 0; i < servers; i++) {
    f64.store(i32.load(sim, SIM_SERVER_STATE) + i * SERVER_BYTES, 0, SERVER_UPDATE_BUSY)
    f64.store(i32.load(sim, SIM_SERVER_STATE) + i * SERVER_BYTES, 0, SERVER_MESSAGE_BUSY)
  }
  const links = linkCount(sim)
  // Those of workers and single connections are not counted.
  for (let i = 0; i < links; i++) {
    const link = linkAddress(sim, i)
    f64.store(link, 0, LINK_BUSY_US)
    f64.store(link, 0, LINK_SENT_BYTES)
    if (i32.load(link, LINK_CROSSING) > 0) f64.store(link, now, LINK_SINCE)
  }
}
