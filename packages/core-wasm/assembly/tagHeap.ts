/**
 * Entries (tag, connection) in a 4-ary heap, ordered by both. Where each connection stands is kept apart from the rest of its state, in an array at
 * `positions`: many are moved for one that is looked at.
 */
import { TAG_BYTES, TAG_CONNECTION, TAG_VALUE } from './layout'
import { leastOfFour } from './leastOfFour'

export function put(address: i32, tag: f64, connection: i32): void {
  f64.store(address, tag, TAG_VALUE)
  i32.store(address, connection, TAG_CONNECTION)
}

export function place(positions: i32, entries: i32, position: i32, tag: f64, connection: i32): void {
  put(entries + position * TAG_BYTES, tag, connection)
  i32.store(positions + 4 * connection, position)
}

export function moveEntry(positions: i32, entries: i32, from: i32, to: i32): void {
  const address = entries + from * TAG_BYTES
  place(positions, entries, to, f64.load(address, TAG_VALUE), i32.load(address, TAG_CONNECTION))
}

/** Whether the entry at address `a` comes before that at `b`. */
export function entryBefore(a: i32, b: i32): bool {
  const tagA = f64.load(a, TAG_VALUE)
  const tagB = f64.load(b, TAG_VALUE)
  return tagA < tagB || (tagA === tagB && i32.load(a, TAG_CONNECTION) < i32.load(b, TAG_CONNECTION))
}

export function siftUp(positions: i32, entries: i32, start: i32, tag: f64, connection: i32): void {
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

/** Address of the first of the `children` entries at `address`: one to four. */
function firstChild(address: i32, children: i32): i32 {
  if (children >= 4) {
    const least = leastOfFour(address)
    if (least !== 0) return least
  }
  let best = address
  const end = address + (children < 4 ? children : 4) * TAG_BYTES
  for (let child = address + TAG_BYTES; child < end; child += TAG_BYTES) if (entryBefore(child, best)) best = child
  return best
}

export function siftDown(positions: i32, entries: i32, count: i32, start: i32, tag: f64, connection: i32): void {
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

/** Gives the entry at `position` another tag. */
export function resift(positions: i32, entries: i32, count: i32, position: i32, tag: f64, connection: i32): void {
  if (tag > f64.load(entries + position * TAG_BYTES, TAG_VALUE)) siftDown(positions, entries, count, position, tag, connection)
  else siftUp(positions, entries, position, tag, connection)
}

/** The entry at `position` of the heap is gone: its last, at `last`, takes that place. It may belong above as well as below the gap. */
export function closeGap(positions: i32, entries: i32, position: i32, last: i32): void {
  if (position === last) return
  const address = entries + last * TAG_BYTES
  const tag = f64.load(address, TAG_VALUE)
  const connection = i32.load(address, TAG_CONNECTION)
  if (position > 0) {
    const parent = entries + ((position - 1) >> 2) * TAG_BYTES
    const parentTag = f64.load(parent, TAG_VALUE)
    if (tag < parentTag || (tag === parentTag && connection < i32.load(parent, TAG_CONNECTION))) {
      siftUp(positions, entries, position, tag, connection)
      return
    }
  }
  siftDown(positions, entries, last, position, tag, connection)
}

export function heapify(positions: i32, entries: i32, count: i32): void {
  for (let i = (count - 2) >> 2; i >= 0; i--) {
    const address = entries + i * TAG_BYTES
    siftDown(positions, entries, count, i, f64.load(address, TAG_VALUE), i32.load(address, TAG_CONNECTION))
  }
}
