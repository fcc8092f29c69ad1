import { OperationKind } from '@foretrain/core-wasm'
import { presentNodes, removeEdge, removeNode, topologicalOrder, type WorkGraph } from './workGraph.ts'

/** An edge that binds only where steps are so many times shorter than the recorded ones is not worth its events. */
const farLater = 100

/**
 * Removes operations whose completion does not depend on the cluster.
 *
 * A delay all of whose dependencies are such delays ("fixed") completes at a time T that is known for each template: the latest T of
 * its dependencies, or its release, plus its amount. Two consequences that change no completion time, and a third that does so only where steps are far shorter
 * than the recorded ones:
 * - An operation that depends only on fixed ones becomes ready at the latest T: it is a root with that release.
 * - An edge from a fixed operation to one that also waits for something which cannot complete before T in any template never binds.
 *   The lower bound follows releases and delays through the graph and counts compute, updates and transfers as taking no time,
 *   so it holds for every speed of cluster.
 * - Such an edge is also removed if the other was recorded to complete at least `farLater` times as late as T in every template. What follows is then
 *   earlier by T at most.
 * A fixed operation without dependents matters only for the end of the step; it goes when another operation cannot end before it.
 */
export function foldFixedTimes(graph: WorkGraph): void {
  const order = topologicalOrder(graph)
  const fixedUs = new Map<number, Float64Array>()
  const earliestUs: Float64Array[] = []
  const latestOfEarliestUs = new Float64Array(graph.templates)
  for (const node of order) {
    const readyUs = node.releaseUs ?? latest(graph.templates, node.dependencies, earliestUs)
    const takes = node.kind === OperationKind.delay
    const endUs = takes ? readyUs.map((time, template) => time + node.amount[template]) : readyUs
    earliestUs[node.id] = endUs
    if (takes && (node.releaseUs || allIn(node.dependencies, fixedUs))) fixedUs.set(node.id, endUs)
    else if (!fixedUs.has(node.id))
      for (let t = 0; t < endUs.length; t++) latestOfEarliestUs[t] = Math.max(latestOfEarliestUs[t], endUs[t])
  }
  for (const node of order) {
    if (node.dependencies.size === 0) continue
    const fixed = [...node.dependencies].filter(id => fixedUs.has(id))
    if (fixed.length === 0) continue
    if (fixed.length === node.dependencies.size) {
      node.releaseUs = latest(graph.templates, fixed, earliestUs)
      for (const id of fixed) removeEdge(graph, id, node.id)
      continue
    }
    const others = [...node.dependencies].filter(id => !fixedUs.has(id))
    for (const id of fixed) {
      const timeUs = fixedUs.get(id)!
      const farLaterUs = timeUs.map(time => farLater * time)
      const neverBinds = (other: number) =>
        everyAtLeast(earliestUs[other], timeUs) || everyAtLeast(graph.nodes[other]!.recordedEndUs, farLaterUs)
      if (others.some(neverBinds)) removeEdge(graph, id, node.id)
    }
  }
  for (const node of presentNodes(graph)) {
    const timeUs = fixedUs.get(node.id)
    if (timeUs && node.dependents.size === 0 && everyAtLeast(latestOfEarliestUs, timeUs)) removeNode(graph, node)
  }
}

function latest(templates: number, ids: Iterable<number>, timesUs: Float64Array[]): Float64Array {
  const result = new Float64Array(templates)
  for (const id of ids) for (let t = 0; t < templates; t++) result[t] = Math.max(result[t], timesUs[id][t])
  return result
}

function allIn(ids: Iterable<number>, known: ReadonlyMap<number, unknown>): boolean {
  for (const id of ids) if (!known.has(id)) return false
  return true
}

function everyAtLeast(timesUs: Float64Array, boundsUs: Float64Array): boolean {
  return timesUs.every((time, template) => time >= boundsUs[template])
}
