/**
 * The connections attached to a link in the order in which their turns end: a 4-ary heap of (tag, connection), where the tag is the
 * value of the link's clock at which the turn is over. Where each connection stands is kept apart from the rest of its state: many are moved for one
 * that is looked at.
 */
import { LINK_HEAP, LINK_HEAP_COUNT, SIM_HEAP_POSITION, TAG_BYTES, TAG_CONNECTION, TAG_VALUE } from './layout'

/** Where the tag of a connection that is attached to a link stands in the link's heap. */
export function heapPosition(sim: i32, connection: i32): i32 {
  return i32.load(i32.load(sim, SIM_HEAP_POSITION) + 4 * connection)
}

function place(positions: i32, heap: i32, position: i32, tag: f64, connection: i32): void {
  const address = heap + position * TAG_BYTES
  f64.store(address, tag, TAG_VALUE)
  i32.store(address, connection, TAG_CONNECTION)
  i32.store(positions + 4 * connection, position)
}

function siftUp(sim: i32, heap: i32, start: i32, tag: f64, connection: i32): void {
  const positions = i32.load(sim, SIM_HEAP_POSITION)
  let i = start
  while (i > 0) {
    const parent = (i - 1) >> 2
    const address = heap + parent * TAG_BYTES
    const parentTag = f64.load(address, TAG_VALUE)
    const parentConnection = i32.load(address, TAG_CONNECTION)
    if (tag > parentTag || (tag === parentTag && connection > parentConnection)) break
    place(positions, heap, i, parentTag, parentConnection)
    i = parent
  }
  place(positions, heap, i, tag, connection)
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

function siftDown(sim: i32, heap: i32, count: i32, start: i32, tag: f64, connection: i32): void {
  const positions = i32.load(sim, SIM_HEAP_POSITION)
  let i = start
  while (true) {
    const first = 4 * i + 1
    if (first >= count) break
    const best = firstChild(heap + first * TAG_BYTES, count - first)
    const bestTag = f64.load(best, TAG_VALUE)
    const bestConnection = i32.load(best, TAG_CONNECTION)
    if (tag < bestTag || (tag === bestTag && connection < bestConnection)) break
    place(positions, heap, i, bestTag, bestConnection)
    i = (best - heap) / TAG_BYTES
  }
  place(positions, heap, i, tag, connection)
}

export function insertTag(sim: i32, link: i32, tag: f64, connection: i32): void {
  const count = i32.load(link, LINK_HEAP_COUNT)
  i32.store(link, count + 1, LINK_HEAP_COUNT)
  siftUp(sim, i32.load(link, LINK_HEAP), count, tag, connection)
}

/** Gives the connection at `position` another tag. */
export function changeTag(sim: i32, link: i32, position: i32, tag: f64): void {
  const heap = i32.load(link, LINK_HEAP)
  const address = heap + position * TAG_BYTES
  const connection = i32.load(address, TAG_CONNECTION)
  if (tag > f64.load(address, TAG_VALUE)) siftDown(sim, heap, i32.load(link, LINK_HEAP_COUNT), position, tag, connection)
  else siftUp(sim, heap, position, tag, connection)
}

export function removeTag(sim: i32, link: i32, position: i32): void {
  const heap = i32.load(link, LINK_HEAP)
  const count = i32.load(link, LINK_HEAP_COUNT) - 1
  i32.store(link, count, LINK_HEAP_COUNT)
  if (position === count) return
  const last = heap + count * TAG_BYTES
  const tag = f64.load(last, TAG_VALUE)
  const connection = i32.load(last, TAG_CONNECTION)
  // The last entry may belong above as well as below the gap.
  if (position > 0) {
    const parent = heap + ((position - 1) >> 2) * TAG_BYTES
    const parentTag = f64.load(parent, TAG_VALUE)
    if (tag < parentTag || (tag === parentTag && connection < i32.load(parent, TAG_CONNECTION))) {
      siftUp(sim, heap, position, tag, connection)
      return
    }
  }
  siftDown(sim, heap, count, position, tag, connection)
}
