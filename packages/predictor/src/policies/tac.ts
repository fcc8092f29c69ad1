import { countBits, forEachBit, type NeedGroup, neededPulls } from './neededPulls.ts'
import type { Policy, StepGraph } from './policy.ts'

/**
 * Timing-aware communication scheduling (Hashemi, Jyothi, Campbell, "TicTac", SysML 2019; xldrx/tictac, tac.py). Again and again the best
 * of the pulls that are left goes next. With R what is left:
 * - M(r): what r takes alone, `StepGraph.transferUs`. The authors' code reads it off recorded transfers, which hold the wait behind others.
 * - P(r): durations of the compute operations that need r and nothing else of R, summed.
 * - M⁺(r): the least sum of M over what a compute operation needs of R that needs r and more of R; Infinity without such an operation.
 * r goes before q if min(P(q), M(r)) < min(P(r), M(q)); if those are equal, the one with the smaller M⁺, then the one that stands first.
 */
export const tac: Policy = {
  name: 'tac',
  rank(graph) {
    const ranks = new Uint32Array(graph.pulls.length)
    for (const [rank, pull] of bestFirst(graph).entries()) ranks[pull] = rank
    return { pulls: ranks }
  }
}

/** Times in steps of 2⁻¹⁰ µs add up without rounding, so equal sums are equal in whatever order they were added. */
function exactly(us: number): number {
  return Math.round(us * 1024) / 1024
}

/** Positions in `StepGraph.pulls`, in their order. */
function bestFirst(graph: StepGraph): number[] {
  const aloneUs = graph.pulls.map(id => exactly(graph.transferUs[id]))
  const groups = neededPulls(graph).map(group => new Outstanding(group, aloneUs))
  const left = new Set(aloneUs.keys())
  const order: number[] = []
  while (left.size > 0) {
    const directUs = new Float64Array(aloneUs.length)
    for (const { bits, count, durationUs } of groups) {
      if (count !== 1) continue
      forEachBit(bits, pull => {
        directUs[pull] += durationUs
      })
    }
    const jointUs = leastJoint(groups, aloneUs.length)
    let best = -1
    for (const pull of left) if (best < 0 || isBefore(pull, best)) best = pull
    left.delete(best)
    order.push(best)
    for (const group of groups) group.receive(best, aloneUs[best])

    function isBefore(r: number, q: number): boolean {
      const withR = Math.min(directUs[q], aloneUs[r])
      const withQ = Math.min(directUs[r], aloneUs[q])
      return withR !== withQ ? withR < withQ : jointUs[r] < jointUs[q]
    }
  }
  return order
}

/** What a group of compute operations still needs. */
class Outstanding {
  readonly bits: Uint32Array
  readonly durationUs: number
  count: number
  /** Sum of M over it. */
  sumUs = 0

  constructor({ bits, durationUs }: NeedGroup, aloneUs: readonly number[]) {
    this.bits = bits.slice()
    this.durationUs = exactly(durationUs)
    this.count = countBits(bits)
    forEachBit(bits, pull => {
      this.sumUs += aloneUs[pull]
    })
  }

  receive(pull: number, us: number): void {
    const bit = 1 << (pull & 31)
    if ((this.bits[pull >>> 5] & bit) === 0) return
    this.bits[pull >>> 5] ^= bit
    this.count -= 1
    this.sumUs -= us
  }
}

/** M⁺ of each pull: groups in ascending order of their sums, so that the first in which a pull stands has its least. */
function leastJoint(groups: readonly Outstanding[], pulls: number): Float64Array {
  const result = new Float64Array(pulls).fill(Number.POSITIVE_INFINITY)
  const unknown = new Uint32Array((pulls + 31) >>> 5).fill(0xffff_ffff)
  const found = new Uint32Array(unknown.length)
  for (const { bits, sumUs } of groups.filter(({ count }) => count > 1).sort((a, b) => a.sumUs - b.sumUs)) {
    for (let word = 0; word < bits.length; word++) {
      found[word] = bits[word] & unknown[word]
      unknown[word] &= ~bits[word]
    }
    forEachBit(found, pull => {
      result[pull] = sumUs
    })
  }
  return result
}
