import { OperationKind } from '@foretrain/core-wasm'
import { foldFixedTimes } from './fixedTimes.ts'
import { Ancestors, concurrentComputes, removeRedundantEdges } from './reachability.ts'
import { joinsWithoutGrowth, joinThrough, type Node, presentNodes, topologicalOrder, type WorkGraph } from './workGraph.ts'

/** Above this many nodes the rules that look at all pairs of operations are left out: they would take seconds. */
const mostNodesForPairs = 5000

/**
 * Shrinks the graph to what can make a difference. All rules but the last leave every completion time of what remains as it was, for
 * any cluster; each states why beside its code. The last drops delays, at most `budgetUs` of them along any path.
 *
 * @param computeSlots compute operations that the worker runs at once
 * @returns the largest sum of dropped delays along a path, µs
 */
export function contract(graph: WorkGraph, computeSlots: number, budgetUs: number): number {
  foldFixedTimes(graph)
  shrinkDelays(graph)
  contractPairs(graph, computeSlots)
  shrinkDelays(graph)
  const droppedUs = dropDelays(graph, budgetUs)
  contractPairs(graph, computeSlots)
  foldFixedTimes(graph)
  return droppedUs
}

function contractPairs(graph: WorkGraph, computeSlots: number): void {
  if ([...presentNodes(graph)].length > mostNodesForPairs) return
  const ancestors = new Ancestors(graph)
  removeRedundantEdges(graph, ancestors)
  mergeSerialCompute(graph, concurrentComputes(ancestors), computeSlots)
}

/** Applies the rules for delays until none applies. */
function shrinkDelays(graph: WorkGraph): void {
  for (let changed = true; changed; ) {
    changed = false
    for (const node of topologicalOrder(graph)) {
      if (graph.nodes[node.id] !== node || node.kind !== OperationKind.delay || node.dependencies.size === 0) continue
      changed = joinZero(graph, node) || foldIntoDelays(graph, node) || changed
    }
  }
}

/** A delay of 0 completes when its last dependency does: its dependents may as well wait for those. */
function joinZero(graph: WorkGraph, node: Node): boolean {
  if (!joinsWithoutGrowth(node) || node.amount.some(amount => amount !== 0)) return false
  joinThrough(graph, node)
  return true
}

/**
 * A delay p whose dependents all are delays that wait for nothing else: each completes at (latest dependency of p) + p + its own, so p's
 * amount goes into each of them.
 */
function foldIntoDelays(graph: WorkGraph, node: Node): boolean {
  if (node.dependents.size === 0 || !joinsWithoutGrowth(node)) return false
  for (const id of node.dependents) {
    const dependent = graph.nodes[id]!
    if (dependent.kind !== OperationKind.delay || dependent.dependencies.size !== 1) return false
  }
  for (const id of node.dependents) absorb(graph.nodes[id]!, node)
  joinThrough(graph, node)
  return true
}

/**
 * Merges a→b where b waits only for a, only b waits for a, and each is compute or a delay. A slot is then held where it was given back
 * in between (or was not held during a delay). That shows only if another compute operation wants a slot meanwhile; those that may be
 * in progress beside a are the ones ordered neither before nor after it, and if they are fewer than the slots nobody ever waits. A delay
 * that is merged into compute is scaled with it where a worker is slower: at most ε a time.
 */
function mergeSerialCompute(graph: WorkGraph, beside: ReadonlyMap<number, number>, computeSlots: number): void {
  for (const node of topologicalOrder(graph)) {
    if (!beside.has(node.id) || node.dependents.size !== 1 || beside.get(node.id)! >= computeSlots) continue
    const next = graph.nodes[[...node.dependents][0]]!
    if (!beside.has(next.id) || next.dependencies.size !== 1) continue
    absorb(next, node)
    if (node.kind === OperationKind.compute) next.kind = OperationKind.compute
    if (node.releaseUs) next.releaseUs = node.releaseUs
    joinThrough(graph, node)
  }
}

function absorb(into: Node, node: Node): void {
  for (let template = 0; template < into.amount.length; template++) into.amount[template] += node.amount[template]
  into.standsFor.unshift(...node.standsFor)
}

/**
 * Joins through delays as long as no path from a root loses more than `budgetUs` in any template: then no operation becomes ready earlier by
 * more than that, apart from what a changed order in a queue does.
 */
function dropDelays(graph: WorkGraph, budgetUs: number): number {
  if (budgetUs <= 0) return 0
  const lostUs = new Map<number, Float64Array>()
  let mostUs = 0
  for (const node of topologicalOrder(graph)) {
    // What was lost on edges from dropped delays was noted when they were dropped.
    const lost = lostUs.get(node.id) ?? new Float64Array(graph.templates)
    for (const id of node.dependencies) raise(lost, lostUs.get(id)!)
    lostUs.set(node.id, lost)
    if (node.kind !== OperationKind.delay || node.dependencies.size === 0 || !joinsWithoutGrowth(node)) continue
    const withNode = lost.map((us, template) => us + node.amount[template])
    const worstUs = withNode.reduce((most, us) => Math.max(most, us), 0)
    if (worstUs > budgetUs) continue
    mostUs = Math.max(mostUs, worstUs)
    for (const id of node.dependents) {
      const inherited = lostUs.get(id)
      if (inherited) raise(inherited, withNode)
      else lostUs.set(id, withNode.slice())
    }
    joinThrough(graph, node)
  }
  return mostUs
}

function raise(values: Float64Array, to: Float64Array): void {
  for (let i = 0; i < values.length; i++) values[i] = Math.max(values[i], to[i])
}
