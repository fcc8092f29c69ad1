import { forEachBit, neededPulls } from './neededPulls.ts'
import type { Policy } from './policy.ts'

/**
 * Timing-independent communication scheduling (Hashemi, Jyothi, Campbell, "TicTac", SysML 2019; the authors' code, xldrx/tictac, tic.py).
 * M⁺ of a pull is the smallest number of pulls that a compute operation needs which needs this one and at least one more; Infinity
 * without such an operation. Ascending M⁺; equal ones share one rank, the number of pulls before them.
 */
export const tic: Policy = {
  name: 'tic',
  rank(graph) {
    const fewest = new Float64Array(graph.pulls.length).fill(Number.POSITIVE_INFINITY)
    for (const { bits, count } of neededPulls(graph)) {
      if (count < 2) continue
      forEachBit(bits, pull => {
        fewest[pull] = Math.min(fewest[pull], count)
      })
    }
    const sorted = Float64Array.from(fewest).sort()
    return { pulls: Array.from(fewest, count => sorted.indexOf(count)) }
  }
}
