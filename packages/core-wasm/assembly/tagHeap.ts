/**
 * Connections in the order of a number: a 4-ary heap of (tag, connection). Those attached to a link stand in one by the value of its
 * clock at which their turn is over; sharing has others (standing.ts). A connection knows where it stands: `positionAt` is the field
 * that has it. `heap` is the address of the heap's descriptor.
 */
import { CONNECTION_BYTES, HEAP_COUNT, SIM_CONNECTION, TAG_BYTES, TAG_CONNECTION, TAG_VALUE } from './layout'

function place(sim: i32, entries: i32, position: i32, tag: f64, connection: i32, positionAt: i32): void {
  const address = entries + position * TAG_BYTES
  f64.store(address, tag, TAG_VALUE)
  i32.store(address, connection, TAG_CONNECTION)
  i32.store(i32.load(sim, SIM_CONNECTION) + connection * CONNECTION_BYTES + positionAt, position)
}

function siftUp(sim: i32, entries: i32, start: i32, tag: f64, connection: i32, positionAt: i32): void {
  let i = start
  while (i > 0) {
    const parent = (i - 1) >> 2
    const address = entries + parent * TAG_BYTES
    const parentTag = f64.load(address, TAG_VALUE)
    const parentConnection = i32.load(address, TAG_CONNECTION)
    if (tag > parentTag || (tag === parentTag && connection > parentConnection)) break
    place(sim, entries, i, parentTag, parentConnection, positionAt)
    i = parent
  }
  place(sim, entries, i, tag, connection, positionAt)
}

function siftDown(sim: i32, entries: i32, count: i32, start: i32, tag: f64, connection: i32, positionAt: i32): void {
  let i = start
  while (true) {
    const first = 4 * i + 1
    if (first >= count) break
    let best = first
    let bestTag = f64.load(entries + first * TAG_BYTES, TAG_VALUE)
    let bestConnection = i32.load(entries + first * TAG_BYTES, TAG_CONNECTION)
    const end = first + 4 < count ? first + 4 : count
    for (let child = first + 1; child < end; child++) {
      const childTag = f64.load(entries + child * TAG_BYTES, TAG_VALUE)
      if (childTag > bestTag) continue
      const childConnection = i32.load(entries + child * TAG_BYTES, TAG_CONNECTION)
      if (childTag < bestTag || childConnection < bestConnection) {
        best = child
        bestTag = childTag
        bestConnection = childConnection
      }
    }
    if (tag < bestTag || (tag === bestTag && connection < bestConnection)) break
    place(sim, entries, i, bestTag, bestConnection, positionAt)
    i = best
  }
  place(sim, entries, i, tag, connection, positionAt)
}

export function insertTag(sim: i32, heap: i32, tag: f64, connection: i32, positionAt: i32): void {
  const count = i32.load(heap, HEAP_COUNT)
  i32.store(heap, count + 1, HEAP_COUNT)
  siftUp(sim, i32.load(heap), count, tag, connection, positionAt)
}

/** Gives the connection at `position` another tag. */
export function changeTag(sim: i32, heap: i32, position: i32, tag: f64, positionAt: i32): void {
  const entries = i32.load(heap)
  const address = entries + position * TAG_BYTES
  const connection = i32.load(address, TAG_CONNECTION)
  if (tag > f64.load(address, TAG_VALUE)) {
    siftDown(sim, entries, i32.load(heap, HEAP_COUNT), position, tag, connection, positionAt)
  } else {
    siftUp(sim, entries, position, tag, connection, positionAt)
  }
}

export function removeTag(sim: i32, heap: i32, position: i32, positionAt: i32): void {
  const entries = i32.load(heap)
  const count = i32.load(heap, HEAP_COUNT) - 1
  i32.store(heap, count, HEAP_COUNT)
  if (position === count) return
  const last = entries + count * TAG_BYTES
  const tag = f64.load(last, TAG_VALUE)
  const connection = i32.load(last, TAG_CONNECTION)
  // The last entry may belong above as well as below the gap.
  if (position > 0) {
    const parent = entries + ((position - 1) >> 2) * TAG_BYTES
    const parentTag = f64.load(parent, TAG_VALUE)
    if (tag < parentTag || (tag === parentTag && connection < i32.load(parent, TAG_CONNECTION))) {
      siftUp(sim, entries, position, tag, connection, positionAt)
      return
    }
  }
  siftDown(sim, entries, count, position, tag, connection, positionAt)
}
