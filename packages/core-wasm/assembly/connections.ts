/**
 * A connection: one worker, one server, one direction. It sends one stream at a time in HTTP/2 turns (docs/method.md §2, gRPC's writing.cc): a
 * stream whose turn is composed and that has a rest goes to the tail of the list at once, so later arrivals queue behind it. Where its direction has
 * priority it sends chunks instead (chunks.ts).
 */
import { enqueue, inChunks, nextChunk } from './chunks'
import { CLASS_NET, CLASS_REQUEST, NET_WAKE, schedule } from './eventQueue'
import {
  CONNECTION_BYTES,
  CONNECTION_CURRENT,
  CONNECTION_CURSOR,
  CONNECTION_CURSOR_END,
  CONNECTION_HEAD,
  CONNECTION_LAST_TURN,
  CONNECTION_RELEASED,
  CONNECTION_REQUEST_DUE,
  CONNECTION_TAIL,
  CONNECTION_TURN_BYTES,
  CONNECTION_WORKER,
  JOB_AMOUNT,
  JOB_FIRST_TURN,
  JOB_OPERATIONS,
  JOB_PULL_OPERATION,
  JOB_PULL_US,
  LONG_BYTES,
  LONG_EARLIEST,
  LONG_REST,
  SIM_CONNECTION,
  SIM_JOB,
  SIM_KEY,
  SIM_LONG,
  SIM_LONG_INDEX,
  SIM_NEXT,
  SIM_NOW,
  SIM_TURN_FIRST,
  SIM_TURN_LATER,
  SIM_WAITING_INDEX,
  WORKER_RELEASE_FROM,
  WORKER_TEMPLATE
} from './layout'
import { latencyOf } from './linkClock'
import { join } from './links'
import { logStreamReady, logWireStart } from './log'
import { startDelay } from './queueing'
import { weighNewcomer } from './ramp'
import { leaveWire, putOnWire } from './wire'
import { workerAddress } from './workers'

/** Index of an operation in the job's [k · n] arrays, in the template that the worker is executing. */
function templateIndex(sim: i32, worker: i32, operation: i32): i32 {
  const template = i32.load(workerAddress(sim, worker), WORKER_TEMPLATE)
  return template * i32.load(i32.load(sim, SIM_JOB), JOB_OPERATIONS) + operation
}

/** µs or bytes of an operation. */
export function amountOf(sim: i32, worker: i32, operation: i32): f64 {
  return f64.load(i32.load(i32.load(sim, SIM_JOB), JOB_AMOUNT) + 8 * templateIndex(sim, worker, operation))
}

function firstTurnOf(sim: i32, worker: i32, operation: i32): f64 {
  const table = i32.load(i32.load(sim, SIM_JOB), JOB_FIRST_TURN)
  return table === 0 ? f64.load(sim, SIM_TURN_FIRST) : f64.load(table + 8 * templateIndex(sim, worker, operation))
}

/** Address of what a stream with a rest remembers. */
function longStream(sim: i32, worker: i32, operation: i32): i32 {
  const index = i32.load(i32.load(sim, SIM_LONG_INDEX) + 4 * operation)
  return workerAddress(sim, worker) + i32.load(sim, SIM_LONG) + index * LONG_BYTES
}

function waitingIndex(sim: i32, entry: i32): i32 {
  return i32.load(i32.load(sim, SIM_WAITING_INDEX) + 4 * operationOf(entry))
}

function nextAddress(sim: i32, worker: i32, entry: i32): i32 {
  return workerAddress(sim, worker) + i32.load(sim, SIM_NEXT) + 4 * waitingIndex(sim, entry)
}

function keyAddress(sim: i32, worker: i32, entry: i32): i32 {
  return workerAddress(sim, worker) + i32.load(sim, SIM_KEY) + 4 * waitingIndex(sim, entry)
}

// Entries of a list: of a stream that has had no turn, and of one that has.
function fresh(operation: i32): i32 {
  return 2 * (operation + 1)
}

function rested(operation: i32): i32 {
  return 2 * (operation + 1) + 1
}

function operationOf(entry: i32): i32 {
  return (entry >> 1) - 1
}

/** When the pull at the connection's cursor is released; Infinity when there is none left in this step. */
function requestTime(sim: i32, address: i32, worker: i32): f64 {
  const cursor = i32.load(address, CONNECTION_CURSOR)
  if (cursor >= i32.load(address, CONNECTION_CURSOR_END)) return Infinity
  return (
    f64.load(workerAddress(sim, worker), WORKER_RELEASE_FROM) + f64.load(i32.load(i32.load(sim, SIM_JOB), JOB_PULL_US) + 8 * cursor)
  )
}

/** What was released before an entry is appended now goes before it. */
function noteReleased(sim: i32, address: i32, worker: i32, entry: i32): void {
  const end = i32.load(address, CONNECTION_CURSOR_END)
  const times = i32.load(i32.load(sim, SIM_JOB), JOB_PULL_US)
  const from = f64.load(workerAddress(sim, worker), WORKER_RELEASE_FROM)
  const now = f64.load(sim, SIM_NOW)
  let released = i32.load(address, CONNECTION_RELEASED)
  const cursor = i32.load(address, CONNECTION_CURSOR)
  if (released < cursor) released = cursor
  while (released < end && from + f64.load(times + 8 * released) <= now) released++
  i32.store(address, released, CONNECTION_RELEASED)
  i32.store(keyAddress(sim, worker, entry), released)
}

function append(sim: i32, address: i32, worker: i32, entry: i32): void {
  if (i32.load(address, CONNECTION_CURSOR_END) !== 0) noteReleased(sim, address, worker, entry)
  i32.store(nextAddress(sim, worker, entry), 0)
  const tail = i32.load(address, CONNECTION_TAIL)
  if (tail === 0) i32.store(address, entry, CONNECTION_HEAD)
  else i32.store(nextAddress(sim, worker, tail), entry)
  i32.store(address, entry, CONNECTION_TAIL)
}

/**
 * Takes the first stream that may start now: of the list, and of the pulls that the cursor stands before, which were released in time order
 * and are kept in no list. 0: none; then the connection is idle, and woken when that changes.
 */
function takeStream(sim: i32, connection: i32, address: i32, worker: i32): i32 {
  const now = f64.load(sim, SIM_NOW)
  const cursor = i32.load(address, CONNECTION_CURSOR)
  const withPulls = cursor < i32.load(address, CONNECTION_CURSOR_END)
  let previous = 0
  let entry = i32.load(address, CONNECTION_HEAD)
  let wakeAt: f64 = Infinity
  while (entry !== 0) {
    if (withPulls && i32.load(keyAddress(sim, worker, entry)) > cursor) break
    const earliest = (entry & 1) !== 0 ? f64.load(longStream(sim, worker, operationOf(entry)), LONG_EARLIEST) : now
    if (earliest <= now) {
      const after = i32.load(nextAddress(sim, worker, entry))
      if (previous === 0) i32.store(address, after, CONNECTION_HEAD)
      else i32.store(nextAddress(sim, worker, previous), after)
      if (after === 0) i32.store(address, previous, CONNECTION_TAIL)
      return entry
    }
    if (earliest < wakeAt) wakeAt = earliest
    previous = entry
    entry = i32.load(nextAddress(sim, worker, entry))
  }
  if (withPulls) {
    const requestAt = requestTime(sim, address, worker)
    if (requestAt <= now) {
      i32.store(address, cursor + 1, CONNECTION_CURSOR)
      const operation = i32.load(i32.load(i32.load(sim, SIM_JOB), JOB_PULL_OPERATION) + 4 * cursor)
      logStreamReady(sim, worker, operation, requestAt)
      return fresh(operation)
    }
    awaitRequest(sim, connection, address, worker, requestAt)
  }
  if (wakeAt < Infinity) schedule(sim, wakeAt, CLASS_NET, worker, 4 * connection + NET_WAKE)
  return 0
}

function awaitRequest(sim: i32, connection: i32, address: i32, worker: i32, time: f64): void {
  if (f64.load(address, CONNECTION_REQUEST_DUE) === time) return
  f64.store(address, time, CONNECTION_REQUEST_DUE)
  schedule(sim, time, CLASS_REQUEST, worker, connection)
}

/** A step begins: the connection has the job's pulls from `cursor` to before `end` to fetch. */
export function beginRequests(sim: i32, connection: i32, cursor: i32, end: i32): void {
  const address = i32.load(sim, SIM_CONNECTION) + connection * CONNECTION_BYTES
  i32.store(address, cursor, CONNECTION_CURSOR)
  i32.store(address, end, CONNECTION_CURSOR_END)
  i32.store(address, cursor, CONNECTION_RELEASED)
  if (cursor >= end) return
  const worker = i32.load(address, CONNECTION_WORKER)
  awaitRequest(sim, connection, address, worker, requestTime(sim, address, worker))
}

/** Pulls that are released by now wait for their chunks to be handed over; the next are awaited, be the connection idle or not. */
function enqueueReleased(sim: i32, connection: i32, address: i32): void {
  const worker = i32.load(address, CONNECTION_WORKER)
  const operations = i32.load(i32.load(sim, SIM_JOB), JOB_PULL_OPERATION)
  let releasedAt = requestTime(sim, address, worker)
  while (releasedAt <= f64.load(sim, SIM_NOW)) {
    const cursor = i32.load(address, CONNECTION_CURSOR)
    const operation = i32.load(operations + 4 * cursor)
    i32.store(address, cursor + 1, CONNECTION_CURSOR)
    logStreamReady(sim, worker, operation, releasedAt)
    enqueue(sim, connection, address, worker, operation, amountOf(sim, worker, operation))
    releasedAt = requestTime(sim, address, worker)
  }
  if (releasedAt < Infinity) awaitRequest(sim, connection, address, worker, releasedAt)
}

/** The pull at the cursor of a connection is released: it was idle, or hands over chunks. */
export function request(sim: i32, connection: i32): void {
  const address = i32.load(sim, SIM_CONNECTION) + connection * CONNECTION_BYTES
  f64.store(address, -1, CONNECTION_REQUEST_DUE)
  if (inChunks(sim, address)) {
    enqueueReleased(sim, connection, address)
    return
  }
  if (i32.load(address, CONNECTION_CURRENT) !== 0) return
  const released = i32.load(address, CONNECTION_CURSOR) + 1
  startIdle(sim, connection)
  if (i32.load(address, CONNECTION_LAST_TURN) !== 0) return
  // A rest is already in the list when others that are released at the same time come.
  i32.store(keyAddress(sim, i32.load(address, CONNECTION_WORKER), i32.load(address, CONNECTION_TAIL)), released)
  i32.store(address, released, CONNECTION_RELEASED)
}

/** Composes the next turn and puts it on the wire; `onLink` tells whether the connection has just ended one. */
function startTurn(sim: i32, connection: i32, address: i32, worker: i32, entry: i32, onLink: bool): void {
  const operation = operationOf(entry)
  i32.store(address, operation + 1, CONNECTION_CURRENT)
  const delay = onLink ? 0 : startDelay(sim, connection)
  const start = f64.load(sim, SIM_NOW) + delay
  const isFirst = (entry & 1) === 0
  let bytes = isFirst ? amountOf(sim, worker, operation) : f64.load(longStream(sim, worker, operation), LONG_REST)
  if (isFirst) logWireStart(sim, worker, operation, start)
  let lastTurn = 1
  // A stream that is not long in any template never has a rest.
  if (i32.load(i32.load(sim, SIM_LONG_INDEX) + 4 * operation) >= 0) {
    const window = isFirst ? firstTurnOf(sim, worker, operation) : f64.load(sim, SIM_TURN_LATER)
    if (bytes > window) {
      const long = longStream(sim, worker, operation)
      // A window opens again after a round trip.
      f64.store(long, start + 2 * latencyOf(sim, address), LONG_EARLIEST)
      f64.store(long, bytes - window, LONG_REST)
      bytes = window
      lastTurn = 0
      append(sim, address, worker, rested(operation))
    }
  }
  i32.store(address, lastTurn, CONNECTION_LAST_TURN)
  putOnWire(sim, connection, address, worker, bytes, onLink, delay)
}

/** An idle connection takes what may start. */
function startIdle(sim: i32, connection: i32): void {
  const address = i32.load(sim, SIM_CONNECTION) + connection * CONNECTION_BYTES
  const worker = i32.load(address, CONNECTION_WORKER)
  const entry = takeStream(sim, connection, address, worker)
  if (entry !== 0) startTurn(sim, connection, address, worker, entry, false)
}

/** The delayed turn of the connection goes on the wire. */
export function joinLate(sim: i32, connection: i32): void {
  weighNewcomer(sim, connection)
  join(sim, connection, f64.load(i32.load(sim, SIM_CONNECTION) + connection * CONNECTION_BYTES, CONNECTION_TURN_BYTES))
}

/** A transfer is ready: its stream joins the connection's list. */
export function send(sim: i32, connection: i32, operation: i32): void {
  const address = i32.load(sim, SIM_CONNECTION) + connection * CONNECTION_BYTES
  const worker = i32.load(address, CONNECTION_WORKER)
  if (inChunks(sim, address)) {
    enqueue(sim, connection, address, worker, operation, amountOf(sim, worker, operation))
    return
  }
  append(sim, address, worker, fresh(operation))
  if (i32.load(address, CONNECTION_CURRENT) === 0) startIdle(sim, connection)
}

/** The connection's turn is over: the operation whose stream it finished, or −1 when the stream has a rest. */
export function finishedStream(sim: i32, connection: i32): i32 {
  const address = i32.load(sim, SIM_CONNECTION) + connection * CONNECTION_BYTES
  return i32.load(address, CONNECTION_LAST_TURN) !== 0 ? i32.load(address, CONNECTION_CURRENT) - 1 : -1
}

/** After a turn: the next one, or idle. */
export function nextTurn(sim: i32, connection: i32): void {
  const address = i32.load(sim, SIM_CONNECTION) + connection * CONNECTION_BYTES
  const worker = i32.load(address, CONNECTION_WORKER)
  if (inChunks(sim, address)) {
    nextChunk(sim, connection, address, worker)
    return
  }
  const entry = takeStream(sim, connection, address, worker)
  if (entry !== 0) {
    startTurn(sim, connection, address, worker, entry, true)
    return
  }
  leaveWire(sim, connection, address)
}

/** A stalled stream may go on. */
export function wake(sim: i32, connection: i32): void {
  const address = i32.load(sim, SIM_CONNECTION) + connection * CONNECTION_BYTES
  if (i32.load(address, CONNECTION_CURRENT) === 0 && i32.load(address, CONNECTION_HEAD) !== 0) startIdle(sim, connection)
}
