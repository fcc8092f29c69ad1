import type { Cluster, ShareRow } from './job.ts'

const EQUAL: ShareRow = { startWeight: 1, rampUs: 0, spread: 0 }

/** The rows of both directions, as many in each: the last goes on for any greater number of others. Empty when all share equally. */
export function shareRows(shares: Cluster['shares']): { pull: ShareRow[]; push: ShareRow[] } {
  const given = { pull: shares?.pull ?? [], push: shares?.push ?? [] }
  const unequal = [...given.pull, ...given.push].some(row => row.spread > 0 || (row.rampUs > 0 && row.startWeight < 1))
  const rows = unequal ? Math.max(given.pull.length, given.push.length) : 0
  const filled = (list: readonly ShareRow[]) => Array.from({ length: rows }, (_, i) => list[Math.min(i, list.length - 1)] ?? EQUAL)
  return { pull: filled(given.pull), push: filled(given.push) }
}

/** Fills the share table at the address `table`. */
export function writeShares(
  view: DataView,
  layout: Readonly<Record<string, number>>,
  table: number,
  shares: Cluster['shares']
): void {
  const { pull, push } = shareRows(shares)
  for (const [i, { startWeight, rampUs, spread }] of [...pull, ...push].entries()) {
    const row = table + i * layout.SHARE_BYTES
    view.setFloat64(row + layout.SHARE_STEP_US, startWeight < 1 ? rampUs / layout.RAMP_STEPS : 0, true)
    view.setFloat64(row + layout.SHARE_SPREAD, spread, true)
    for (const [step, weight] of growingWeights(startWeight, layout.RAMP_STEPS).entries())
      view.setFloat64(row + layout.SHARE_WEIGHTS + 8 * step, weight, true)
  }
}

/** startWeight^(1 − k/steps) for k = 0 … steps. By multiplication alone: a power function may round differently elsewhere. */
function growingWeights(startWeight: number, steps: number): number[] {
  const factor = root(startWeight, steps)
  const weights = [1]
  for (let k = steps - 1; k > 0; k--) weights.unshift(weights[0] * factor)
  return [startWeight, ...weights]
}

/** The degree-th root of 0 < value ≤ 1 by Newton's iteration, which comes down from 1 and stops when it can fall no further. */
function root(value: number, degree: number): number {
  let x = 1
  while (true) {
    let power = 1
    for (let i = 1; i < degree; i++) power *= x
    const next = ((degree - 1) * x + value / power) / degree
    if (next >= x) return x
    x = next
  }
}
