/**
 * Connections in the order of a number: a 4-ary heap of (tag, connection). Those attached to a link stand in one by the value of the link's clock
 * at which their turn is over; sharing has others (standing.ts). `heap` is the address of the heap's descriptor. Where each connection stands is kept
 * apart from the rest of its state, in an array at `positions`: many are moved for one that is looked at.
 */
import { HEAP_COUNT, SIM_HEAP_POSITION, SIM_WATCH_POSITION, TAG_BYTES, TAG_CONNECTION, TAG_VALUE } from './layout'

/** Where the connections stand in the heaps of the links that they are attached to. */
export function linkPositions(sim: i32): i32 {
  return i32.load(sim, SIM_HEAP_POSITION)
}

/** Where they stand in the heaps of sharing; −1: in none. */
export function watchPositions(sim: i32): i32 {
  return i32.load(sim, SIM_WATCH_POSITION)
}

export function positionOf(positions: i32, connection: i32): i32 {
  return i32.load(positions + 4 * connection)
}

function place(positions: i32, entries: i32, position: i32, tag: f64, connection: i32): void {
  const address = entries + position * TAG_BYTES
  f64.store(address, tag, TAG_VALUE)
  i32.store(address, connection, TAG_CONNECTION)
  i32.store(positions + 4 * connection, position)
}

function siftUp(positions: i32, entries: i32, start: i32, tag: f64, connection: i32): void {
  let i = start
  while (i > 0) {
    const parent = (i - 1) >> 2
    const address = entries + parent * TAG_BYTES
    const parentTag = f64.load(address, TAG_VALUE)
    const parentConnection = i32.load(address, TAG_CONNECTION)
    if (tag > parentTag || (tag === parentTag && connection > parentConnection)) break
    place(positions, entries, i, parentTag, parentConnection)
    i = parent
  }
  place(positions, entries, i, tag, connection)
}

/** Whether the entry at address `a` comes before that at `b`. */
function entryBefore(a: i32, b: i32): bool {
  const tagA = f64.load(a, TAG_VALUE)
  const tagB = f64.load(b, TAG_VALUE)
  return tagA < tagB || (tagA === tagB && i32.load(a, TAG_CONNECTION) < i32.load(b, TAG_CONNECTION))
}

/** Address of the first of the `children` entries at `address`: one to four. */
function firstChild(address: i32, children: i32): i32 {
  if (children >= 4) {
    const tag0 = f64.load(address, TAG_VALUE)
    const tag1 = f64.load(address + TAG_BYTES, TAG_VALUE)
    const tag2 = f64.load(address + 2 * TAG_BYTES, TAG_VALUE)
    const tag3 = f64.load(address + 3 * TAG_BYTES, TAG_VALUE)
    // Which tag is least is anybody's guess: choosing addresses needs no branch, which would be guessed wrong half the time.
    const a = tag1 < tag0 ? address + TAG_BYTES : address
    const b = tag3 < tag2 ? address + 3 * TAG_BYTES : address + 2 * TAG_BYTES
    const tagA = f64.load(a, TAG_VALUE)
    const tagB = f64.load(b, TAG_VALUE)
    const best = tagB < tagA ? b : a
    if (tag0 !== tag1 && tag2 !== tag3 && tagA !== tagB) return best
  }
  let best = address
  const end = address + (children < 4 ? children : 4) * TAG_BYTES
  for (let child = address + TAG_BYTES; child < end; child += TAG_BYTES) if (entryBefore(child, best)) best = child
  return best
}

function siftDown(positions: i32, entries: i32, count: i32, start: i32, tag: f64, connection: i32): void {
  let i = start
  while (true) {
    const first = 4 * i + 1
    if (first >= count) break
    const best = firstChild(entries + first * TAG_BYTES, count - first)
    const bestTag = f64.load(best, TAG_VALUE)
    const bestConnection = i32.load(best, TAG_CONNECTION)
    if (tag < bestTag || (tag === bestTag && connection < bestConnection)) break
    place(positions, entries, i, bestTag, bestConnection)
    i = (best - entries) / TAG_BYTES
  }
  place(positions, entries, i, tag, connection)
}

export function insertTag(positions: i32, heap: i32, tag: f64, connection: i32): void {
  const count = i32.load(heap, HEAP_COUNT)
  i32.store(heap, count + 1, HEAP_COUNT)
  siftUp(positions, i32.load(heap), count, tag, connection)
}

/** Gives the connection at `position` another tag. */
export function changeTag(positions: i32, heap: i32, position: i32, tag: f64): void {
  const entries = i32.load(heap)
  const address = entries + position * TAG_BYTES
  const connection = i32.load(address, TAG_CONNECTION)
  if (tag > f64.load(address, TAG_VALUE)) siftDown(positions, entries, i32.load(heap, HEAP_COUNT), position, tag, connection)
  else siftUp(positions, entries, position, tag, connection)
}

export function removeTag(positions: i32, heap: i32, position: i32): void {
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
      siftUp(positions, entries, position, tag, connection)
      return
    }
  }
  siftDown(positions, entries, count, position, tag, connection)
}
