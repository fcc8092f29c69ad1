import type { Policy, StepGraph } from './policy.ts'
import { inTopologicalOrder } from './stepGraph.ts'

/**
 * Order of first use: the pull whose shallowest dependent is the least deep goes first, then by name. Depth counts the operations on the
 * longest path from the step's begin that hold a compute slot, and only those are a use: a tensor is often handed through an operation of
 * no length of its own (an Identity, a Cast) that waits for nothing else, and lies at the same depth for every layer. Where no dependent
 * holds a slot, every one counts.
 */
export const fifo: Policy = {
  name: 'fifo',
  rank(graph) {
    const depths = firstUse(graph)
    const name = (position: number) => graph.operations[graph.pulls[position]].name
    const before = (a: number, b: number) =>
      depths[a] - depths[b] || (name(a) < name(b) ? -1 : name(a) > name(b) ? 1 : 0) || graph.pulls[a] - graph.pulls[b]
    const ranks = new Uint32Array(depths.length)
    for (const [rank, position] of [...depths.keys()].sort(before).entries()) ranks[position] = rank
    return { pulls: ranks }
  }
}

/** Of each pull, the depth of its shallowest use; Infinity where nothing waits for it. */
function firstUse(graph: StepGraph): number[] {
  const { operations, durationUs, dependents, pulls } = graph
  const holdsSlot = (id: number) => operations[id].kind === 'compute' && durationUs[id] > 0
  const order = inTopologicalOrder(graph)
  const depth = new Float64Array(operations.length)
  for (const id of order) {
    const deepest = operations[id].dependencies.reduce((most, dependency) => Math.max(most, depth[dependency]), 0)
    depth[id] = deepest + (holdsSlot(id) ? 1 : 0)
  }
  const shallowest = new Float64Array(operations.length).fill(Number.POSITIVE_INFINITY)
  for (const id of order.reverse()) {
    for (const dependent of dependents[id]) {
      const own = holdsSlot(dependent) ? depth[dependent] : Number.POSITIVE_INFINITY
      shallowest[id] = Math.min(shallowest[id], own, shallowest[dependent])
    }
  }
  return pulls.map(id => {
    if (shallowest[id] < Number.POSITIVE_INFINITY || dependents[id].length === 0) return shallowest[id]
    return Math.min(...dependents[id].map(dependent => depth[dependent]))
  })
}
