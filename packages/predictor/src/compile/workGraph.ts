import { OperationKind } from '@foretrain/core-wasm'
import type { Profile } from '@foretrain/trace-parser'
import { median } from '../statistics/quantile.ts'

/** One operation while the graph is contracted. Arrays hold one value a template. */
export interface Node {
  /** Index of the profile's operation whose place it takes: the last one of a chain. */
  id: number
  kind: OperationKind
  server: number
  /** µs or bytes. */
  amount: Float64Array
  /** µs after the step's start at which an operation without dependencies becomes ready; null while it has dependencies. */
  releaseUs: Float64Array | null
  /** µs after the step's start at which it completed when it was recorded. */
  recordedEndUs: Float64Array
  dependencies: Set<number>
  dependents: Set<number>
  /** Profile operations that it stands for. */
  standsFor: number[]
}

/** Nodes by `id`; undefined where an operation was contracted away. */
export interface WorkGraph {
  templates: number
  nodes: Array<Node | undefined>
}

const kinds = {
  compute: OperationKind.compute,
  update: OperationKind.update,
  pull: OperationKind.pull,
  push: OperationKind.push
} as const

/**
 * The profile's graph, one node an operation. Compute and updates whose median duration is below `epsilonUs` become delays: the median,
 * because the kind holds for all templates and one hiccup makes no kernel of an identity.
 *
 * @param pullReleaseShiftUs added to the recorded start of pulls
 */
export function buildGraph(profile: Profile, epsilonUs: number, pullReleaseShiftUs: number): WorkGraph {
  const { operations, steps } = profile
  const nodes = operations.map((operation, id): Node => {
    const transfer = operation.kind === 'pull' || operation.kind === 'push'
    const inline = !transfer && median(steps.map(step => step.durationUs[id])) < epsilonUs
    const amount = Float64Array.from(steps, step => Math.max(0, transfer ? operation.bytes : step.durationUs[id] + step.gapUs[id]))
    const shiftUs = operation.kind === 'pull' ? pullReleaseShiftUs : 0
    return {
      id,
      kind: inline ? OperationKind.delay : kinds[operation.kind],
      server: inline || operation.kind === 'compute' ? 0 : operation.server,
      amount,
      releaseUs: operation.dependencies.length > 0 ? null : Float64Array.from(steps, step => rootReleaseUs(step, id, shiftUs)),
      recordedEndUs: Float64Array.from(steps, step => step.endUs[id]),
      dependencies: new Set(operation.dependencies),
      dependents: new Set(),
      standsFor: [id]
    }
  })
  steps.forEach((step, template) => {
    for (const [id, bytes] of step.bytes ?? []) nodes[id].amount[template] = bytes
  })
  for (const node of nodes) for (const dependency of node.dependencies) nodes[dependency].dependents.add(node.id)
  return { templates: steps.length, nodes }
}

/** A root holds its slot for its gap first, so that is when it becomes ready. */
function rootReleaseUs(step: Profile['steps'][number], id: number, shiftUs: number): number {
  return Math.max(0, step.startUs[id] - step.gapUs[id] + shiftUs)
}

export function* presentNodes(graph: WorkGraph): Generator<Node> {
  for (const node of graph.nodes) if (node) yield node
}

/** Dependencies first; among independent operations in ascending id. */
export function topologicalOrder(graph: WorkGraph): Node[] {
  const missing = new Map<number, number>()
  const order: Node[] = []
  for (const node of presentNodes(graph)) {
    missing.set(node.id, node.dependencies.size)
    if (node.dependencies.size === 0) order.push(node)
  }
  for (let i = 0; i < order.length; i++) {
    for (const id of order[i].dependents) {
      const left = missing.get(id)! - 1
      missing.set(id, left)
      if (left === 0) order.push(graph.nodes[id]!)
    }
  }
  if (order.length !== missing.size) throw new Error('the graph of the profile has a cycle')
  return order
}

export function removeEdge(graph: WorkGraph, from: number, to: number): void {
  graph.nodes[from]!.dependents.delete(to)
  graph.nodes[to]!.dependencies.delete(from)
}

function addEdge(graph: WorkGraph, from: number, to: number): void {
  graph.nodes[from]!.dependents.add(to)
  graph.nodes[to]!.dependencies.add(from)
}

/** Takes a node with all its edges out of the graph. */
export function removeNode(graph: WorkGraph, node: Node): void {
  for (const id of node.dependencies) graph.nodes[id]!.dependents.delete(node.id)
  for (const id of node.dependents) graph.nodes[id]!.dependencies.delete(node.id)
  graph.nodes[node.id] = undefined
}

/** Takes a node out and makes its dependents wait for its dependencies. */
export function joinThrough(graph: WorkGraph, node: Node): void {
  for (const from of node.dependencies) for (const to of node.dependents) addEdge(graph, from, to)
  removeNode(graph, node)
}

/** Whether joining through the node leaves no more edges than there were. */
export function joinsWithoutGrowth(node: Node): boolean {
  const before = node.dependencies.size + node.dependents.size
  return node.dependencies.size * node.dependents.size <= before
}
