import { OperationKind } from '@foretrain/core-wasm'
import { defaults } from '../defaults.ts'
import { type Node, presentNodes, removeNode, type WorkGraph } from './workGraph.ts'

/** What a stream may send at once in the smallest window that gRPC starts with. */
const smallestWindowBytes = defaults.firstWindowBytes.value - defaults.windowShortfallBytes.value

/** Which transfers may be merged. */
export interface MergeOptions {
  pulls: boolean
  pushes: boolean
  /** Of a merged transfer, beyond what fits in the window. */
  mostBytes: number
}

/**
 * Merges small transfers that the same operations wait for into one that stands for as many messages. In many models most tensors are biases and
 * scales of a few kB: they are half of the transfers and a thousandth of the bytes.
 *
 * - Pushes that become ready at one time, because they wait for the same, lie side by side on their connection: the last byte of the merged one is sent
 *   when the last of theirs was.
 * - Pulls without dependencies that the same operations wait for are released when the last of them was, or have the place of the last in another order. What stood behind the earlier ones comes by
 *   their wire time earlier; the last byte that anybody waits for comes when it came before, because the same bytes are in front of it. The bytes that
 *   move are at most `mergedShare` of what the worker pulls from the server.
 *
 * Together they fit in the smallest HTTP/2 window, so that none is cut into turns. Messages of a merged transfer are parsed one after the other:
 * later by at most `budgetUs` than side by side, and at the same cost to the host.
 *
 * @param budgetUs by which a transfer may be complete later
 */
export function mergeTransfers(
  graph: WorkGraph,
  { pulls: ofPulls, pushes: ofPushes, mostBytes }: MergeOptions,
  budgetUs: number
): void {
  const mostMessages = 1 + Math.floor(budgetUs / defaults.parseFixedUs.value)
  if (mostMessages < 2) return
  const most = { messages: mostMessages, bytes: Math.min(mostBytes, smallestWindowBytes) }
  if (ofPushes) {
    const pushes = [...presentNodes(graph)].filter(({ kind }) => kind === OperationKind.push)
    for (const group of groupsOf(pushes, ({ dependencies }) => dependencies)) merge(graph, fitTogether(group, most))
  }
  if (ofPulls) {
    const pulls = [...presentNodes(graph)].filter(({ kind, releaseUs }) => kind === OperationKind.pull && releaseUs !== null)
    for (const group of groupsOf(smallest(pulls), ({ dependents }) => dependents)) merge(graph, fitTogether(group, most))
  }
}

/** Those with the fewest bytes, up to the share of each server's pulls that may move. */
function smallest(pulls: readonly Node[]): Node[] {
  const leftBytes: number[] = []
  for (const { server, amount } of pulls) leftBytes[server] = (leftBytes[server] ?? 0) + defaults.mergedShare.value * mean(amount)
  return bySize(pulls).filter(({ server, amount }) => {
    leftBytes[server] -= largest(amount)
    return leftBytes[server] >= 0
  })
}

/** Those of two and more nodes that have the same server and the same neighbours; of nodes with none there, each is alone. */
function groupsOf(nodes: readonly Node[], neighbours: (node: Node) => ReadonlySet<number>): Node[][] {
  const groups = new Map<string, Node[]>()
  for (const node of nodes) {
    const others = neighbours(node)
    if (others.size === 0) continue
    const key = `${node.server}:${[...others].sort((a, b) => a - b).join()}`
    const group = groups.get(key)
    if (group) group.push(node)
    else groups.set(key, [node])
  }
  return [...groups.values()].filter(group => group.length > 1)
}

/** The smallest of a group, as many as go together. */
function fitTogether(group: readonly Node[], most: { messages: number; bytes: number }): Node[] {
  const sorted = bySize(group)
  let bytes = 0
  const count = sorted.findIndex(({ amount }) => {
    bytes += largest(amount)
    return bytes > most.bytes
  })
  return sorted.slice(0, Math.min(most.messages, count < 0 ? sorted.length : count))
}

function bySize(nodes: readonly Node[]): Node[] {
  return [...nodes].sort((a, b) => largest(a.amount) - largest(b.amount) || a.id - b.id)
}

/** Into the last one, which keeps its place. */
function merge(graph: WorkGraph, group: readonly Node[]): void {
  if (group.length < 2) return
  const into = group.reduce((last, node) => (node.id > last.id ? node : last))
  for (const node of group) {
    if (node === into) continue
    for (let template = 0; template < graph.templates; template++) {
      into.amount[template] += node.amount[template]
      if (into.releaseUs && node.releaseUs) into.releaseUs[template] = Math.max(into.releaseUs[template], node.releaseUs[template])
    }
    into.standsFor.unshift(...node.standsFor)
    for (const id of node.dependents) {
      into.dependents.add(id)
      graph.nodes[id]!.dependencies.add(into.id)
    }
    removeNode(graph, node)
  }
}

function largest(values: Float64Array): number {
  return values.reduce((most, value) => Math.max(most, value), 0)
}

function mean(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
