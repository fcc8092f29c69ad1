/** A worker's step: it takes a template, releases its roots, and follows the dependencies until every operation is complete. */
import { amountOf, send } from './connections'
import { CLASS_COMPUTE, CLASS_PARSE, CLASS_RELEASE, CLASS_STEP, CLASS_UPDATE, schedule } from './eventQueue'
import {
  CONNECTION_BYTES,
  CONNECTION_SERVER,
  CONNECTION_WORKER,
  JOB_DEPENDENCIES,
  JOB_KIND,
  JOB_OPERATIONS,
  JOB_PULLS,
  JOB_PUSHES,
  JOB_RELEASE_OPERATION,
  JOB_RELEASE_US,
  JOB_RELEASES,
  JOB_SERVER,
  JOB_SUCCESSOR_START,
  JOB_SUCCESSORS,
  JOB_TEMPLATES,
  KIND_COMPUTE,
  KIND_DELAY,
  KIND_PULL,
  KIND_PUSH,
  RECORD_BYTES,
  RECORD_END,
  RECORD_STALENESS,
  RECORD_START,
  RECORD_TEMPLATE,
  RECORD_WORKER,
  SERVER_BYTES,
  SERVER_MESSAGE_BUSY,
  SERVER_UPDATE_BUSY,
  SERVER_UPDATE_SCALE,
  SIM_COMPLETED_STEPS,
  SIM_COMPUTE_SLOTS,
  SIM_CONNECTION,
  SIM_IN_ORDER,
  SIM_JOB,
  SIM_LEFT,
  SIM_MESSAGE_FIXED,
  SIM_MESSAGE_PER_BYTE,
  SIM_MESSAGE_SLOTS,
  SIM_NOW,
  SIM_PUSHED_STEPS,
  SIM_RECORD,
  SIM_RECORD_COUNT,
  SIM_SERVER_PARSE_FIXED,
  SIM_SERVER_PARSE_PER_BYTE,
  SIM_SERVER_PARSE_SLOTS,
  SIM_SERVER_STATE,
  SIM_SERVERS,
  SIM_SLOT,
  SIM_STEP_OVERHEAD,
  SIM_UPDATE_SLOTS,
  SIM_WORKER,
  SIM_WORKER_PARSE_FIXED,
  SIM_WORKER_PARSE_PER_BYTE,
  SIM_WORKER_PARSE_SLOTS,
  SIM_WORKERS,
  WORKER_BYTES,
  WORKER_COMPUTE_BUSY,
  WORKER_COMPUTE_SCALE,
  WORKER_LATENCY,
  WORKER_OPERATIONS_LEFT,
  WORKER_PUSHED_AT_PULL,
  WORKER_PUSHES_LEFT,
  WORKER_RANDOM,
  WORKER_RELEASE_FROM,
  WORKER_RELEASED,
  WORKER_STALENESS,
  WORKER_STEP,
  WORKER_STEP_START,
  WORKER_TEMPLATE
} from './layout'
import { logService, logStreamEnd, logStreamReady } from './log'
import { requestDelay, resultDelay } from './queueing'
import { below } from './random'
import { occupy } from './slots'

// What a CLASS_RELEASE or a CLASS_STEP event is about, in the place of an operation.
export const RELEASE_ROOTS: i32 = 0
/** Plus the number of the pull that its server has prepared. */
export const RELEASE_PULL: i32 = 1
export const STEP_BEGINS: i32 = 0
const STEP_ENDS: i32 = 1

function workerAddress(sim: i32, worker: i32): i32 {
  return i32.load(sim, SIM_WORKER) + worker * WORKER_BYTES
}

/** Slots of a worker: compute, then parse. */
function workerSlots(sim: i32, worker: i32): i32 {
  return i32.load(sim, SIM_SLOT) + 8 * worker * (i32.load(sim, SIM_COMPUTE_SLOTS) + i32.load(sim, SIM_WORKER_PARSE_SLOTS))
}

/** Slots of a server, behind those of all workers: update, then parse, then message. */
function serverSlots(sim: i32, server: i32): i32 {
  return (
    workerSlots(sim, i32.load(sim, SIM_WORKERS)) +
    8 * server * (i32.load(sim, SIM_UPDATE_SLOTS) + i32.load(sim, SIM_SERVER_PARSE_SLOTS) + i32.load(sim, SIM_MESSAGE_SLOTS))
  )
}

/** Holds a message slot of the server for `serviceUs`; returns the end. */
function prepareMessage(sim: i32, server: i32, serviceUs: f64): f64 {
  countMessage(sim, server, serviceUs)
  const own = i32.load(sim, SIM_MESSAGE_SLOTS)
  const parse = serverSlots(sim, server) + 8 * i32.load(sim, SIM_UPDATE_SLOTS)
  const parseSlots = i32.load(sim, SIM_SERVER_PARSE_SLOTS)
  const now = f64.load(sim, SIM_NOW)
  const start = own > 0 ? occupy(parse + 8 * parseSlots, own, now, serviceUs) : occupy(parse, parseSlots, now, serviceUs)
  return start + serviceUs
}

function countMessage(sim: i32, server: i32, serviceUs: f64): void {
  const state = i32.load(sim, SIM_SERVER_STATE) + server * SERVER_BYTES
  f64.store(state, f64.load(state, SERVER_MESSAGE_BUSY) + serviceUs, SERVER_MESSAGE_BUSY)
}

/**
 * Each as likely as any other, whatever came before: cards drawn from a deck would give every worker the same sum over each deck, so that the phases
 * between workers could not drift as far as they do.
 */
function drawTemplate(sim: i32, address: i32): i32 {
  const templates = i32.load(i32.load(sim, SIM_JOB), JOB_TEMPLATES)
  if (i32.load(sim, SIM_IN_ORDER) !== 0) return i32.load(address, WORKER_STEP) % templates
  return below(address + WORKER_RANDOM, templates)
}

export function beginStep(sim: i32, worker: i32): void {
  const job = i32.load(sim, SIM_JOB)
  const n = i32.load(job, JOB_OPERATIONS)
  const address = workerAddress(sim, worker)
  i32.store(address, drawTemplate(sim, address), WORKER_TEMPLATE)
  i32.store(address, n, WORKER_OPERATIONS_LEFT)
  i32.store(address, i32.load(job, JOB_PUSHES), WORKER_PUSHES_LEFT)
  i32.store(address, 0, WORKER_RELEASED)
  // A step without pulls works on what it had when it began.
  i32.store(address, i32.load(job, JOB_PULLS) > 0 ? -1 : i32.load(sim, SIM_PUSHED_STEPS), WORKER_PUSHED_AT_PULL)
  i32.store(address, 0, WORKER_STALENESS)
  f64.store(address, f64.load(sim, SIM_NOW), WORKER_STEP_START)
  f64.store(address, f64.load(sim, SIM_NOW) + requestDelay(sim), WORKER_RELEASE_FROM)
  memory.copy(i32.load(sim, SIM_LEFT) + 2 * worker * n, i32.load(job, JOB_DEPENDENCIES), 2 * n)
  release(sim, worker)
}

/** Makes the roots ready whose time has come, in the template's order, and schedules the next. */
export function release(sim: i32, worker: i32): void {
  const job = i32.load(sim, SIM_JOB)
  const releases = i32.load(job, JOB_RELEASES)
  const address = workerAddress(sim, worker)
  const base = i32.load(address, WORKER_TEMPLATE) * releases
  const operations = i32.load(job, JOB_RELEASE_OPERATION) + 4 * base
  const times = i32.load(job, JOB_RELEASE_US) + 8 * base
  const from = f64.load(address, WORKER_RELEASE_FROM)
  const now = f64.load(sim, SIM_NOW)
  let released = i32.load(address, WORKER_RELEASED)
  while (released < releases) {
    const due = from + f64.load(times + 8 * released)
    if (due > now) {
      i32.store(address, released, WORKER_RELEASED)
      schedule(sim, due, CLASS_RELEASE, worker, RELEASE_ROOTS)
      return
    }
    ready(sim, worker, i32.load(operations + 4 * released))
    released++
  }
  i32.store(address, released, WORKER_RELEASED)
}

function ready(sim: i32, worker: i32, operation: i32): void {
  const job = i32.load(sim, SIM_JOB)
  const kind = i32.load8_u(i32.load(job, JOB_KIND) + operation)
  const address = workerAddress(sim, worker)
  const now = f64.load(sim, SIM_NOW)
  if (kind === KIND_PUSH) {
    logStreamReady(sim, worker, operation)
    handOver(sim, worker, operation, 1)
    return
  }
  if (kind === KIND_PULL) {
    if (i32.load(address, WORKER_PUSHED_AT_PULL) < 0) i32.store(address, i32.load(sim, SIM_PUSHED_STEPS), WORKER_PUSHED_AT_PULL)
    logStreamReady(sim, worker, operation)
    const service = f64.load(sim, SIM_MESSAGE_PER_BYTE) * amountOf(sim, worker, operation) + f64.load(sim, SIM_MESSAGE_FIXED)
    if (service > 0) {
      const end = prepareMessage(sim, i32.load16_u(i32.load(job, JOB_SERVER) + 2 * operation), service)
      schedule(sim, end, CLASS_RELEASE, worker, RELEASE_PULL + operation)
    } else {
      handOver(sim, worker, operation, 0)
    }
    return
  }
  const amount = amountOf(sim, worker, operation)
  if (kind === KIND_DELAY) {
    schedule(sim, now + amount, CLASS_COMPUTE, worker, operation)
    logService(sim, worker, operation, now, now + amount)
    return
  }
  if (kind === KIND_COMPUTE) {
    const service = amount * f64.load(address, WORKER_COMPUTE_SCALE)
    const start = occupy(workerSlots(sim, worker), i32.load(sim, SIM_COMPUTE_SLOTS), now, service)
    f64.store(address, f64.load(address, WORKER_COMPUTE_BUSY) + service, WORKER_COMPUTE_BUSY)
    schedule(sim, start + service, CLASS_COMPUTE, worker, operation)
    logService(sim, worker, operation, start, start + service)
    return
  }
  const server = i32.load16_u(i32.load(job, JOB_SERVER) + 2 * operation)
  const state = i32.load(sim, SIM_SERVER_STATE) + server * SERVER_BYTES
  const service = amount * f64.load(state, SERVER_UPDATE_SCALE)
  const start = occupy(serverSlots(sim, server), i32.load(sim, SIM_UPDATE_SLOTS), now, service)
  f64.store(state, f64.load(state, SERVER_UPDATE_BUSY) + service, SERVER_UPDATE_BUSY)
  schedule(sim, start + service, CLASS_UPDATE, worker, operation)
  logService(sim, worker, operation, start, start + service)
}

/** A transfer goes to its connection. */
export function handOver(sim: i32, worker: i32, operation: i32, direction: i32): void {
  const server = i32.load16_u(i32.load(i32.load(sim, SIM_JOB), JOB_SERVER) + 2 * operation)
  send(sim, (direction * i32.load(sim, SIM_WORKERS) + worker) * i32.load(sim, SIM_SERVERS) + server, operation)
}

/** The last byte of a transfer left the sender: it arrives after the latency, is parsed, and then is complete. */
export function arrive(sim: i32, connection: i32, operation: i32): void {
  const address = i32.load(sim, SIM_CONNECTION) + connection * CONNECTION_BYTES
  const worker = i32.load(address, CONNECTION_WORKER)
  const isPull = i32.load8_u(i32.load(i32.load(sim, SIM_JOB), JOB_KIND) + operation) === KIND_PULL
  const arrival = f64.load(sim, SIM_NOW) + f64.load(workerAddress(sim, worker), WORKER_LATENCY)
  const perByte = f64.load(sim + (isPull ? SIM_WORKER_PARSE_PER_BYTE : SIM_SERVER_PARSE_PER_BYTE))
  const fixed = f64.load(sim + (isPull ? SIM_WORKER_PARSE_FIXED : SIM_SERVER_PARSE_FIXED))
  const service = perByte * amountOf(sim, worker, operation) + fixed
  let end = arrival
  if (service > 0) {
    if (!isPull) countMessage(sim, i32.load(address, CONNECTION_SERVER), service)
    const slots = isPull
      ? workerSlots(sim, worker) + 8 * i32.load(sim, SIM_COMPUTE_SLOTS)
      : serverSlots(sim, i32.load(address, CONNECTION_SERVER)) + 8 * i32.load(sim, SIM_UPDATE_SLOTS)
    end = service + occupy(slots, i32.load(sim + (isPull ? SIM_WORKER_PARSE_SLOTS : SIM_SERVER_PARSE_SLOTS)), arrival, service)
  }
  logStreamEnd(sim, worker, operation, end)
  schedule(sim, end, CLASS_PARSE, worker, operation)
}

/** Its dependents may go on; the last operation ends the step. */
export function complete(sim: i32, worker: i32, operation: i32): void {
  const job = i32.load(sim, SIM_JOB)
  const address = workerAddress(sim, worker)
  if (i32.load8_u(i32.load(job, JOB_KIND) + operation) === KIND_PUSH) countPush(sim, address)
  const left = i32.load(sim, SIM_LEFT) + 2 * worker * i32.load(job, JOB_OPERATIONS)
  const starts = i32.load(job, JOB_SUCCESSOR_START) + 4 * operation
  const successors = i32.load(job, JOB_SUCCESSORS)
  const end = successors + 4 * i32.load(starts, 4)
  for (let at = successors + 4 * i32.load(starts); at < end; at += 4) {
    const successor = i32.load(at)
    const rest = i32.load16_u(left + 2 * successor) - 1
    i32.store16(left + 2 * successor, rest)
    if (rest === 0) ready(sim, worker, successor)
  }
  const operationsLeft = i32.load(address, WORKER_OPERATIONS_LEFT) - 1
  i32.store(address, operationsLeft, WORKER_OPERATIONS_LEFT)
  if (operationsLeft > 0) return
  const delay = resultDelay(sim)
  if (delay > 0) schedule(sim, f64.load(sim, SIM_NOW) + delay, CLASS_STEP, worker, STEP_ENDS)
  else endStep(sim, worker)
}

function countPush(sim: i32, address: i32): void {
  const left = i32.load(address, WORKER_PUSHES_LEFT) - 1
  i32.store(address, left, WORKER_PUSHES_LEFT)
  if (left !== 0) return
  const pushed = i32.load(sim, SIM_PUSHED_STEPS)
  const atPull = i32.load(address, WORKER_PUSHED_AT_PULL)
  if (atPull >= 0) i32.store(address, pushed - atPull, WORKER_STALENESS)
  i32.store(sim, pushed + 1, SIM_PUSHED_STEPS)
}

export function endStep(sim: i32, worker: i32): void {
  const address = workerAddress(sim, worker)
  const now = f64.load(sim, SIM_NOW)
  if (i32.load(i32.load(sim, SIM_JOB), JOB_PUSHES) === 0) i32.store(sim, i32.load(sim, SIM_PUSHED_STEPS) + 1, SIM_PUSHED_STEPS)
  const count = i32.load(sim, SIM_RECORD_COUNT)
  i32.store(sim, count + 1, SIM_RECORD_COUNT)
  const record = i32.load(sim, SIM_RECORD) + count * RECORD_BYTES
  i32.store(record, worker, RECORD_WORKER)
  i32.store(record, i32.load(address, WORKER_TEMPLATE), RECORD_TEMPLATE)
  i32.store(record, i32.load(address, WORKER_STALENESS), RECORD_STALENESS)
  f64.store(record, f64.load(address, WORKER_STEP_START), RECORD_START)
  f64.store(record, now, RECORD_END)
  i32.store(address, i32.load(address, WORKER_STEP) + 1, WORKER_STEP)
  f64.store(sim, f64.load(sim, SIM_COMPLETED_STEPS) + 1, SIM_COMPLETED_STEPS)
  schedule(sim, now + f64.load(sim, SIM_STEP_OVERHEAD), CLASS_STEP, worker, STEP_BEGINS)
}
