/** Entries (tag, connection) put in order: the last comes first. */
import { TAG_BYTES, TAG_CONNECTION, TAG_VALUE } from './layout'
import { heapify, moveEntry, put, siftDown } from './tagHeap'

/** Moves the entry at `at` back to where it belongs among those before it, which are in order. */
function insertBack(entries: i32, at: i32): void {
  const tag = f64.load(at, TAG_VALUE)
  const connection = i32.load(at, TAG_CONNECTION)
  let gap = at
  while (gap > entries) {
    const before = gap - TAG_BYTES
    const other = f64.load(before, TAG_VALUE)
    if (tag < other || (tag === other && connection < i32.load(before, TAG_CONNECTION))) break
    put(gap, other, i32.load(before, TAG_CONNECTION))
    gap = before
  }
  put(gap, tag, connection)
}

/** Heapsort: what crowding costs is bounded. */
function heapSort(positions: i32, entries: i32, count: i32): void {
  heapify(positions, entries, count)
  for (let last = count - 1; last > 0; last--) {
    const address = entries + last * TAG_BYTES
    const tag = f64.load(address, TAG_VALUE)
    const connection = i32.load(address, TAG_CONNECTION)
    moveEntry(positions, entries, 0, last)
    siftDown(positions, entries, last, 0, tag, connection)
  }
}

/** So many entries of one part are put in order by insertion. */
const PART_MOST: i32 = 32

/**
 * Puts `count` entries whose tags are below `bound` in order. They are dealt out to as many parts of equal width, in which there are mostly one or two;
 * where they crowd, all are sorted by a heap. `room` is for `count` entries and as many i32. What `positions` says of them afterwards has no meaning.
 */
export function sortRun(positions: i32, entries: i32, count: i32, bound: f64, room: i32): void {
  let least = bound
  const end = entries + count * TAG_BYTES
  for (let entry = entries; entry < end; entry += TAG_BYTES) {
    const tag = f64.load(entry, TAG_VALUE)
    least = tag < least ? tag : least
  }
  const scale = f64(count) / (bound - least)
  const starts = room + count * TAG_BYTES
  for (let at = starts; at < starts + 4 * count; at += 4) i32.store(at, 0)
  let fullest = 0
  for (let entry = entries; entry < end; entry += TAG_BYTES) {
    const at = starts + 4 * part(f64.load(entry, TAG_VALUE), bound, scale, count)
    const inPart = i32.load(at) + 1
    i32.store(at, inPart)
    fullest = inPart > fullest ? inPart : fullest
  }
  if (fullest > PART_MOST) {
    heapSort(positions, entries, count)
    return
  }
  let start = 0
  for (let at = starts; at < starts + 4 * count; at += 4) {
    const inPart = i32.load(at)
    i32.store(at, start)
    start += inPart
  }
  for (let entry = entries; entry < end; entry += TAG_BYTES) {
    const tag = f64.load(entry, TAG_VALUE)
    const at = starts + 4 * part(tag, bound, scale, count)
    const to = i32.load(at)
    i32.store(at, to + 1)
    put(room + to * TAG_BYTES, tag, i32.load(entry, TAG_CONNECTION))
  }
  for (let i = 0; i < count; i++) {
    const entry = room + i * TAG_BYTES
    put(entries + i * TAG_BYTES, f64.load(entry, TAG_VALUE), i32.load(entry, TAG_CONNECTION))
    insertBack(entries, entries + i * TAG_BYTES)
  }
}

/** The part of a tag: those of great tags come first. */
function part(tag: f64, bound: f64, scale: f64, count: i32): i32 {
  const index = (bound - tag) * scale
  return index < f64(count) ? i32(index) : count - 1
}
