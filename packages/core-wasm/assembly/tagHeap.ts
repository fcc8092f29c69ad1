/**
 * Connections in the order of a number: a 4-ary heap of (tag, connection). Those attached to a link stand in one by the value of the link's clock
 * at which their turn is over; sharing has others (standing.ts). `heap` is the address of the heap's descriptor (HEAP_…). Where each connection stands is
 * kept apart from the rest of its state, in an array at `positions`: many are moved for one that is looked at.
 *
 *   entries: [ near: a heap, all tags below the bound | far: in no order, none below the bound ]
 *
 * A turn of a link with thousands of connections mostly ends far behind those of the others. In a heap of them all it would sift through lines that
 * have long left the caches; far it costs two entries. When near is empty, the next eighth of all becomes it. A small heap is all near.
 */
import {
  HEAP_BOUND,
  HEAP_COUNT,
  HEAP_FAR,
  SIM_HEAP_POSITION,
  SIM_WATCH_POSITION,
  TAG_BYTES,
  TAG_CONNECTION,
  TAG_VALUE
} from './layout'

/** From so many entries on some are far. A power of two. */
const LARGE: i32 = 2048
/** Of so many entries the fourth in order is the bound. */
const SAMPLES: i32 = 32

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

function moveEntry(positions: i32, entries: i32, from: i32, to: i32): void {
  const address = entries + from * TAG_BYTES
  place(positions, entries, to, f64.load(address, TAG_VALUE), i32.load(address, TAG_CONNECTION))
}

/** The entry at `position` of the near ones is gone: the last of them, at `last`, takes its place. It may belong above as well as below the gap. */
function closeGap(positions: i32, entries: i32, position: i32, last: i32): void {
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

/** The fourth in order of some tags, evenly spread over the entries. */
function boundOf(entries: i32, count: i32): f64 {
  let first: f64 = Infinity
  let second: f64 = Infinity
  let third: f64 = Infinity
  let fourth: f64 = Infinity
  for (let i = 0; i < SAMPLES; i++) {
    const tag = f64.load(entries + i32((f64(i) * f64(count)) / SAMPLES) * TAG_BYTES, TAG_VALUE)
    if (tag >= fourth) continue
    if (tag >= third) {
      fourth = tag
      continue
    }
    fourth = third
    if (tag >= second) {
      third = tag
      continue
    }
    third = second
    if (tag >= first) {
      second = tag
      continue
    }
    second = first
    first = tag
  }
  return fourth
}

/** Decides anew who is near. */
function divide(positions: i32, heap: i32): void {
  const entries = i32.load(heap)
  const count = i32.load(heap, HEAP_COUNT)
  let near = 0
  if (count >= LARGE) {
    const bound = boundOf(entries, count)
    f64.store(heap, bound, HEAP_BOUND)
    for (let i = 0; i < count; i++) {
      const address = entries + i * TAG_BYTES
      const tag = f64.load(address, TAG_VALUE)
      if (tag >= bound) continue
      const connection = i32.load(address, TAG_CONNECTION)
      if (i !== near) moveEntry(positions, entries, near, i)
      place(positions, entries, near, tag, connection)
      near++
    }
  }
  // Few, or all tags are alike.
  if (near === 0) near = count
  i32.store(heap, count - near, HEAP_FAR)
  for (let i = (near - 2) >> 2; i >= 0; i--) {
    const address = entries + i * TAG_BYTES
    siftDown(positions, entries, near, i, f64.load(address, TAG_VALUE), i32.load(address, TAG_CONNECTION))
  }
}

export function insertTag(positions: i32, heap: i32, tag: f64, connection: i32): void {
  const entries = i32.load(heap)
  const count = i32.load(heap, HEAP_COUNT)
  const far = i32.load(heap, HEAP_FAR)
  i32.store(heap, count + 1, HEAP_COUNT)
  if (far > 0) {
    if (tag >= f64.load(heap, HEAP_BOUND)) {
      i32.store(heap, far + 1, HEAP_FAR)
      place(positions, entries, count, tag, connection)
      return
    }
    moveEntry(positions, entries, count - far, count)
  }
  siftUp(positions, entries, count - far, tag, connection)
  if (far === 0 && count >= LARGE && (count & (count - 1)) === 0) divide(positions, heap)
}

/** Gives the connection at `position` another tag. */
export function changeTag(positions: i32, heap: i32, position: i32, tag: f64): void {
  const entries = i32.load(heap)
  const address = entries + position * TAG_BYTES
  const connection = i32.load(address, TAG_CONNECTION)
  const far = i32.load(heap, HEAP_FAR)
  const near = i32.load(heap, HEAP_COUNT) - far
  const isFar = far > 0 && tag >= f64.load(heap, HEAP_BOUND)
  if (position >= near) {
    if (isFar) {
      f64.store(address, tag, TAG_VALUE)
      return
    }
    if (position !== near) moveEntry(positions, entries, near, position)
    i32.store(heap, far - 1, HEAP_FAR)
    siftUp(positions, entries, near, tag, connection)
  } else if (isFar) {
    const last = near - 1
    closeGap(positions, entries, position, last)
    place(positions, entries, last, tag, connection)
    i32.store(heap, far + 1, HEAP_FAR)
    if (last === 0) divide(positions, heap)
  } else if (tag > f64.load(address, TAG_VALUE)) {
    siftDown(positions, entries, near, position, tag, connection)
  } else {
    siftUp(positions, entries, position, tag, connection)
  }
}

export function removeTag(positions: i32, heap: i32, position: i32): void {
  const entries = i32.load(heap)
  const count = i32.load(heap, HEAP_COUNT) - 1
  const far = i32.load(heap, HEAP_FAR)
  const near = count + 1 - far
  i32.store(heap, count, HEAP_COUNT)
  if (position >= near) {
    i32.store(heap, far - 1, HEAP_FAR)
    if (position !== count) moveEntry(positions, entries, count, position)
    return
  }
  const last = near - 1
  closeGap(positions, entries, position, last)
  if (far === 0) return
  moveEntry(positions, entries, count, last)
  if (last === 0) divide(positions, heap)
}

/** Takes `by` from all tags. Two that rounding makes alike stay where they stand. */
export function lowerTags(heap: i32, by: f64): void {
  const count = i32.load(heap, HEAP_COUNT)
  let entry = i32.load(heap)
  for (let i = 0; i < count; i++) {
    f64.store(entry, f64.load(entry, TAG_VALUE) - by, TAG_VALUE)
    entry += TAG_BYTES
  }
  f64.store(heap, f64.load(heap, HEAP_BOUND) - by, HEAP_BOUND)
}
