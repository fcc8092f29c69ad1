/** Implicit heap of two children a node, in an array. What is sifted stays in registers until its place is found. */
import { before, CLASS_WORKER, comesBefore, EVENT_BYTES, move, OPERATION, put, TIME } from './event'
import { startAt, take } from './region'

let events: i32 = 0
let count: i32 = 0

export function clear(from: i32, capacity: i32): void {
  startAt(from)
  events = take(capacity * EVENT_BYTES)
  count = 0
}

export function push(time: f64, classWorker: i32, operation: i32): void {
  let hole = count
  count += 1
  while (hole > 0) {
    const parent = (hole - 1) >> 1
    const address = events + parent * EVENT_BYTES
    if (!comesBefore(time, classWorker, operation, address)) break
    move(address, events + hole * EVENT_BYTES)
    hole = parent
  }
  put(events + hole * EVENT_BYTES, time, classWorker, operation)
}

export function pop(into: i32): void {
  move(events, into)
  count -= 1
  const last = events + count * EVENT_BYTES
  const time = f64.load(last, TIME)
  const classWorker = i32.load(last, CLASS_WORKER)
  const operation = i32.load(last, OPERATION)
  let hole = 0
  while (true) {
    let child = 2 * hole + 1
    if (child >= count) break
    let address = events + child * EVENT_BYTES
    if (child + 1 < count && before(address + EVENT_BYTES, address)) {
      address += EVENT_BYTES
      child += 1
    }
    if (comesBefore(time, classWorker, operation, address)) break
    move(address, events + hole * EVENT_BYTES)
    hole = child
  }
  put(events + hole * EVENT_BYTES, time, classWorker, operation)
}
