/** Implicit heap of 2^shift children a node, in an array. What is sifted stays in registers until its place is found. */
import { CLASS_WORKER, comesBefore, EVENT_BYTES, move, OPERATION, put, TIME } from './event'
import { startAt, take } from './region'

let events: i32 = 0
let count: i32 = 0

export function clearHeap(from: i32, capacity: i32): void {
  startAt(from)
  events = take(capacity * EVENT_BYTES)
  count = 0
}

export function pushUp(shift: i32, time: f64, classWorker: i32, operation: i32): void {
  let hole = count
  count += 1
  while (hole > 0) {
    const parent = (hole - 1) >> shift
    const address = events + parent * EVENT_BYTES
    if (!comesBefore(time, classWorker, operation, address)) break
    move(address, events + hole * EVENT_BYTES)
    hole = parent
  }
  put(events + hole * EVENT_BYTES, time, classWorker, operation)
}

export function popDown(shift: i32, into: i32): void {
  move(events, into)
  count -= 1
  const last = events + count * EVENT_BYTES
  const time = f64.load(last, TIME)
  const classWorker = i32.load(last, CLASS_WORKER)
  const operation = i32.load(last, OPERATION)
  const arity = 1 << shift
  let hole = 0
  while (true) {
    const first = (hole << shift) + 1
    if (first >= count) break
    let best = events + first * EVENT_BYTES
    let bestIndex = first
    const end = first + arity < count ? first + arity : count
    for (let child = first + 1; child < end; child++) {
      const address = events + child * EVENT_BYTES
      if (comesBefore(f64.load(address, TIME), i32.load(address, CLASS_WORKER), i32.load(address, OPERATION), best)) {
        best = address
        bestIndex = child
      }
    }
    if (comesBefore(time, classWorker, operation, best)) break
    move(best, events + hole * EVENT_BYTES)
    hole = bestIndex
  }
  put(events + hole * EVENT_BYTES, time, classWorker, operation)
}
