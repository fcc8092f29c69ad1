/** The log of executed operations of the first workers; off (and free) unless asked for. */
import {
  JOB_OPERATIONS,
  LOG_BYTES,
  LOG_END,
  LOG_OPERATION,
  LOG_READY,
  LOG_START,
  LOG_STEP,
  LOG_WIRE_END,
  LOG_WORKER,
  SIM_JOB,
  SIM_LOG,
  SIM_LOG_COUNT,
  SIM_LOG_READY,
  SIM_LOG_WORKERS,
  SIM_NOW,
  WORKER_STEP
} from './layout'
import { workerAddress } from './workers'

function pending(sim: i32, worker: i32, operation: i32): i32 {
  return i32.load(sim, SIM_LOG_READY) + 16 * (worker * i32.load(i32.load(sim, SIM_JOB), JOB_OPERATIONS) + operation)
}

/** A transfer became ready at `timeUs`. */
export function logStreamReady(sim: i32, worker: i32, operation: i32, timeUs: f64): void {
  if (worker < i32.load(sim, SIM_LOG_WORKERS)) f64.store(pending(sim, worker, operation), timeUs)
}

/** Its first turn goes on the wire at `timeUs`. */
export function logWireStart(sim: i32, worker: i32, operation: i32, timeUs: f64): void {
  if (worker < i32.load(sim, SIM_LOG_WORKERS)) f64.store(pending(sim, worker, operation) + 8, timeUs)
}

/** Its last byte is sent now; dependents can go on at `endUs`. */
export function logStreamEnd(sim: i32, worker: i32, operation: i32, endUs: f64): void {
  if (worker >= i32.load(sim, SIM_LOG_WORKERS)) return
  const address = pending(sim, worker, operation)
  write(sim, worker, operation, f64.load(address), f64.load(address + 8), f64.load(sim, SIM_NOW), endUs)
}

/** A compute, update or delay is ready at `readyUs`, and its times are known. */
export function logService(sim: i32, worker: i32, operation: i32, readyUs: f64, startUs: f64, endUs: f64): void {
  if (worker < i32.load(sim, SIM_LOG_WORKERS)) write(sim, worker, operation, readyUs, startUs, startUs, endUs)
}

function write(sim: i32, worker: i32, operation: i32, readyUs: f64, startUs: f64, wireEndUs: f64, endUs: f64): void {
  const count = i32.load(sim, SIM_LOG_COUNT)
  i32.store(sim, count + 1, SIM_LOG_COUNT)
  const entry = i32.load(sim, SIM_LOG) + count * LOG_BYTES
  i32.store(entry, worker, LOG_WORKER)
  i32.store(entry, i32.load(workerAddress(sim, worker), WORKER_STEP), LOG_STEP)
  i32.store(entry, operation, LOG_OPERATION)
  f64.store(entry, readyUs, LOG_READY)
  f64.store(entry, startUs, LOG_START)
  f64.store(entry, wireEndUs, LOG_WIRE_END)
  f64.store(entry, endUs, LOG_END)
}
