/** Events as nodes of linked lists: an event, the next node, and one more link (0 = none) for queues that need it. */
import { EVENT_BYTES } from './event'
import { take } from './region'

export const NEXT: i32 = EVENT_BYTES
export const CHILD: i32 = EVENT_BYTES + 4
const NODE_BYTES: i32 = EVENT_BYTES + 8

let free: i32 = 0
let fresh: i32 = 0

/** Room for `capacity` nodes. */
export function reserveNodes(capacity: i32): void {
  free = 0
  fresh = take(capacity * NODE_BYTES)
}

export function newNode(): i32 {
  if (free === 0) {
    fresh += NODE_BYTES
    return fresh - NODE_BYTES
  }
  const node = free
  free = i32.load(node, NEXT)
  return node
}

export function freeNode(node: i32): void {
  i32.store(node, free, NEXT)
  free = node
}
