/**
 * Ladder queue: W. T. Tang, R. S. M. Goh, I. L.-J. Thng, "Ladder queue: an O(1) priority queue structure for large-scale discrete event
 * simulation", ACM TOMACS 15 (2005). Far events lie unsorted in Top, nearer ones in the buckets of up to eight rungs, each of which divides one
 * bucket of the rung above, and only the nearest few are sorted, in Bottom.
 *
 * Where an event belongs is decided by the index of its bucket, which never falls with time, and not by the times at which buckets begin: so
 * rounding cannot part events of the same time.
 */
import { before, move, put, TIME } from './event'
import { freeNode, NEXT, newNode, reserveNodes } from './nodes'
import { startAt, take } from './region'

/** More events than this in a bucket or in Bottom are divided further. */
const MOST_SORTED: i32 = 50
const MOST_RUNGS: i32 = 8

// A rung: start, buckets per unit of time; number of buckets, the next to be taken, events left; room and address of the buckets.
const START: i32 = 0
const PER_US: i32 = 8
const BUCKETS: i32 = 16
const NEXT_BUCKET: i32 = 20
const LEFT: i32 = 24
const ROOM: i32 = 28
const ADDRESS: i32 = 32
const RUNG_BYTES: i32 = 40
// A bucket: first node, number of nodes.
const BUCKET_COUNT: i32 = 4
const BUCKET_BYTES: i32 = 8

let rungs: i32 = 0
let rungCount: i32 = 0
let top: i32 = 0
let topCount: i32 = 0
let bottom: i32 = 0
let bottomCount: i32 = 0
/** Later events belong to Top. */
let topFrom: f64 = -Infinity

export function clear(from: i32, capacity: i32): void {
  startAt(from)
  reserveNodes(capacity)
  rungs = take(MOST_RUNGS * RUNG_BYTES)
  for (let i = 0; i < MOST_RUNGS; i++) i32.store(rungs + i * RUNG_BYTES, 0, ROOM)
  rungCount = 0
  top = 0
  topCount = 0
  bottom = 0
  bottomCount = 0
  topFrom = -Infinity
}

export function push(time: f64, classWorker: i32, operation: i32): void {
  const node = newNode()
  put(node, time, classWorker, operation)
  if (time > topFrom) {
    i32.store(node, top, NEXT)
    top = node
    topCount += 1
    return
  }
  for (let i = 0; i < rungCount; i++) {
    const rung = rungs + i * RUNG_BYTES
    const bucket = bucketOf(rung, time)
    if (bucket >= i32.load(rung, NEXT_BUCKET)) {
      addToBucket(rung, bucket, node)
      return
    }
  }
  insertIntoBottom(node)
  if (bottomCount > MOST_SORTED && divide(bottom, bottomCount)) {
    bottom = 0
    bottomCount = 0
  }
}

export function pop(into: i32): void {
  while (bottom === 0) refillBottom()
  const node = bottom
  move(node, into)
  bottom = i32.load(node, NEXT)
  bottomCount -= 1
  freeNode(node)
}

/** −1 before the rung begins. */
function bucketOf(rung: i32, time: f64): i32 {
  const since = time - f64.load(rung, START)
  if (since < 0) return -1
  const bucket = since * f64.load(rung, PER_US)
  const last = i32.load(rung, BUCKETS) - 1
  return bucket < f64(last) ? i32(bucket) : last
}

function addToBucket(rung: i32, bucket: i32, node: i32): void {
  const address = i32.load(rung, ADDRESS) + bucket * BUCKET_BYTES
  i32.store(node, i32.load(address), NEXT)
  i32.store(address, node)
  i32.store(address, i32.load(address, BUCKET_COUNT) + 1, BUCKET_COUNT)
  i32.store(rung, i32.load(rung, LEFT) + 1, LEFT)
}

/** Makes the list a new lowest rung. False when there are as many rungs as may be, or when the list cannot be divided by time. */
function divide(list: i32, count: i32): bool {
  if (rungCount === MOST_RUNGS) return false
  let earliest = f64.load(list, TIME)
  let latest = earliest
  for (let node = i32.load(list, NEXT); node !== 0; node = i32.load(node, NEXT)) {
    const time = f64.load(node, TIME)
    if (time < earliest) earliest = time
    if (time > latest) latest = time
  }
  const perUs = f64(count) / (latest - earliest)
  if (!(perUs < Infinity)) return false
  const rung = rungs + rungCount * RUNG_BYTES
  rungCount += 1
  if (i32.load(rung, ROOM) < count) {
    // Doubled, so that what is left behind is never more than what is used.
    const room = 2 * count
    i32.store(rung, room, ROOM)
    i32.store(rung, take(room * BUCKET_BYTES), ADDRESS)
  }
  f64.store(rung, earliest, START)
  f64.store(rung, perUs, PER_US)
  i32.store(rung, count, BUCKETS)
  i32.store(rung, 0, NEXT_BUCKET)
  i32.store(rung, 0, LEFT)
  memory.fill(i32.load(rung, ADDRESS), 0, count * BUCKET_BYTES)
  let node = list
  while (node !== 0) {
    const next = i32.load(node, NEXT)
    addToBucket(rung, bucketOf(rung, f64.load(node, TIME)), node)
    node = next
  }
  return true
}

/** One step towards a Bottom that is not empty. */
function refillBottom(): void {
  while (rungCount > 0 && i32.load(rungs + (rungCount - 1) * RUNG_BYTES, LEFT) === 0) rungCount -= 1
  if (rungCount === 0) {
    const list = top
    const count = topCount
    top = 0
    topCount = 0
    topFrom = latestOf(list)
    if (count <= MOST_SORTED || !divide(list, count)) fillBottom(list, count)
    return
  }
  const rung = rungs + (rungCount - 1) * RUNG_BYTES
  let bucket = i32.load(rung, NEXT_BUCKET)
  let address = i32.load(rung, ADDRESS) + bucket * BUCKET_BYTES
  while (i32.load(address) === 0) {
    address += BUCKET_BYTES
    bucket += 1
  }
  i32.store(rung, bucket + 1, NEXT_BUCKET)
  const count = i32.load(address, BUCKET_COUNT)
  i32.store(rung, i32.load(rung, LEFT) - count, LEFT)
  const list = i32.load(address)
  if (count <= MOST_SORTED || !divide(list, count)) fillBottom(list, count)
}

function latestOf(list: i32): f64 {
  let latest = -Infinity
  for (let node = list; node !== 0; node = i32.load(node, NEXT)) {
    if (f64.load(node, TIME) > latest) latest = f64.load(node, TIME)
  }
  return latest
}

function fillBottom(list: i32, count: i32): void {
  bottom = sorted(list, count)
  bottomCount = count
}

function insertIntoBottom(node: i32): void {
  bottomCount += 1
  let previous = 0
  let next = bottom
  while (next !== 0 && before(next, node)) {
    previous = next
    next = i32.load(next, NEXT)
  }
  i32.store(node, next, NEXT)
  if (previous === 0) bottom = node
  else i32.store(previous, node, NEXT)
}

/** Merge sort of the first `count` nodes of a list. */
function sorted(list: i32, count: i32): i32 {
  if (count === 1) {
    i32.store(list, 0, NEXT)
    return list
  }
  const half = count >> 1
  let second = list
  for (let i = 0; i < half; i++) second = i32.load(second, NEXT)
  let b = sorted(second, count - half)
  let a = sorted(list, half)
  let first = 0
  let last = 0
  while (a !== 0 && b !== 0) {
    const aIsFirst = before(a, b)
    const node = aIsFirst ? a : b
    if (aIsFirst) a = i32.load(a, NEXT)
    else b = i32.load(b, NEXT)
    if (first === 0) first = node
    else i32.store(last, node, NEXT)
    last = node
  }
  i32.store(last, a !== 0 ? a : b, NEXT)
  return first
}
