import { endUs, type Slices } from './slices.ts'

/**
 * What led to a slice, and what it led to, within its step: an operation is a chain of slices (a wait, bytes on the wire, their parsing); the first
 * of a chain follows the last ones of the operations that it waits for.
 */
export class Dependencies {
  /** Slices of operation o of step s, by their starts, from `[s · operations + o]` on. */
  private readonly chainStart: Uint32Array
  private readonly chains: Uint32Array
  /** As `dependencyStart` and `dependencies`, the other way. */
  private readonly dependentStart: Uint32Array
  private readonly dependents: Uint32Array
  private readonly operations: number

  constructor(private readonly slices: Slices) {
    const { operation, step, startUs, steps, operations } = slices
    this.operations = operations.name.length
    const keyOf = (slice: number) => step[slice] * this.operations + operation[slice]
    const ofOperations = Uint32Array.from(startUs.keys()).filter(slice => operation[slice] >= 0)
    const chains = grouped(steps.worker.length * this.operations, ofOperations, keyOf)
    this.chainStart = chains.start
    this.chains = chains.items
    for (let key = 0; key + 1 < this.chainStart.length; key++)
      this.chains
        .subarray(this.chainStart[key], this.chainStart[key + 1])
        .sort((a, b) => startUs[a] - startUs[b] || endUs(slices, a) - endUs(slices, b))
    const { dependencies, dependencyStart } = operations
    /** Of each dependency, the operation that has it. */
    const owner = new Uint32Array(dependencies.length)
    for (let id = 0; id < this.operations; id++) owner.fill(id, dependencyStart[id], dependencyStart[id + 1])
    const dependents = grouped(this.operations, Uint32Array.from(dependencies.keys()), place => dependencies[place])
    this.dependentStart = dependents.start
    this.dependents = dependents.items.map(place => owner[place])
  }

  /** Slices that this one followed; the one that ended last, for which it waited longest, in front. */
  before(slice: number): number[] {
    const { operations, operation, step } = this.slices
    if (operation[slice] < 0) return []
    const chain = this.chain(step[slice], operation[slice])
    const place = chain.indexOf(slice)
    if (place > 0) return [chain[place - 1]]
    const { dependencies, dependencyStart } = operations
    const own = dependencies.subarray(dependencyStart[operation[slice]], dependencyStart[operation[slice] + 1])
    return [...own]
      .flatMap(id => [...this.chain(step[slice], id)].slice(-1))
      .sort((a, b) => endUs(this.slices, b) - endUs(this.slices, a) || a - b)
  }

  /** Slices that followed this one; the one that began first in front. */
  after(slice: number): number[] {
    const { operation, step, startUs } = this.slices
    if (operation[slice] < 0) return []
    const chain = this.chain(step[slice], operation[slice])
    const place = chain.indexOf(slice)
    if (place + 1 < chain.length) return [chain[place + 1]]
    const own = this.dependents.subarray(this.dependentStart[operation[slice]], this.dependentStart[operation[slice] + 1])
    return [...own].flatMap(id => [...this.chain(step[slice], id)].slice(0, 1)).sort((a, b) => startUs[a] - startUs[b] || a - b)
  }

  private chain(step: number, operation: number): Uint32Array {
    const key = step * this.operations + operation
    return this.chains.subarray(this.chainStart[key], this.chainStart[key + 1])
  }
}

/** Items by the numbers that they have, `[key]` from `start[key]` on; those of one number in the order that they had. */
function grouped(keys: number, items: Uint32Array, keyOf: (item: number) => number): { start: Uint32Array; items: Uint32Array } {
  const start = new Uint32Array(keys + 1)
  for (const item of items) start[keyOf(item) + 1]++
  for (let key = 0; key < keys; key++) start[key + 1] += start[key]
  const next = start.slice()
  const sorted = new Uint32Array(items.length)
  for (const item of items) sorted[next[keyOf(item)]++] = item
  return { start, items: sorted }
}
