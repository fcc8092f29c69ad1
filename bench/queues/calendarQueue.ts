/**
 * Calendar queue: R. Brown, "Calendar queues: a fast O(1) priority queue implementation for the simulation event set problem", CACM 31 (1988).
 * Days of equal length are dealt out to buckets in turn; each bucket is a sorted list. When events outgrow the buckets or leave them, there are
 * twice or half as many, and days become three times the usual gap between the next 25 events.
 */
import { before, move, put, TIME } from './event'
import { freeNode, NEXT, newNode, reserveNodes } from './nodes'
import { startAt, take } from './region'

const FEWEST_BUCKETS: i32 = 2
const SAMPLES: i32 = 25

let buckets: i32 = 0
let mask: i32 = 0
let most: i32 = 0
let count: i32 = 0
let daysPerUs: f64 = 1
/** No event lies on an earlier day. */
let day: f64 = 0

export function clear(from: i32, capacity: i32): void {
  startAt(from)
  reserveNodes(capacity)
  most = FEWEST_BUCKETS
  while (most < capacity) most <<= 1
  buckets = take(4 * most)
  count = 0
  daysPerUs = 1
  day = 0
  empty(FEWEST_BUCKETS)
}

export function push(time: f64, classWorker: i32, operation: i32): void {
  const node = newNode()
  put(node, time, classWorker, operation)
  insert(node)
  count += 1
  if (count > 2 * (mask + 1) && mask + 1 < most) resize((mask + 1) << 1)
}

export function pop(into: i32): void {
  const node = takeFirst()
  move(node, into)
  freeNode(node)
  if (count < (mask + 1) >> 1 && mask + 1 > FEWEST_BUCKETS) resize((mask + 1) >> 1)
}

function dayOf(node: i32): f64 {
  return Math.floor(f64.load(node, TIME) * daysPerUs)
}

function bucketOf(theDay: f64): i32 {
  return buckets + ((i32(i64(theDay)) & mask) << 2)
}

function empty(bucketCount: i32): void {
  mask = bucketCount - 1
  for (let i = 0; i < bucketCount; i++) i32.store(buckets + (i << 2), 0)
}

function insert(node: i32): void {
  const itsDay = dayOf(node)
  if (itsDay < day) day = itsDay
  const bucket = bucketOf(itsDay)
  let previous = 0
  let next = i32.load(bucket)
  while (next !== 0 && before(next, node)) {
    previous = next
    next = i32.load(next, NEXT)
  }
  i32.store(node, next, NEXT)
  if (previous === 0) i32.store(bucket, node)
  else i32.store(previous, node, NEXT)
}

function takeFirst(): i32 {
  count -= 1
  for (let i = 0; i <= mask; i++) {
    const bucket = bucketOf(day)
    const node = i32.load(bucket)
    if (node !== 0 && dayOf(node) === day) {
      i32.store(bucket, i32.load(node, NEXT))
      return node
    }
    day += 1
  }
  // Nothing within a year: straight to the earliest of all.
  let earliest = 0
  for (let i = 0; i <= mask; i++) {
    const node = i32.load(buckets + (i << 2))
    if (node !== 0 && (earliest === 0 || before(node, earliest))) earliest = node
  }
  day = dayOf(earliest)
  i32.store(bucketOf(day), i32.load(earliest, NEXT))
  return earliest
}

function resize(bucketCount: i32): void {
  sampleGaps()
  // One list of all, then each to its new place.
  let all = 0
  for (let i = 0; i <= mask; i++) {
    let node = i32.load(buckets + (i << 2))
    while (node !== 0) {
      const next = i32.load(node, NEXT)
      i32.store(node, all, NEXT)
      all = node
      node = next
    }
  }
  empty(bucketCount)
  if (all !== 0) day = dayOf(all)
  while (all !== 0) {
    const next = i32.load(all, NEXT)
    insert(all)
    all = next
  }
}

/** Takes the next events out, finds the mean of their gaps without those of more than twice the mean, and puts them back. */
function sampleGaps(): void {
  const wanted = count < SAMPLES ? count : SAMPLES
  if (wanted < 2) return
  let taken = 0
  for (let i = 0; i < wanted; i++) {
    const node = takeFirst()
    i32.store(node, taken, NEXT)
    taken = node
  }
  const latest = f64.load(taken, TIME)
  let node = taken
  let previousTime = latest
  while (i32.load(node, NEXT) !== 0) node = i32.load(node, NEXT)
  const mean = (latest - f64.load(node, TIME)) / f64(wanted - 1)
  let sum: f64 = 0
  let gaps = 0
  node = i32.load(taken, NEXT)
  while (node !== 0) {
    const gap = previousTime - f64.load(node, TIME)
    previousTime = f64.load(node, TIME)
    if (gap <= 2 * mean) {
      sum += gap
      gaps += 1
    }
    node = i32.load(node, NEXT)
  }
  while (taken !== 0) {
    const next = i32.load(taken, NEXT)
    insert(taken)
    count += 1
    taken = next
  }
  if (sum > 0) daysPerUs = f64(gaps) / (3 * sum)
}
