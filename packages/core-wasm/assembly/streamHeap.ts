/**
 * The streams of a connection that wait for chunks of theirs to be handed over: a binary heap by the job's priority of the operation, then by the
 * order in which they became ready.
 */
import { JOB_PRIORITY, SIM_JOB, WAITING_BYTES, WAITING_REST, WAITING_SEQUENCE, WAITING_STREAM } from './layout'

function priorityOf(table: i32, stream: i32): i32 {
  return table === 0 ? 0 : i32.load(table + 4 * (stream >> 1))
}

function before(table: i32, stream: i32, sequence: i32, other: i32): bool {
  const priority = priorityOf(table, stream)
  const priorityOfOther = priorityOf(table, i32.load(other, WAITING_STREAM))
  if (priority !== priorityOfOther) return priority < priorityOfOther
  return sequence < i32.load(other, WAITING_SEQUENCE)
}

function put(at: i32, rest: f64, stream: i32, sequence: i32): void {
  f64.store(at, rest, WAITING_REST)
  i32.store(at, stream, WAITING_STREAM)
  i32.store(at, sequence, WAITING_SEQUENCE)
}

function move(from: i32, to: i32): void {
  put(to, f64.load(from, WAITING_REST), i32.load(from, WAITING_STREAM), i32.load(from, WAITING_SEQUENCE))
}

/** Adds a stream to the `count` of the heap. */
export function insertStream(sim: i32, heap: i32, count: i32, rest: f64, stream: i32, sequence: i32): void {
  const table = i32.load(i32.load(sim, SIM_JOB), JOB_PRIORITY)
  let i = count
  while (i > 0) {
    const parent = (i - 1) >> 1
    const address = heap + parent * WAITING_BYTES
    if (!before(table, stream, sequence, address)) break
    move(address, heap + i * WAITING_BYTES)
    i = parent
  }
  put(heap + i * WAITING_BYTES, rest, stream, sequence)
}

/** Removes the first stream, at the heap's start, and leaves `count`. */
export function removeFirstStream(sim: i32, heap: i32, count: i32): void {
  const table = i32.load(i32.load(sim, SIM_JOB), JOB_PRIORITY)
  const last = heap + count * WAITING_BYTES
  const rest = f64.load(last, WAITING_REST)
  const stream = i32.load(last, WAITING_STREAM)
  const sequence = i32.load(last, WAITING_SEQUENCE)
  let i = 0
  while (true) {
    let child = 2 * i + 1
    if (child >= count) break
    let address = heap + child * WAITING_BYTES
    if (child + 1 < count) {
      const other = address + WAITING_BYTES
      if (before(table, i32.load(other, WAITING_STREAM), i32.load(other, WAITING_SEQUENCE), address)) {
        address = other
        child++
      }
    }
    if (before(table, stream, sequence, address)) break
    move(address, heap + i * WAITING_BYTES)
    i = child
  }
  put(heap + i * WAITING_BYTES, rest, stream, sequence)
}
