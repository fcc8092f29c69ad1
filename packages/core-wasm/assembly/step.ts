/** A worker's step from its begin to its end: it takes a template and releases the operations that wait for no other. */
import { beginRequests, request } from './connections'
import { CLASS_RELEASE, CLASS_STEP, STEP_BEGINS, STEP_COMPLETES, STEP_ENDS, schedule } from './eventQueue'
import {
  JOB_OPERATIONS,
  JOB_OTHER_OPERATION,
  JOB_OTHER_US,
  JOB_OTHERS,
  JOB_PULL_SERVERS,
  JOB_PULL_START,
  JOB_PULLS,
  JOB_PUSHES,
  JOB_RELEASE_OPERATION,
  JOB_RELEASE_US,
  JOB_RELEASES,
  JOB_TEMPLATES,
  MODE_ASYNC,
  MODE_SYNC,
  RECORD_BYTES,
  RECORD_END,
  RECORD_STALENESS,
  RECORD_START,
  RECORD_TAKEN,
  RECORD_TEMPLATE,
  RECORD_WAITED,
  RECORD_WORKER,
  SIM_COMPLETED_STEPS,
  SIM_IN_ORDER,
  SIM_JOB,
  SIM_MODE,
  SIM_NOW,
  SIM_PUSHED_STEPS,
  SIM_RECORD,
  SIM_RECORD_COUNT,
  SIM_ROUND,
  SIM_SERVERS,
  SIM_STEP_OVERHEAD,
  WORKER_COMPUTE_SCALE,
  WORKER_HOST_SCALE,
  WORKER_OPERATIONS_LEFT,
  WORKER_PUSHED_AT_PULL,
  WORKER_PUSHES_LEFT,
  WORKER_RANDOM,
  WORKER_RELEASE_FROM,
  WORKER_RELEASED,
  WORKER_ROUND,
  WORKER_STALENESS,
  WORKER_STEP,
  WORKER_STEP_START,
  WORKER_STRAGGLE,
  WORKER_STRAGGLE_FACTOR,
  WORKER_STRAGGLE_PROBABILITY,
  WORKER_TAKEN,
  WORKER_TEMPLATE,
  WORKER_WAITED
} from './layout'
import { noteFirstPull, preparesPulls, ready } from './operations'
import { requestDelay, resultDelay } from './queueing'
import { below, uniform } from './random'
import { awaitsRound, awaitsSlowest } from './rounds'
import { workerAddress } from './workers'

/** The operation of a CLASS_RELEASE event: roots are due. */
export const RELEASE_ROOTS: i32 = 0

/**
 * Each as likely as any other, whatever came before: cards drawn from a deck would give every worker the same sum over each deck, so that the phases
 * between workers could not drift as far as they do.
 */
function drawTemplate(sim: i32, address: i32): i32 {
  const templates = i32.load(i32.load(sim, SIM_JOB), JOB_TEMPLATES)
  if (i32.load(sim, SIM_IN_ORDER) !== 0) return i32.load(address, WORKER_STEP) % templates
  return below(address + WORKER_RANDOM, templates)
}

/** Whether the step straggles is drawn for every step of a worker that can, so that the draws of later ones do not depend on it. */
function drawScale(address: i32): void {
  const probability = f64.load(address, WORKER_STRAGGLE_PROBABILITY)
  if (probability === 0) return
  const straggles = uniform(address + WORKER_STRAGGLE) < probability
  const scale = f64.load(address, WORKER_HOST_SCALE)
  f64.store(address, straggles ? scale * f64.load(address, WORKER_STRAGGLE_FACTOR) : scale, WORKER_COMPUTE_SCALE)
}

function beginStep(sim: i32, worker: i32): void {
  const job = i32.load(sim, SIM_JOB)
  const address = workerAddress(sim, worker)
  const template = drawTemplate(sim, address)
  i32.store(address, template, WORKER_TEMPLATE)
  i32.store(address, i32.load(job, JOB_OPERATIONS), WORKER_OPERATIONS_LEFT)
  i32.store(address, i32.load(job, JOB_PUSHES), WORKER_PUSHES_LEFT)
  i32.store(address, 0, WORKER_RELEASED)
  // A step without pulls works on what it had when it began.
  i32.store(address, i32.load(job, JOB_PULLS) > 0 ? -1 : i32.load(sim, SIM_PUSHED_STEPS), WORKER_PUSHED_AT_PULL)
  i32.store(address, 0, WORKER_STALENESS)
  if (i32.load(sim, SIM_MODE) !== MODE_ASYNC) {
    i32.store(address, i32.load(sim, SIM_ROUND), WORKER_ROUND)
    i32.store(address, 0, WORKER_TAKEN)
  }
  drawScale(address)
  f64.store(address, f64.load(sim, SIM_NOW), WORKER_STEP_START)
  f64.store(address, f64.load(sim, SIM_NOW) + requestDelay(sim, worker), WORKER_RELEASE_FROM)
  if (!preparesPulls(sim)) {
    const servers = i32.load(job, JOB_PULL_SERVERS)
    const starts = i32.load(job, JOB_PULL_START) + 4 * template * servers
    const connection = worker * i32.load(sim, SIM_SERVERS)
    for (let server = 0; server < servers; server++) {
      beginRequests(sim, connection + server, i32.load(starts + 4 * server), i32.load(starts + 4 * server, 4))
    }
  }
  awaitRoots(sim, worker)
}

/** A pull is due on an idle connection. */
export function onRequest(sim: i32, worker: i32, connection: i32): void {
  noteFirstPull(sim, worker)
  request(sim, connection)
}

/** The releases left in this step as RELEASE_ROOTS makes them: without pulls, except where servers prepare those in the order of becoming ready. */
function rootsLeft(sim: i32, address: i32): i32 {
  const job = i32.load(sim, SIM_JOB)
  return i32.load(job + (preparesPulls(sim) ? JOB_RELEASES : JOB_OTHERS)) - i32.load(address, WORKER_RELEASED)
}

/** When the first of them is due. */
function rootTime(sim: i32, address: i32): f64 {
  const job = i32.load(sim, SIM_JOB)
  const withPulls = preparesPulls(sim)
  const times = i32.load(job + (withPulls ? JOB_RELEASE_US : JOB_OTHER_US))
  const base = i32.load(address, WORKER_TEMPLATE) * i32.load(job + (withPulls ? JOB_RELEASES : JOB_OTHERS))
  return f64.load(address, WORKER_RELEASE_FROM) + f64.load(times + 8 * (base + i32.load(address, WORKER_RELEASED)))
}

function awaitRoots(sim: i32, worker: i32): void {
  const address = workerAddress(sim, worker)
  if (rootsLeft(sim, address) > 0) schedule(sim, rootTime(sim, address), CLASS_RELEASE, worker, RELEASE_ROOTS)
}

/** Makes the roots ready whose time has come, in the template's order. */
export function release(sim: i32, worker: i32): void {
  const job = i32.load(sim, SIM_JOB)
  const withPulls = preparesPulls(sim)
  const address = workerAddress(sim, worker)
  const base = i32.load(address, WORKER_TEMPLATE) * i32.load(job + (withPulls ? JOB_RELEASES : JOB_OTHERS))
  const operations = i32.load(job + (withPulls ? JOB_RELEASE_OPERATION : JOB_OTHER_OPERATION)) + 4 * base
  while (rootsLeft(sim, address) > 0 && rootTime(sim, address) <= f64.load(sim, SIM_NOW)) {
    const released = i32.load(address, WORKER_RELEASED)
    i32.store(address, released + 1, WORKER_RELEASED)
    ready(sim, worker, i32.load(operations + 4 * released))
  }
  awaitRoots(sim, worker)
}

/** The last push of the step is complete. */
export function countPushedStep(sim: i32, worker: i32): void {
  const address = workerAddress(sim, worker)
  const pushed = i32.load(sim, SIM_PUSHED_STEPS)
  const atPull = i32.load(address, WORKER_PUSHED_AT_PULL)
  // A synchronous step works on what the last round left, whoever else has pushed in this one.
  if (atPull >= 0 && i32.load(sim, SIM_MODE) !== MODE_SYNC) i32.store(address, pushed - atPull, WORKER_STALENESS)
  i32.store(sim, pushed + 1, SIM_PUSHED_STEPS)
}

export function onStepEvent(sim: i32, worker: i32, what: i32): void {
  if (what === STEP_BEGINS) {
    beginStep(sim, worker)
    return
  }
  if (what === STEP_COMPLETES && awaitsRound(sim, worker)) return
  const delay: f64 = what === STEP_ENDS ? 0 : resultDelay(sim, worker)
  if (delay > 0) schedule(sim, f64.load(sim, SIM_NOW) + delay, CLASS_STEP, worker, STEP_ENDS)
  else endStep(sim, worker)
}

function endStep(sim: i32, worker: i32): void {
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
  if (i32.load(sim, SIM_MODE) !== MODE_ASYNC) {
    i32.store(record, i32.load(address, WORKER_TAKEN), RECORD_TAKEN)
    f64.store(record, f64.load(address, WORKER_WAITED), RECORD_WAITED)
    f64.store(address, 0, WORKER_WAITED)
  }
  i32.store(address, i32.load(address, WORKER_STEP) + 1, WORKER_STEP)
  f64.store(sim, f64.load(sim, SIM_COMPLETED_STEPS) + 1, SIM_COMPLETED_STEPS)
  if (!awaitsSlowest(sim, worker)) schedule(sim, now + f64.load(sim, SIM_STEP_OVERHEAD), CLASS_STEP, worker, STEP_BEGINS)
}
