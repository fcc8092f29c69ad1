/**
 * What is done with the queue under test: bench/lib/queues.mjs compiles this file once for each queue, with "./queue" standing for it.
 *
 *     clear(from, capacity)    empty; memory from the address `from` on is the queue's; never more than `capacity` events at once
 *     push(time, class and worker, operation)
 *     pop(into)                the first event is written to the address `into`; the queue is not empty
 */
import { CLASS_WORKER, EVENT_BYTES, OPERATION, TIME } from './event'
import { pop, push } from './queue'

export { clear, pop, push } from './queue'

/** Where events are popped to. */
export const POPPED: i32 = 16
/** Data of the harness lies from here on. */
export const DATA: i32 = 64

/** An entry of a recorded sequence: how many events are popped before this one is pushed, and the event. */
export const RECORD_POPS: i32 = EVENT_BYTES
export const RECORD_BYTES: i32 = EVENT_BYTES + 8

function mixed(hash: i32): i32 {
  return hash * 31 + i32.load(POPPED, CLASS_WORKER) + i32.load(POPPED, OPERATION)
}

/**
 * The hold model: pop the first event, push it again at its time plus an increment, `count` times. Increments are read in turn from the `size`
 * (a power of two) numbers at DATA, beginning at number `first`.
 *
 * @returns a number that depends on which events were popped, and in which order
 */
export function hold(size: i32, first: i32, count: i32): i32 {
  let hash = 0
  for (let i = 0; i < count; i++) {
    pop(POPPED)
    hash = mixed(hash)
    const increment = f64.load(DATA + (((first + i) & (size - 1)) << 3))
    push(f64.load(POPPED, TIME) + increment, i32.load(POPPED, CLASS_WORKER), i32.load(POPPED, OPERATION))
  }
  return hash
}

/** Does what the `count` entries at DATA say and pops the rest. The queue is empty before and after; the result is as that of hold(). */
export function replay(count: i32): i32 {
  let hash = 0
  let size = 0
  for (let i = 0; i < count; i++) {
    const record = DATA + i * RECORD_BYTES
    const pops = i32.load(record, RECORD_POPS)
    for (let j = 0; j < pops; j++) {
      pop(POPPED)
      hash = mixed(hash)
    }
    push(f64.load(record, TIME), i32.load(record, CLASS_WORKER), i32.load(record, OPERATION))
    size += 1 - pops
  }
  for (; size > 0; size--) {
    pop(POPPED)
    hash = mixed(hash)
  }
  return hash
}
