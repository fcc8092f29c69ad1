/** Pairing heap: M. L. Fredman, R. Sedgewick, D. D. Sleator, R. E. Tarjan, "The pairing heap", Algorithmica 1 (1986), the two-pass variant. */
import { before, move, put } from './event'
import { CHILD, freeNode, NEXT, newNode, reserveNodes } from './nodes'
import { startAt } from './region'

let root: i32 = 0

export function clear(from: i32, capacity: i32): void {
  startAt(from)
  reserveNodes(capacity)
  root = 0
}

export function push(time: f64, classWorker: i32, operation: i32): void {
  const node = newNode()
  put(node, time, classWorker, operation)
  i32.store(node, 0, NEXT)
  i32.store(node, 0, CHILD)
  root = root === 0 ? node : meld(root, node)
}

export function pop(into: i32): void {
  move(root, into)
  const children = i32.load(root, CHILD)
  freeNode(root)
  root = meldAll(children)
}

/** The later one becomes the first child of the earlier one. */
function meld(a: i32, b: i32): i32 {
  const aIsFirst = before(a, b)
  const first = aIsFirst ? a : b
  const second = aIsFirst ? b : a
  i32.store(second, i32.load(first, CHILD), NEXT)
  i32.store(first, second, CHILD)
  return first
}

/** Neighbours two by two from the left, then what they became, from the right. */
function meldAll(children: i32): i32 {
  let pairs = 0
  let rest = children
  while (rest !== 0) {
    const a = rest
    const b = i32.load(a, NEXT)
    rest = b === 0 ? 0 : i32.load(b, NEXT)
    const pair = b === 0 ? a : meld(a, b)
    i32.store(pair, pairs, NEXT)
    pairs = pair
  }
  let melded = 0
  while (pairs !== 0) {
    const pair = pairs
    pairs = i32.load(pair, NEXT)
    melded = melded === 0 ? pair : meld(melded, pair)
  }
  if (melded !== 0) i32.store(melded, 0, NEXT)
  return melded
}
