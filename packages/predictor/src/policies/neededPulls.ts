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
  // Most operations need what one of their dependencies does, and share its set: a large graph has few sets.
  const groupOfSet = new Map<Uint32Array, NeedGroup>()
  for (const id of inTopologicalOrder(graph)) {
    const { dependencies, kind } = graph.operations[id]
    const own = new Uint32Array(words)
    for (const dependency of dependencies) for (let word = 0; word < words; word++) own[word] |= needs[dependency][word]
    const pull = position.get(id)
    if (pull !== undefined) own[pull >>> 5] |= 1 << (pull & 31)
    const same = dependencies.find(dependency => needs[dependency].every((bits, word) => bits === own[word]))
    const set = same === undefined ? own : needs[same]
    needs[id] = set
    if (kind !== 'compute') continue
    let group = groupOfSet.get(set)
    if (group === undefined) {
      const count = countBits(set)
      if (count === 0) continue
      const key = set.join()
      group = groups.get(key) ?? { bits: set, count, durationUs: 0 }
      groups.set(key, group)
      groupOfSet.set(set, group)
    }
    group.durationUs += graph.durationUs[id]
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
