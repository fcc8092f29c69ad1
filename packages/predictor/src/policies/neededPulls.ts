import type { StepGraph } from './policy.ts'
import { inTopologicalOrder } from './stepGraph.ts'

/** Compute operations that need the same pulls. */
export interface NeedGroup {
  /** Bit p is set when they need the pull `StepGraph.pulls[p]`. */
  bits: Uint32Array
  /** Pulls that they need. */
  count: number
  /** Sum of their durations, µs. */
  durationUs: number
}

/** The compute operations by the set of pulls among their ancestors; those that need none are left out. Bits as in `NeedGroup`. */
export function neededPulls(graph: StepGraph): NeedGroup[] {
  const words = (graph.pulls.length + 31) >>> 5
  const position = new Map(graph.pulls.map((id, index) => [id, index]))
  const needs: Uint32Array[] = []
  const groups = new Map<string, NeedGroup>()
  for (const id of inTopologicalOrder(graph)) {
    const own = new Uint32Array(words)
    for (const dependency of graph.operations[id].dependencies)
      for (let word = 0; word < words; word++) own[word] |= needs[dependency][word]
    const pull = position.get(id)
    if (pull !== undefined) own[pull >>> 5] |= 1 << (pull & 31)
    needs[id] = own
    if (graph.operations[id].kind !== 'compute') continue
    const count = countBits(own)
    if (count === 0) continue
    const key = own.join()
    const group = groups.get(key) ?? { bits: own, count, durationUs: 0 }
    group.durationUs += graph.durationUs[id]
    groups.set(key, group)
  }
  return [...groups.values()]
}

export function countBits(bits: Uint32Array): number {
  let count = 0
  forEachBit(bits, () => {
    count += 1
  })
  return count
}

/** Calls for each bit that is set, ascending. */
export function forEachBit(bits: Uint32Array, visit: (index: number) => void): void {
  for (let word = 0; word < bits.length; word++)
    for (let rest = bits[word]; rest !== 0; rest &= rest - 1) visit(32 * word + 31 - Math.clz32(rest & -rest))
}
