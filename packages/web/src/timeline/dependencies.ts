import { endUs, type Slices } from './slices.ts'

/**
 * What led to a slice, and what it led to, within its step: an operation is a chain of slices (a wait, bytes on the wire, their parsing); the first
 * of a chain follows the last ones of the operations that it waits for.
 */
export class Dependencies {
  /** Operations that wait for operation o. */
  private readonly dependents: number[][]
  /** Of the step that was asked for last: operation → its slices, by their starts. */
  private chains = new Map<number, number[]>()
  private step = -1

  constructor(private readonly slices: Slices) {
    const { name } = slices.operations
    this.dependents = name.map(() => [])
    for (let id = 0; id < name.length; id++) for (const other of this.dependenciesOf(id)) this.dependents[other].push(id)
  }

  /** Slices that this one followed; the one that ended last, for which it waited longest, in front. */
  before(slice: number): number[] {
    const { operation, step } = this.slices
    if (operation[slice] < 0) return []
    const chains = this.chainsOf(step[slice])
    const own = chains.get(operation[slice]) ?? []
    const place = own.indexOf(slice)
    if (place > 0) return [own[place - 1]]
    return Array.from(this.dependenciesOf(operation[slice]))
      .flatMap(id => chains.get(id)?.slice(-1) ?? [])
      .sort((a, b) => endUs(this.slices, b) - endUs(this.slices, a) || a - b)
  }

  /** Slices that followed this one; the one that began first in front. */
  after(slice: number): number[] {
    const { operation, step, startUs } = this.slices
    if (operation[slice] < 0) return []
    const chains = this.chainsOf(step[slice])
    const own = chains.get(operation[slice]) ?? []
    const place = own.indexOf(slice)
    if (place + 1 < own.length) return [own[place + 1]]
    return this.dependents[operation[slice]]
      .flatMap(id => chains.get(id)?.slice(0, 1) ?? [])
      .sort((a, b) => startUs[a] - startUs[b] || a - b)
  }

  private dependenciesOf(operation: number): Uint32Array {
    const { dependencies, dependencyStart } = this.slices.operations
    return dependencies.subarray(dependencyStart[operation], dependencyStart[operation + 1])
  }

  /** Looks through all slices for those of a step: less work than an index of all steps, of which few are asked for. */
  private chainsOf(wanted: number): Map<number, number[]> {
    if (wanted === this.step) return this.chains
    const { step, operation, startUs } = this.slices
    const chains = new Map<number, number[]>()
    for (let slice = 0; slice < step.length; slice++) {
      if (step[slice] !== wanted || operation[slice] < 0) continue
      const chain = chains.get(operation[slice])
      if (chain === undefined) chains.set(operation[slice], [slice])
      else chain.push(slice)
    }
    for (const chain of chains.values())
      chain.sort((a, b) => startUs[a] - startUs[b] || endUs(this.slices, a) - endUs(this.slices, b))
    this.step = wanted
    this.chains = chains
    return chains
  }
}
