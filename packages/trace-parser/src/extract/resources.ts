/** What the recorded intervals say of the resources: idle time in front of operations, concurrency, holes. */

/** Shorter operations run wherever a thread happens to be and queue for nothing. */
export const SHORT_US = 20
/** The most idle time that is put in front of an operation: longer waits have other causes. */
const LONGEST_GAP_US = 1000

/**
 * Idle time in front of each operation that nothing explains: between the end of its last dependency and its start, when no other
 * operation of the resource ran meanwhile (else it queued).
 */
export function gapsInFront(
  startUs: ArrayLike<number>,
  endUs: ArrayLike<number>,
  dependencies: readonly number[][],
  resource: readonly number[]
): Map<number, number> {
  const long = resource
    .filter(operation => endUs[operation] - startUs[operation] >= SHORT_US)
    .sort((a, b) => startUs[a] - startUs[b])
  const gaps = new Map<number, number>()
  let latestEndUs = Number.NEGATIVE_INFINITY
  let nextStart = 0
  for (const operation of long) {
    // All that started before this operation: it overlaps the wait if it ends within it or later.
    while (startUs[long[nextStart]] < startUs[operation]) latestEndUs = Math.max(latestEndUs, endUs[long[nextStart++]])
    let readyUs = 0
    for (const dependency of dependencies[operation]) readyUs = Math.max(readyUs, endUs[dependency])
    const waitUs = startUs[operation] - readyUs
    if (waitUs > 0 && latestEndUs <= readyUs) gaps.set(operation, Math.min(waitUs, LONGEST_GAP_US))
  }
  return gaps
}

/** Largest number of these operations, of at least `SHORT_US`, that ran at once. */
export function mostAtOnce(startUs: ArrayLike<number>, endUs: ArrayLike<number>, resource: readonly number[]): number {
  const starts: number[] = []
  const ends: number[] = []
  for (const operation of resource) {
    if (endUs[operation] - startUs[operation] < SHORT_US) continue
    starts.push(startUs[operation])
    ends.push(endUs[operation])
  }
  starts.sort((a, b) => a - b)
  ends.sort((a, b) => a - b)
  let most = 0
  let ended = 0
  starts.forEach((timeUs, started) => {
    while (ends[ended] <= timeUs) ended++
    most = Math.max(most, started + 1 - ended)
  })
  return most
}

interface Hole {
  startUs: number
  durationUs: number
  /** Vertex that ended last before it, and that started first after it; -1 at the edges of the step. */
  before: number
  after: number
}

/** Spans of more than `leastUs` in which nothing ran and nothing was on its way. */
export function findHoles(startUs: ArrayLike<number>, endUs: ArrayLike<number>, spanUs: number, leastUs: number): Hole[] {
  const order = Array.from({ length: startUs.length }, (_, i) => i).sort((a, b) => startUs[a] - startUs[b])
  const holes: Hole[] = []
  let busyUntilUs = 0
  let last = -1
  for (const vertex of order) {
    if (startUs[vertex] - busyUntilUs > leastUs) {
      holes.push({ startUs: busyUntilUs, durationUs: startUs[vertex] - busyUntilUs, before: last, after: vertex })
    }
    if (endUs[vertex] > busyUntilUs) {
      busyUntilUs = endUs[vertex]
      last = vertex
    }
  }
  if (spanUs - busyUntilUs > leastUs)
    holes.push({ startUs: busyUntilUs, durationUs: spanUs - busyUntilUs, before: last, after: -1 })
  return holes
}
