/**
 * A connection: one worker, one server, one direction. It sends one stream at a time in HTTP/2 turns (docs/method.md §2, gRPC's writing.cc): a
 * stream whose turn is composed and that has a rest goes to the tail of the list at once, so later arrivals queue behind it.
 */
import { CLASS_NET, NET_JOIN, NET_WAKE, schedule } from './eventQueue'
import {
  CONNECTION_BYTES,
  CONNECTION_CURRENT,
  CONNECTION_HEAD,
  CONNECTION_IDLE_SINCE,
  CONNECTION_LAST_TURN,
  CONNECTION_TAIL,
  CONNECTION_TURN_BYTES,
  CONNECTION_WORKER,
  JOB_AMOUNT,
  JOB_FIRST_TURN,
  JOB_OPERATIONS,
  LONG_BYTES,
  LONG_EARLIEST,
  LONG_REST,
  SIM_CONNECTION,
  SIM_JOB,
  SIM_LONG,
  SIM_LONG_INDEX,
  SIM_LONG_STREAMS,
  SIM_NEXT,
  SIM_NOW,
  SIM_TURN_FIRST,
  SIM_TURN_LATER,
  SIM_WORKER,
  WORKER_BYTES,
  WORKER_LATENCY,
  WORKER_TEMPLATE
} from './layout'
import { continueWith, join, leave } from './links'
import { logWireStart } from './log'
import { startDelay } from './queueing'
import { forgetRamp, weighLeftBehind, weighNewcomer } from './ramp'

function workerAddress(sim: i32, worker: i32): i32 {
  return i32.load(sim, SIM_WORKER) + worker * WORKER_BYTES
}

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

/** Address of what a long stream remembers; 0 for a stream that never needs a second turn. */
function longStream(sim: i32, worker: i32, operation: i32): i32 {
  const index = i32.load(i32.load(sim, SIM_LONG_INDEX) + 4 * operation)
  if (index < 0) return 0
  return i32.load(sim, SIM_LONG) + (worker * i32.load(sim, SIM_LONG_STREAMS) + index) * LONG_BYTES
}

function nextAddress(sim: i32, worker: i32, operation: i32): i32 {
  return i32.load(sim, SIM_NEXT) + 4 * (worker * i32.load(i32.load(sim, SIM_JOB), JOB_OPERATIONS) + operation)
}

function append(sim: i32, address: i32, worker: i32, operation: i32): void {
  i32.store(nextAddress(sim, worker, operation), 0)
  const tail = i32.load(address, CONNECTION_TAIL)
  if (tail === 0) i32.store(address, operation + 1, CONNECTION_HEAD)
  else i32.store(nextAddress(sim, worker, tail - 1), operation + 1)
  i32.store(address, operation + 1, CONNECTION_TAIL)
}

/** Takes the first stream in list order that may start now out of the list (operation + 1). 0: none; then a wake-up is scheduled if any waits. */
function takeStream(sim: i32, address: i32, worker: i32): i32 {
  const now = f64.load(sim, SIM_NOW)
  let previous = 0
  let entry = i32.load(address, CONNECTION_HEAD)
  let wakeAt: f64 = Infinity
  while (entry !== 0) {
    const long = longStream(sim, worker, entry - 1)
    const earliest = long !== 0 ? f64.load(long, LONG_EARLIEST) : -1
    if (earliest <= now) break
    if (earliest < wakeAt) wakeAt = earliest
    previous = entry
    entry = i32.load(nextAddress(sim, worker, entry - 1))
  }
  if (entry === 0) {
    if (previous !== 0) {
      const connection = (address - i32.load(sim, SIM_CONNECTION)) / CONNECTION_BYTES
      schedule(sim, wakeAt, CLASS_NET, worker, 4 * connection + NET_WAKE)
    }
    return 0
  }
  const after = i32.load(nextAddress(sim, worker, entry - 1))
  if (previous === 0) i32.store(address, after, CONNECTION_HEAD)
  else i32.store(nextAddress(sim, worker, previous - 1), after)
  if (after === 0) i32.store(address, previous, CONNECTION_TAIL)
  return entry
}

/** Composes the next turn and puts it on the wire; `onLink` tells whether the connection has just ended one. */
function startTurn(sim: i32, connection: i32, onLink: bool): void {
  const address = i32.load(sim, SIM_CONNECTION) + connection * CONNECTION_BYTES
  const worker = i32.load(address, CONNECTION_WORKER)
  const entry = takeStream(sim, address, worker)
  i32.store(address, entry, CONNECTION_CURRENT)
  if (entry === 0) {
    if (onLink) {
      f64.store(address, f64.load(sim, SIM_NOW), CONNECTION_IDLE_SINCE)
      leave(sim, connection)
      weighLeftBehind(sim, connection)
    }
    return
  }
  const operation = entry - 1
  const long = longStream(sim, worker, operation)
  const delay = onLink ? 0 : startDelay(sim, connection)
  const start = f64.load(sim, SIM_NOW) + delay
  let bytes: f64
  let lastTurn = 1
  if (long === 0) {
    bytes = amountOf(sim, worker, operation)
    logWireStart(sim, worker, operation, start)
  } else {
    const rest = f64.load(long, LONG_REST)
    const first = f64.load(long, LONG_EARLIEST) < 0
    if (first) logWireStart(sim, worker, operation, start)
    const window = first ? firstTurnOf(sim, worker, operation) : f64.load(sim, SIM_TURN_LATER)
    bytes = rest < window ? rest : window
    // A window opens again after a round trip.
    f64.store(long, start + 2 * f64.load(workerAddress(sim, worker), WORKER_LATENCY), LONG_EARLIEST)
    f64.store(long, rest - bytes, LONG_REST)
    if (rest > bytes) {
      lastTurn = 0
      append(sim, address, worker, operation)
    }
  }
  i32.store(address, lastTurn, CONNECTION_LAST_TURN)
  if (onLink) {
    continueWith(sim, connection, bytes)
  } else if (delay > 0) {
    f64.store(address, bytes, CONNECTION_TURN_BYTES)
    forgetRamp(sim, connection)
    schedule(sim, start, CLASS_NET, worker, 4 * connection + NET_JOIN)
  } else {
    weighNewcomer(sim, connection)
    join(sim, connection, bytes)
  }
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
  const long = longStream(sim, worker, operation)
  if (long !== 0) {
    f64.store(long, amountOf(sim, worker, operation), LONG_REST)
    f64.store(long, -1, LONG_EARLIEST)
  }
  append(sim, address, worker, operation)
  if (i32.load(address, CONNECTION_CURRENT) === 0) startTurn(sim, connection, false)
}

/** The connection's turn is over: the operation whose stream it finished, or −1 when the stream has a rest. */
export function finishedStream(sim: i32, connection: i32): i32 {
  const address = i32.load(sim, SIM_CONNECTION) + connection * CONNECTION_BYTES
  return i32.load(address, CONNECTION_LAST_TURN) !== 0 ? i32.load(address, CONNECTION_CURRENT) - 1 : -1
}

/** After a turn: the next one, or idle. */
export function nextTurn(sim: i32, connection: i32): void {
  startTurn(sim, connection, true)
}

/** A stalled stream may go on. */
export function wake(sim: i32, connection: i32): void {
  const address = i32.load(sim, SIM_CONNECTION) + connection * CONNECTION_BYTES
  if (i32.load(address, CONNECTION_CURRENT) === 0 && i32.load(address, CONNECTION_HEAD) !== 0) startTurn(sim, connection, false)
}
