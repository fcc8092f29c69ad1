/** The queue of the core, from its sources (bench/lib/queues.mjs), in a simulation block that has nothing else. */
import { removeFirst, schedule } from './core/eventQueue'
import { SIM_EVENT_COUNT, SIM_EVENTS, SIM_HEADER_BYTES } from './core/layout'
import { EVENT_BYTES, move } from './event'
import { startAt, take } from './region'

let sim: i32 = 0

export function clear(from: i32, capacity: i32): void {
  startAt(from)
  sim = take(SIM_HEADER_BYTES)
  i32.store(sim, take(capacity * EVENT_BYTES), SIM_EVENTS)
  i32.store(sim, 0, SIM_EVENT_COUNT)
}

export function push(time: f64, classWorker: i32, operation: i32): void {
  schedule(sim, time, 0, classWorker, operation)
}

export function pop(into: i32): void {
  move(i32.load(sim, SIM_EVENTS), into)
  removeFirst(sim)
}
