/**
 * Connections in the order of a number, their tag: those attached to a link by the value of its clock at which their turn is over; sharing has others
 * (standing.ts). `order` is the address of a descriptor (ORDER_…), `positions` that of an array that tells where each connection stands.
 *
 *   entries: [ heap … | run: in order, its last comes first | far: in no order, none below the bound … ]
 *
 * Few connections are all in the heap. With thousands it would be sifted through lines that have long left the caches, for turns that mostly end far
 * behind those of the others: a new tag is far then, which costs one entry. When heap and run are used up, the next eighth of all becomes the run. What
 * is below the bound meanwhile goes to the heap.
 *
 * What leaves the middle of the run stays there as dead: it has no connection.
 *
 * After every change: the run is sorted, its last entry alive, all in it below the bound (or alike, after lowerTags); as long as there is anything, the
 * heap or the run has something; and the first of all is the heap's top or the run's last, since what is far comes after both.
 */
import {
  ORDER_BOUND,
  ORDER_COUNT,
  ORDER_DEAD,
  ORDER_FIRST,
  ORDER_HEAP,
  ORDER_PATIENCE,
  ORDER_RUN,
  ORDER_RUN_START,
  SIM_LINK_POSITION,
  SIM_WATCH_POSITION,
  TAG_BYTES,
  TAG_CONNECTION,
  TAG_VALUE
} from './layout'
import { closeGap, entryBefore, heapify, moveEntry, place, put, resift, siftUp } from './tagHeap'
import { sortRun } from './tagRun'

/** From so many entries on some are far. */
const LARGE: i32 = 2048
/** Where all are in the heap because many tags are alike, it is tried again after so many changes an entry. */
const CHANGES: i32 = 4
/** In place of a connection. */
const DEAD: i32 = -1
/** Of so many entries the fourth in order is the bound. */
const SAMPLES: i32 = 32

/** Where the connections stand in the orders of the links that they are attached to. */
export function linkPositions(sim: i32): i32 {
  return i32.load(sim, SIM_LINK_POSITION)
}

/** Where they stand in the orders of sharing; −1 where nobody watches. */
export function watchPositions(sim: i32): i32 {
  return i32.load(sim, SIM_WATCH_POSITION)
}

export function positionOf(positions: i32, connection: i32): i32 {
  return i32.load(positions + 4 * connection)
}

/**
 * Entries of an order of at most so many connections, before rounding down: all may be in the heap, or all in the run and far, and then half as many may
 * be dead, since no run is longer when it is made.
 */
export function tagRoom(most: f64): f64 {
  return most < f64(LARGE) ? most : 2.5 * most
}

/** An order of at most `most` connections, none yet. Returns the address behind its entries. */
export function initialiseOrder(order: i32, entries: i32, most: i32): i32 {
  i32.store(order, entries)
  i32.store(order, most, ORDER_RUN_START)
  return entries + i32(tagRoom(f64(most))) * TAG_BYTES
}

/** The position behind the far ones. */
function endOf(order: i32): i32 {
  return i32.load(order, ORDER_RUN_START) + i32.load(order, ORDER_COUNT) - i32.load(order, ORDER_HEAP) + i32.load(order, ORDER_DEAD)
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

/** Puts those of `count` entries from position `start` on that are below the bound in front, and returns their number. Where these stand is not noted yet. */
function partition(positions: i32, entries: i32, start: i32, count: i32, bound: f64): i32 {
  let near = start
  for (let i = start; i < start + count; i++) {
    const entry = entries + i * TAG_BYTES
    const tag = f64.load(entry, TAG_VALUE)
    if (tag >= bound) continue
    const connection = i32.load(entry, TAG_CONNECTION)
    if (i !== near) moveEntry(positions, entries, near, i)
    put(entries + near * TAG_BYTES, tag, connection)
    near++
  }
  return near - start
}

/** All are far: makes a run of the next of them, or, of few, a heap. */
function divide(positions: i32, order: i32): void {
  const entries = i32.load(order)
  const count = i32.load(order, ORDER_COUNT)
  const start = i32.load(order, ORDER_RUN_START)
  if (count >= LARGE) {
    const bound = boundOf(entries + start * TAG_BYTES, count)
    const near = partition(positions, entries, start, count, bound)
    // Else many tags are alike. More than half would be too many dead ones for the entries, and too many to sort in the room of the heap, which is empty.
    if (near > 0 && near <= count >> 1) {
      sortRun(positions, entries + start * TAG_BYTES, near, bound, entries)
      for (let i = start; i < start + near; i++) i32.store(positions + 4 * i32.load(entries + i * TAG_BYTES, TAG_CONNECTION), i)
      f64.store(order, bound, ORDER_BOUND)
      i32.store(order, near, ORDER_RUN)
      return
    }
  }
  for (let i = 0; i < count; i++) moveEntry(positions, entries, start + i, i)
  i32.store(order, count, ORDER_HEAP)
  i32.store(order, count >= LARGE ? CHANGES * count : 0, ORDER_PATIENCE)
  heapify(positions, entries, count)
}

/** Many are all in the heap, and something has changed: from time to time they become far. */
function reconsider(positions: i32, order: i32): void {
  const count = i32.load(order, ORDER_COUNT)
  const patience = i32.load(order, ORDER_PATIENCE) - 1
  i32.store(order, patience, ORDER_PATIENCE)
  if (patience > 0) return
  const start = i32.load(order, ORDER_RUN_START)
  for (let i = 0; i < count; i++) moveEntry(positions, i32.load(order), i, start + i)
  i32.store(order, 0, ORDER_HEAP)
  settle(positions, order)
}

/** The entry at `position`, of the far ones or in front of them, is out of use, and no longer counted: the last takes its place. */
function fillFromEnd(positions: i32, order: i32, position: i32): void {
  const last = endOf(order)
  if (position !== last) moveEntry(positions, i32.load(order), last, position)
}

/** The last of the run is out of use, and no longer counted. */
function shortenRun(positions: i32, order: i32): void {
  const run = i32.load(order, ORDER_RUN) - 1
  i32.store(order, run, ORDER_RUN)
  fillFromEnd(positions, order, i32.load(order, ORDER_RUN_START) + run)
}

function isLastDead(order: i32): bool {
  const last = i32.load(order, ORDER_RUN_START) + i32.load(order, ORDER_RUN) - 1
  return i32.load(i32.load(order) + last * TAG_BYTES, TAG_CONNECTION) === DEAD
}

/** After a change: the run ends with a live entry, there are heap or run as long as there is anything, and the first is known. */
function settle(positions: i32, order: i32): void {
  while (i32.load(order, ORDER_DEAD) > 0 && isLastDead(order)) {
    i32.store(order, i32.load(order, ORDER_DEAD) - 1, ORDER_DEAD)
    shortenRun(positions, order)
  }
  const none = i32.load(order, ORDER_RUN) === 0 && i32.load(order, ORDER_HEAP) === 0
  if (none && i32.load(order, ORDER_COUNT) > 0) divide(positions, order)
  const entries = i32.load(order)
  const run = i32.load(order, ORDER_RUN)
  let first = entries
  if (run > 0) {
    const last = entries + (i32.load(order, ORDER_RUN_START) + run - 1) * TAG_BYTES
    if (i32.load(order, ORDER_HEAP) === 0 || entryBefore(last, entries)) first = last
  }
  i32.store(order, first, ORDER_FIRST)
}

function insertNear(positions: i32, order: i32, tag: f64, connection: i32): void {
  const heap = i32.load(order, ORDER_HEAP)
  i32.store(order, heap + 1, ORDER_HEAP)
  siftUp(positions, i32.load(order), heap, tag, connection)
}

export function insertTag(positions: i32, order: i32, tag: f64, connection: i32): void {
  const entries = i32.load(order)
  const count = i32.load(order, ORDER_COUNT)
  if (count === i32.load(order, ORDER_HEAP)) {
    i32.store(order, count + 1, ORDER_COUNT)
    insertNear(positions, order, tag, connection)
    i32.store(order, entries, ORDER_FIRST)
    if (count + 1 >= LARGE) reconsider(positions, order)
    return
  }
  const end = endOf(order)
  i32.store(order, count + 1, ORDER_COUNT)
  if (tag >= f64.load(order, ORDER_BOUND)) {
    place(positions, entries, end, tag, connection)
    return
  }
  insertNear(positions, order, tag, connection)
  settle(positions, order)
}

/** Gives the connection at `position` another tag. */
export function changeTag(positions: i32, order: i32, position: i32, tag: f64): void {
  const entries = i32.load(order)
  const address = entries + position * TAG_BYTES
  const connection = i32.load(address, TAG_CONNECTION)
  const count = i32.load(order, ORDER_COUNT)
  const heap = i32.load(order, ORDER_HEAP)
  if (count === heap) {
    resift(positions, entries, heap, position, tag, connection)
    if (count >= LARGE) reconsider(positions, order)
    return
  }
  const isFar = tag >= f64.load(order, ORDER_BOUND)
  const run = i32.load(order, ORDER_RUN)
  const last = i32.load(order, ORDER_RUN_START) + run - 1
  if (isFar && position >= last) {
    // Of the far ones, or of the run the one next to them.
    f64.store(address, tag, TAG_VALUE)
    if (position > last) return
    i32.store(order, run - 1, ORDER_RUN)
  } else if (!isFar && position < heap) {
    resift(positions, entries, heap, position, tag, connection)
  } else {
    takeOut(positions, order, position)
    const end = endOf(order)
    i32.store(order, count, ORDER_COUNT)
    if (isFar) place(positions, entries, end, tag, connection)
    else insertNear(positions, order, tag, connection)
  }
  settle(positions, order)
}

export function removeTag(positions: i32, order: i32, position: i32): void {
  const isAllHeap = i32.load(order, ORDER_COUNT) === i32.load(order, ORDER_HEAP)
  takeOut(positions, order, position)
  if (!isAllHeap) settle(positions, order)
}

function takeOut(positions: i32, order: i32, position: i32): void {
  const entries = i32.load(order)
  const heap = i32.load(order, ORDER_HEAP)
  i32.store(order, i32.load(order, ORDER_COUNT) - 1, ORDER_COUNT)
  if (position < heap) {
    i32.store(order, heap - 1, ORDER_HEAP)
    closeGap(positions, entries, position, heap - 1)
    return
  }
  const last = i32.load(order, ORDER_RUN_START) + i32.load(order, ORDER_RUN) - 1
  if (position === last) {
    shortenRun(positions, order)
  } else if (position > last) {
    fillFromEnd(positions, order, position)
  } else {
    i32.store(entries + position * TAG_BYTES, DEAD, TAG_CONNECTION)
    i32.store(order, i32.load(order, ORDER_DEAD) + 1, ORDER_DEAD)
  }
}

/** Takes `by` from all tags. Two that rounding makes alike stay where they stand. */
export function lowerTags(order: i32, by: f64): void {
  lower(i32.load(order), i32.load(order, ORDER_HEAP), by)
  const start = i32.load(order, ORDER_RUN_START)
  lower(i32.load(order) + start * TAG_BYTES, endOf(order) - start, by)
  f64.store(order, f64.load(order, ORDER_BOUND) - by, ORDER_BOUND)
}

function lower(entries: i32, count: i32, by: f64): void {
  const end = entries + count * TAG_BYTES
  for (let entry = entries; entry < end; entry += TAG_BYTES) f64.store(entry, f64.load(entry, TAG_VALUE) - by, TAG_VALUE)
}
