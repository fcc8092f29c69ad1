/**
 * The queue of events that happen at a known time: a 4-ary heap of (time, class, worker, operation) in the simulation's event region.
 * Ends of turns are not here: their time moves with the load of the link (linkTimes.ts).
 */
import { EVENT_BYTES, EVENT_CLASS_WORKER, EVENT_OPERATION, EVENT_TIME, SIM_EVENT_COUNT, SIM_EVENTS } from './layout'
import { leastOfFour } from './leastOfFour'

/** The operation of a CLASS_REQUEST event is its connection. */
export const CLASS_REQUEST: i32 = 0
export const CLASS_NET: i32 = 1
export const CLASS_PARSE: i32 = 2
export const CLASS_READY: i32 = 3
export const CLASS_COMPUTE: i32 = 4
export const CLASS_UPDATE: i32 = 5
export const CLASS_ROUND: i32 = 6
export const CLASS_RELEASE: i32 = 7
/** The operation of a CLASS_CHUNK event is its connection. */
export const CLASS_CHUNK: i32 = 8
export const CLASS_STEP: i32 = 9
// CLASS_NET events are about a connection: their operation is 4 · connection + one of these.
/** A stalled stream may go on. */
export const NET_WAKE: i32 = 0
/** The weight grows by a step. */
export const NET_RAMP: i32 = 1
/** A delayed first turn gets on the wire. */
export const NET_JOIN: i32 = 2
// CLASS_ROUND events are about a gradient: their operation is 4 · operation + one of these.
/** It has been added up. */
export const ROUND_ADDED: i32 = 0
/** Its update has run. */
export const ROUND_UPDATED: i32 = 1
/** It came too late for its round. */
export const ROUND_DROPPED: i32 = 2
/** It is a push that no update waits for, and has arrived. */
export const ROUND_ARRIVED: i32 = 3
// The operation of a CLASS_STEP event.
export const STEP_BEGINS: i32 = 0
/** The last operation of the step has ended. */
export const STEP_COMPLETES: i32 = 1
/** The worker hears of its step's end. */
export const STEP_ENDS: i32 = 2
/** Workers are numbered below 2^27. */
export const CLASS_SHIFT: i32 = 27
export const WORKER_MASK: i32 = 0x7ffffff

function before(time: f64, classWorker: i32, operation: i32, other: i32): bool {
  const otherTime = f64.load(other, EVENT_TIME)
  if (time !== otherTime) return time < otherTime
  const otherClass = i32.load(other, EVENT_CLASS_WORKER)
  if (classWorker !== otherClass) return classWorker < otherClass
  return operation < i32.load(other, EVENT_OPERATION)
}

function put(at: i32, time: f64, classWorker: i32, operation: i32): void {
  f64.store(at, time, EVENT_TIME)
  i32.store(at, classWorker, EVENT_CLASS_WORKER)
  i32.store(at, operation, EVENT_OPERATION)
}

function move(from: i32, to: i32): void {
  put(to, f64.load(from, EVENT_TIME), i32.load(from, EVENT_CLASS_WORKER), i32.load(from, EVENT_OPERATION))
}

/** Capacity is the caller's business: the loop checks it once per event. */
export function schedule(sim: i32, time: f64, eventClass: i32, worker: i32, operation: i32): void {
  const events = i32.load(sim, SIM_EVENTS)
  const classWorker = (eventClass << CLASS_SHIFT) | worker
  let i = i32.load(sim, SIM_EVENT_COUNT)
  i32.store(sim, i + 1, SIM_EVENT_COUNT)
  while (i > 0) {
    const parent = (i - 1) >> 2
    const address = events + parent * EVENT_BYTES
    if (!before(time, classWorker, operation, address)) break
    move(address, events + i * EVENT_BYTES)
    i = parent
  }
  put(events + i * EVENT_BYTES, time, classWorker, operation)
}

/** Whether the event at address `a` comes before that at `b`. */
function eventBefore(a: i32, b: i32): bool {
  return before(f64.load(a, EVENT_TIME), i32.load(a, EVENT_CLASS_WORKER), i32.load(a, EVENT_OPERATION), b)
}

/** Address of the first of the `children` events at `address`: one to four. */
function firstChild(address: i32, children: i32): i32 {
  if (children >= 4) {
    const least = leastOfFour(address)
    if (least !== 0) return least
  }
  let best = address
  const end = address + (children < 4 ? children : 4) * EVENT_BYTES
  for (let child = address + EVENT_BYTES; child < end; child += EVENT_BYTES) if (eventBefore(child, best)) best = child
  return best
}

/** Removes the first event, which the caller has read at the region's start. */
export function removeFirst(sim: i32): void {
  const events = i32.load(sim, SIM_EVENTS)
  const count = i32.load(sim, SIM_EVENT_COUNT) - 1
  i32.store(sim, count, SIM_EVENT_COUNT)
  const last = events + count * EVENT_BYTES
  const time = f64.load(last, EVENT_TIME)
  const classWorker = i32.load(last, EVENT_CLASS_WORKER)
  const operation = i32.load(last, EVENT_OPERATION)
  let i = 0
  while (true) {
    const first = 4 * i + 1
    if (first >= count) break
    const best = firstChild(events + first * EVENT_BYTES, count - first)
    if (before(time, classWorker, operation, best)) break
    move(best, events + i * EVENT_BYTES)
    i = (best - events) / EVENT_BYTES
  }
  if (count > 0) put(events + i * EVENT_BYTES, time, classWorker, operation)
}
