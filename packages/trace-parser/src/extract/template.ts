import type { SharedOperations, SharedTransfers } from './align.ts'
import type { Roles } from './roles.ts'
import { median } from './statistics.ts'
import type { StepTimes } from './times.ts'
import { sortTopologically } from './topology.ts'

/** Which operations and transfers make up the profile, in which order, and what each waits for. */
export interface Template {
  /** Operations, then transfers, as `Graph` numbers them: 1 where it belongs to the profile. */
  kept: Uint8Array
  /** What was kept, in topological order, ties by median recorded start. */
  vertices: number[]
  /** Where in `vertices` each stands; -1 for what was not kept. */
  place: Int32Array
  /** Dependencies among what was kept, hidden ones included. */
  driven: number[][]
}

/**
 * Settles the profile's operations.
 *
 * @param found hidden dependencies; those that would close a cycle are removed from it
 */
export function makeTemplate(
  dependencies: readonly number[][],
  found: Map<number, number>,
  shared: SharedOperations,
  transfers: SharedTransfers,
  roles: Roles,
  steps: readonly StepTimes[]
): Template {
  const all = withHidden(dependencies, found)
  const kept = keepDriven(all, sortTopologically(all).order, shared, transfers, roles)
  const driven = all.map((list, vertex) => (kept[vertex] === 1 ? list.filter(dependency => kept[dependency] === 1) : []))
  const startUs = driven.map((_, vertex) => median(steps.map(step => step.startUs[vertex])))
  const vertices = sortTopologically(driven, startUs).order.filter(vertex => kept[vertex] === 1)
  const place = new Int32Array(driven.length).fill(-1)
  vertices.forEach((vertex, i) => {
    place[vertex] = i
  })
  return { kept, vertices, place, driven }
}

/** Adds hidden dependencies that do not close a cycle; a found one that would is forgotten. */
function withHidden(dependencies: readonly number[][], found: Map<number, number>): number[][] {
  if (found.size === 0) return dependencies.map(list => [...list])
  const all = dependencies.map((list, vertex) => (found.has(vertex) ? [...list, found.get(vertex)!] : [...list]))
  for (const vertex of sortTopologically(all).cyclic) {
    if (!found.has(vertex)) continue
    found.delete(vertex)
    all[vertex] = [...dependencies[vertex]]
  }
  return all
}

/**
 * Operations and transfers that belong to the template: everything but server operations without a push among their ancestors. Those
 * produce what is pulled, depend on the step's start alone, and are covered by the recorded order of the pulls.
 */
function keepDriven(
  dependencies: readonly number[][],
  order: readonly number[],
  shared: SharedOperations,
  transfers: SharedTransfers,
  roles: Roles
): Uint8Array {
  const operationCount = shared.operations.length
  const afterPush = new Uint8Array(dependencies.length)
  const kept = new Uint8Array(dependencies.length).fill(1)
  for (const vertex of order) {
    const isPush = vertex >= operationCount && transfers.transfers[vertex - operationCount].source === roles.worker
    afterPush[vertex] = isPush || dependencies[vertex].some(dependency => afterPush[dependency] === 1) ? 1 : 0
    if (vertex < operationCount && shared.operations[vertex].task !== roles.worker) kept[vertex] = afterPush[vertex]
  }
  return kept
}
