/** How workers wait for each other: synchronous rounds, and bounded staleness (docs/semantics.md, "Modes"). */
import { amountOf } from './connections'
import {
  CLASS_ROUND,
  CLASS_STEP,
  ROUND_ADDED,
  ROUND_ARRIVED,
  ROUND_UPDATED,
  STEP_BEGINS,
  STEP_COMPLETES,
  schedule
} from './eventQueue'
import { addGradient, collect, completeGradient, takeGradient } from './gradients'
import {
  JOB_SERVER,
  MODE_SSP,
  MODE_SYNC,
  SIM_GRADIENTS,
  SIM_JOB,
  SIM_MODE,
  SIM_NOW,
  SIM_RING,
  SIM_ROUND,
  SIM_ROUND_END,
  SIM_STALENESS_BOUND,
  SIM_STEP_OVERHEAD,
  SIM_WORKERS,
  WORKER_ROUND,
  WORKER_STEP,
  WORKER_WAITED,
  WORKER_WAITS,
  WORKER_WAITS_SINCE
} from './layout'
import { complete } from './operations'
import { update, updateTime } from './stations'
import { workerAddress } from './workers'

/** Before the first event. */
export function initialiseRounds(sim: i32): void {
  const mode = i32.load(sim, SIM_MODE)
  if (mode === MODE_SYNC) collect(sim)
  else if (mode === MODE_SSP) i32.store(i32.load(sim, SIM_RING), i32.load(sim, SIM_WORKERS))
}

function beginToWait(sim: i32, worker: i32): void {
  i32.store(worker, 1, WORKER_WAITS)
  f64.store(worker, f64.load(sim, SIM_NOW), WORKER_WAITS_SINCE)
}

/** Everybody who waits goes on, `delayUs` from now, with this step event. */
function releaseAll(sim: i32, delayUs: f64, stepEvent: i32): void {
  const now = f64.load(sim, SIM_NOW)
  const workers = i32.load(sim, SIM_WORKERS)
  for (let worker = 0; worker < workers; worker++) {
    const address = workerAddress(sim, worker)
    if (i32.load(address, WORKER_WAITS) === 0) continue
    i32.store(address, 0, WORKER_WAITS)
    f64.store(address, now - f64.load(address, WORKER_WAITS_SINCE), WORKER_WAITED)
    schedule(sim, now + delayUs, CLASS_STEP, worker, stepEvent)
  }
}

// ------------------------------------------------------------------------------------------------ sync

/** Something has happened to a gradient (CLASS_ROUND). */
export function onRoundEvent(sim: i32, worker: i32, code: i32): void {
  const operation = code >> 2
  const what = code & 3
  if (what === ROUND_UPDATED) {
    completeVariable(sim)
    return
  }
  if (what === ROUND_ARRIVED) {
    if (takeGradient(sim, workerAddress(sim, worker), operation) && addGradient(sim, operation)) completeVariable(sim)
    return
  }
  if (what === ROUND_ADDED && addGradient(sim, operation)) {
    const server = i32.load16_u(i32.load(i32.load(sim, SIM_JOB), JOB_SERVER) + 2 * operation)
    const service = updateTime(sim, server, amountOf(sim, worker, operation))
    const start = update(sim, server, f64.load(sim, SIM_NOW), service)
    schedule(sim, start + service, CLASS_ROUND, worker, 4 * operation + ROUND_UPDATED)
  }
  complete(sim, worker, operation)
}

function completeVariable(sim: i32): void {
  if (completeGradient(sim)) releaseAll(sim, 0, STEP_COMPLETES)
}

/** The last operation of a worker's step has ended: whether the step ends only with its round. */
export function awaitsRound(sim: i32, worker: i32): bool {
  if (i32.load(sim, SIM_MODE) !== MODE_SYNC) return false
  const address = workerAddress(sim, worker)
  if (i32.load(sim, SIM_GRADIENTS) === 0 && takeGradient(sim, address, 0) && addGradient(sim, 0)) completeVariable(sim)
  if (i32.load(address, WORKER_ROUND) !== i32.load(sim, SIM_ROUND)) return false
  beginToWait(sim, address)
  return true
}

// ------------------------------------------------------------------------------------------------ ssp

/** A worker has completed a step: whether it has to wait for the slowest before it begins the next. */
export function awaitsSlowest(sim: i32, worker: i32): bool {
  if (i32.load(sim, SIM_MODE) !== MODE_SSP) return false
  const address = workerAddress(sim, worker)
  const bound = i32.load(sim, SIM_STALENESS_BOUND)
  const length = bound + 2
  const completed = i32.load(address, WORKER_STEP)
  const before = i32.load(sim, SIM_RING) + 4 * ((completed - 1) % length)
  const after = i32.load(sim, SIM_RING) + 4 * (completed % length)
  i32.store(before, i32.load(before) - 1)
  i32.store(after, i32.load(after) + 1)
  // Only the last of the slowest can raise the least, and by one step, since it has itself completed no more.
  if (completed - 1 === i32.load(sim, SIM_ROUND) && i32.load(before) === 0) {
    i32.store(sim, completed, SIM_ROUND)
    f64.store(sim, f64.load(sim, SIM_NOW), SIM_ROUND_END)
    // All who wait have completed equally many steps: one more than the bound allowed.
    releaseAll(sim, f64.load(sim, SIM_STEP_OVERHEAD), STEP_BEGINS)
  }
  if (completed - i32.load(sim, SIM_ROUND) <= bound) return false
  beginToWait(sim, address)
  return true
}
