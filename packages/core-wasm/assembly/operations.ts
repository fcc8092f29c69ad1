/**
 * The operations of a step: what each does when it is ready, and who may go on when it ends. A station is told its work on arrival, so every end
 * is known ahead (slots.ts). Events are spent only where the order of what happens then matters: on the end of a computation or an update that
 * somebody waits for, and on an operation that becomes ready because a transfer or a delay ends.
 */
import { amountOf, send } from './connections'
import {
  CLASS_COMPUTE,
  CLASS_PARSE,
  CLASS_READY,
  CLASS_RELEASE,
  CLASS_ROUND,
  CLASS_STEP,
  CLASS_UPDATE,
  ROUND_ADDED,
  ROUND_ARRIVED,
  ROUND_DROPPED,
  STEP_COMPLETES,
  schedule
} from './eventQueue'
import { isGradient, takeGradient } from './gradients'
import {
  CONNECTION_BYTES,
  CONNECTION_SERVER,
  CONNECTION_WORKER,
  JOB_JOIN_DEPENDENCIES,
  JOB_JOIN_INDEX,
  JOB_KIND,
  JOB_SERVER,
  JOB_SUCCESSOR_START,
  JOB_SUCCESSORS,
  JOIN_LEFT_BYTES,
  JOIN_READY_BYTES,
  KIND_COMPUTE,
  KIND_DELAY,
  KIND_PULL,
  KIND_PUSH,
  MODE_SYNC,
  SIM_ACCUMULATE_SCALE,
  SIM_COMPUTE_SLOTS,
  SIM_CONNECTION,
  SIM_JOB,
  SIM_JOIN_LEFT,
  SIM_JOIN_READY,
  SIM_MESSAGE_FIXED,
  SIM_MESSAGE_PER_BYTE,
  SIM_MODE,
  SIM_NOW,
  SIM_PUSHED_STEPS,
  SIM_SERVER_PARSE_FIXED,
  SIM_SERVER_PARSE_PER_BYTE,
  SIM_SERVER_PARSE_SLOTS,
  SIM_SERVERS,
  SIM_UPDATE_SLOTS,
  SIM_WORK,
  SIM_WORKER_PARSE_FIXED,
  SIM_WORKER_PARSE_PER_BYTE,
  SIM_WORKER_PARSE_SLOTS,
  SIM_WORKERS,
  WORK_BYTES,
  WORK_END,
  WORK_OPERATION,
  WORKER_COMPUTE_BUSY,
  WORKER_COMPUTE_SCALE,
  WORKER_LAST_END,
  WORKER_LAST_PUSH,
  WORKER_OPERATIONS_LEFT,
  WORKER_PUSHED_AT_PULL,
  WORKER_PUSHES_LEFT,
  WORKER_TOLD_AHEAD
} from './layout'
import { latencyOf } from './linkClock'
import { logService, logStreamEnd, logStreamReady } from './log'
import { messagesOf } from './messages'
import { occupy, stationBytes } from './slots'
import { countMessage, prepareMessage, serverStations, update, updateTime, workerStations } from './stations'
import { workerAddress } from './workers'

/** Plus the number of the pull that its server has prepared: the operation of a CLASS_RELEASE event. */
export const RELEASE_PULL: i32 = 1
function hasSuccessors(job: i32, operation: i32): bool {
  const starts = i32.load(job, JOB_SUCCESSOR_START) + 4 * operation
  return i32.load(starts) !== i32.load(starts, 4)
}

/** The end of one more operation of the step is known; that of all: the step's. */
function noteEnd(sim: i32, worker: i32, address: i32, endUs: f64): void {
  let last = f64.load(address, WORKER_LAST_END)
  if (endUs > last) {
    last = endUs
    f64.store(address, last, WORKER_LAST_END)
  }
  const left = i32.load(address, WORKER_OPERATIONS_LEFT) - 1
  i32.store(address, left, WORKER_OPERATIONS_LEFT)
  if (left === 0) schedule(sim, last, CLASS_STEP, worker, STEP_COMPLETES)
}

/** The end of one more push is known; that of all: when the worker's step counts as pushed. */
function notePush(sim: i32, worker: i32, address: i32, endUs: f64): void {
  let last = f64.load(address, WORKER_LAST_PUSH)
  if (endUs > last) {
    last = endUs
    f64.store(address, last, WORKER_LAST_PUSH)
  }
  const left = i32.load(address, WORKER_PUSHES_LEFT) - 1
  i32.store(address, left, WORKER_PUSHES_LEFT)
  if (left === 0) schedule(sim, last, CLASS_PARSE, worker, 0)
}

/**
 * A dependency of the operation ends at `endUs`, now or, if `ahead`, later. Returns when the last does; −1 as long as that is not known.
 *
 * Of those that were told ahead of time one may end after the one that is told last. That takes a look at what the join remembers only if something
 * of the worker was told to end after that one.
 */
function meet(sim: i32, job: i32, worker: i32, operation: i32, endUs: f64, ahead: bool): f64 {
  const index = i32.load(i32.load(job, JOB_JOIN_INDEX) + 4 * operation)
  if (index < 0) return endUs
  const address = workerAddress(sim, worker)
  const count = address + i32.load(sim, SIM_JOIN_LEFT) + index * JOIN_LEFT_BYTES
  const ready = address + i32.load(sim, SIM_JOIN_READY) + index * JOIN_READY_BYTES
  const left = i32.load16_u(count) - 1
  if (left > 0) {
    i32.store16(count, left)
    if (ahead && endUs > f64.load(ready)) f64.store(ready, endUs)
    return -1
  }
  i32.store16(count, i32.load(i32.load(job, JOB_JOIN_DEPENDENCIES) + 4 * index))
  if (endUs >= f64.load(address, WORKER_TOLD_AHEAD)) return endUs
  const readyUs = f64.load(ready)
  return endUs > readyUs ? endUs : readyUs
}

/** A delay is ready at `readyUs`, now or later; returns its end. */
function endOfDelay(sim: i32, worker: i32, operation: i32, readyUs: f64): f64 {
  const endUs = readyUs + amountOf(sim, worker, operation)
  logService(sim, worker, operation, readyUs, readyUs, endUs)
  noteEnd(sim, worker, workerAddress(sim, worker), endUs)
  return endUs
}

/** A transfer or a delay ends at `endUs`, now or later: its successors are told now, and through delays theirs. */
function passOn(sim: i32, worker: i32, operation: i32, endUs: f64): void {
  const job = i32.load(sim, SIM_JOB)
  const starts = i32.load(job, JOB_SUCCESSOR_START)
  const successors = i32.load(job, JOB_SUCCESSORS)
  const kinds = i32.load(job, JOB_KIND)
  const work = i32.load(sim, SIM_WORK)
  let last = work
  let ended = operation
  let end = endUs
  const address = workerAddress(sim, worker)
  while (true) {
    if (end > f64.load(address, WORKER_TOLD_AHEAD)) f64.store(address, end, WORKER_TOLD_AHEAD)
    const until = successors + 4 * i32.load(starts + 4 * ended, 4)
    for (let at = successors + 4 * i32.load(starts + 4 * ended); at < until; at += 4) {
      const successor = i32.load(at)
      const readyUs = meet(sim, job, worker, successor, end, true)
      if (readyUs < 0) continue
      if (i32.load8_u(kinds + successor) === KIND_DELAY) {
        f64.store(last, endOfDelay(sim, worker, successor, readyUs), WORK_END)
        i32.store(last, successor, WORK_OPERATION)
        last += WORK_BYTES
      } else {
        schedule(sim, readyUs, CLASS_READY, worker, successor)
      }
    }
    if (last === work) return
    last -= WORK_BYTES
    ended = i32.load(last, WORK_OPERATION)
    end = f64.load(last, WORK_END)
  }
}

/** A computation or an update ends now. */
export function complete(sim: i32, worker: i32, operation: i32): void {
  const job = i32.load(sim, SIM_JOB)
  const now = f64.load(sim, SIM_NOW)
  const kinds = i32.load(job, JOB_KIND)
  const starts = i32.load(job, JOB_SUCCESSOR_START) + 4 * operation
  const successors = i32.load(job, JOB_SUCCESSORS)
  const until = successors + 4 * i32.load(starts, 4)
  for (let at = successors + 4 * i32.load(starts); at < until; at += 4) {
    const successor = i32.load(at)
    const readyUs = meet(sim, job, worker, successor, now, false)
    if (readyUs < 0) continue
    if (i32.load8_u(kinds + successor) === KIND_DELAY) passOn(sim, worker, successor, endOfDelay(sim, worker, successor, readyUs))
    else if (readyUs > now) schedule(sim, readyUs, CLASS_READY, worker, successor)
    else ready(sim, worker, successor)
  }
}

/** A step's staleness counts from its first pull. */
export function noteFirstPull(sim: i32, worker: i32): void {
  const address = workerAddress(sim, worker)
  if (i32.load(address, WORKER_PUSHED_AT_PULL) < 0) i32.store(address, i32.load(sim, SIM_PUSHED_STEPS), WORKER_PUSHED_AT_PULL)
}

/** Whether servers have to prepare pulls before they can be sent. */
export function preparesPulls(sim: i32): bool {
  return f64.load(sim, SIM_MESSAGE_PER_BYTE) > 0 || f64.load(sim, SIM_MESSAGE_FIXED) > 0
}

/** The operation is ready now. */
export function ready(sim: i32, worker: i32, operation: i32): void {
  const job = i32.load(sim, SIM_JOB)
  const kind = i32.load8_u(i32.load(job, JOB_KIND) + operation)
  const address = workerAddress(sim, worker)
  const now = f64.load(sim, SIM_NOW)
  if (kind === KIND_PUSH) {
    logStreamReady(sim, worker, operation, now)
    handOver(sim, worker, operation, 1)
    return
  }
  if (kind === KIND_PULL) {
    noteFirstPull(sim, worker)
    logStreamReady(sim, worker, operation, now)
    const fixed = f64.load(sim, SIM_MESSAGE_FIXED) * f64(messagesOf(sim, operation))
    const service = f64.load(sim, SIM_MESSAGE_PER_BYTE) * amountOf(sim, worker, operation) + fixed
    if (service > 0) {
      const end = prepareMessage(sim, i32.load16_u(i32.load(job, JOB_SERVER) + 2 * operation), service)
      schedule(sim, end, CLASS_RELEASE, worker, RELEASE_PULL + operation)
    } else {
      handOver(sim, worker, operation, 0)
    }
    return
  }
  if (kind === KIND_DELAY) {
    passOn(sim, worker, operation, endOfDelay(sim, worker, operation, now))
    return
  }
  const amount = amountOf(sim, worker, operation)
  if (kind === KIND_COMPUTE) {
    const service = amount * f64.load(address, WORKER_COMPUTE_SCALE)
    const start = occupy(workerStations(sim, worker), i32.load(sim, SIM_COMPUTE_SLOTS), now, service)
    f64.store(address, f64.load(address, WORKER_COMPUTE_BUSY) + service, WORKER_COMPUTE_BUSY)
    serve(sim, worker, address, operation, start, start + service)
    if (hasSuccessors(job, operation)) schedule(sim, start + service, CLASS_COMPUTE, worker, operation)
  } else if (i32.load(sim, SIM_MODE) !== MODE_SYNC) {
    const server = i32.load16_u(i32.load(job, JOB_SERVER) + 2 * operation)
    const service = updateTime(sim, server, amount)
    const start = update(sim, server, now, service)
    serve(sim, worker, address, operation, start, start + service)
    if (hasSuccessors(job, operation)) schedule(sim, start + service, CLASS_UPDATE, worker, operation)
  } else {
    handIn(sim, worker, address, operation, amount)
  }
}

/** The operation, ready now, has a slot from `startUs` to `endUs`. */
function serve(sim: i32, worker: i32, address: i32, operation: i32, startUs: f64, endUs: f64): void {
  logService(sim, worker, operation, f64.load(sim, SIM_NOW), startUs, endUs)
  noteEnd(sim, worker, address, endUs)
}

/** An update of a synchronous step is ready: its gradient is added up, if this round still takes it. */
function handIn(sim: i32, worker: i32, address: i32, operation: i32, amount: f64): void {
  const now = f64.load(sim, SIM_NOW)
  if (!takeGradient(sim, address, operation)) {
    serve(sim, worker, address, operation, now, now)
    if (hasSuccessors(i32.load(sim, SIM_JOB), operation)) schedule(sim, now, CLASS_ROUND, worker, 4 * operation + ROUND_DROPPED)
    return
  }
  const server = i32.load16_u(i32.load(i32.load(sim, SIM_JOB), JOB_SERVER) + 2 * operation)
  const service = updateTime(sim, server, amount) * f64.load(sim, SIM_ACCUMULATE_SCALE)
  const start = update(sim, server, now, service)
  serve(sim, worker, address, operation, start, start + service)
  schedule(sim, start + service, CLASS_ROUND, worker, 4 * operation + ROUND_ADDED)
}

/** A transfer goes to its connection. */
export function handOver(sim: i32, worker: i32, operation: i32, direction: i32): void {
  const server = i32.load16_u(i32.load(i32.load(sim, SIM_JOB), JOB_SERVER) + 2 * operation)
  send(sim, (direction * i32.load(sim, SIM_WORKERS) + worker) * i32.load(sim, SIM_SERVERS) + server, operation)
}

/** The last byte of a transfer left the sender: it arrives after the latency, is parsed, and then is complete. */
export function arrive(sim: i32, connection: i32, operation: i32): void {
  const connectionAddress = i32.load(sim, SIM_CONNECTION) + connection * CONNECTION_BYTES
  const worker = i32.load(connectionAddress, CONNECTION_WORKER)
  const address = workerAddress(sim, worker)
  const isPull = i32.load8_u(i32.load(i32.load(sim, SIM_JOB), JOB_KIND) + operation) === KIND_PULL
  const arrival = f64.load(sim, SIM_NOW) + latencyOf(sim, connectionAddress)
  const perByte = f64.load(sim + (isPull ? SIM_WORKER_PARSE_PER_BYTE : SIM_SERVER_PARSE_PER_BYTE))
  const fixed = f64.load(sim + (isPull ? SIM_WORKER_PARSE_FIXED : SIM_SERVER_PARSE_FIXED))
  const service = perByte * amountOf(sim, worker, operation) + fixed * f64(messagesOf(sim, operation))
  let end = arrival
  if (service > 0) {
    const server = i32.load(connectionAddress, CONNECTION_SERVER)
    if (!isPull) countMessage(sim, server, service)
    const station = isPull
      ? workerStations(sim, worker) + stationBytes(i32.load(sim, SIM_COMPUTE_SLOTS))
      : serverStations(sim, server) + stationBytes(i32.load(sim, SIM_UPDATE_SLOTS))
    end = service + occupy(station, i32.load(sim + (isPull ? SIM_WORKER_PARSE_SLOTS : SIM_SERVER_PARSE_SLOTS)), arrival, service)
  }
  logStreamEnd(sim, worker, operation, end)
  if (!isPull) {
    notePush(sim, worker, address, end)
    if (i32.load(sim, SIM_MODE) === MODE_SYNC && isGradient(sim, operation))
      schedule(sim, end, CLASS_ROUND, worker, 4 * operation + ROUND_ARRIVED)
  }
  noteEnd(sim, worker, address, end)
  passOn(sim, worker, operation, end)
}
