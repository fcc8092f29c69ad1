import { OperationKind } from '@foretrain/core-wasm'
import { type Node, removeEdge, topologicalOrder, type WorkGraph } from './workGraph.ts'

/** For every node of a graph, the set of nodes from which it can be reached, as bits. */
export class Ancestors {
  readonly order: Node[]
  readonly #position = new Map<number, number>()
  readonly #words: number
  readonly #bits: Uint32Array

  constructor(graph: WorkGraph) {
    this.order = topologicalOrder(graph)
    this.order.forEach((node, position) => {
      this.#position.set(node.id, position)
    })
    this.#words = (this.order.length + 31) >>> 5
    this.#bits = new Uint32Array(this.order.length * this.#words)
    for (const node of this.order) {
      const row = this.#row(node.id)
      for (const id of node.dependencies) {
        const other = this.#row(id)
        // An ancestor stands before its descendants, so the words behind its own position are empty.
        const end = (this.#position.get(id)! >>> 5) + 1
        for (let word = 0; word < end; word++) row[word] |= other[word]
        row[this.#position.get(id)! >>> 5] |= 1 << (this.#position.get(id)! & 31)
      }
    }
  }

  /** Whether `to` cannot start before `from` has completed. */
  has(from: number, to: number): boolean {
    const position = this.#position.get(from)!
    return (this.#row(to)[position >>> 5] & (1 << (position & 31))) !== 0
  }

  #row(id: number): Uint32Array {
    const start = this.#position.get(id)! * this.#words
    return this.#bits.subarray(start, start + this.#words)
  }
}

/**
 * Removes every edge a→c beside a path a→b→…→c: the completion of b implies that of a, so c becomes ready at the same time without it.
 */
export function removeRedundantEdges(graph: WorkGraph, ancestors: Ancestors): void {
  for (const node of ancestors.order) {
    const dependencies = [...node.dependencies]
    if (dependencies.length < 2) continue
    for (const from of dependencies) {
      if (dependencies.some(between => between !== from && ancestors.has(from, between))) removeEdge(graph, from, node.id)
    }
  }
}

/**
 * For each compute node and each delay, how many compute nodes may be in progress beside it: those that are neither its ancestors nor its
 * descendants.
 */
export function concurrentComputes(ancestors: Ancestors): Map<number, number> {
  const computes = ancestors.order.filter(node => node.kind === OperationKind.compute)
  const result = new Map<number, number>()
  for (const node of ancestors.order) {
    if (node.kind !== OperationKind.compute && node.kind !== OperationKind.delay) continue
    let beside = 0
    for (const other of computes)
      if (other !== node && !ancestors.has(other.id, node.id) && !ancestors.has(node.id, other.id)) beside += 1
    result.set(node.id, beside)
  }
  return result
}
