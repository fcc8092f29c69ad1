import type { ShareRow } from '@foretrain/core-wasm'
import { defaults, type ShareDefault, shareDefaults } from './defaults.ts'

/** Rows of the simulator's share table, by direction: row i is for a connection that turns busy beside i + 1 others. */
export interface Shares {
  pull: ShareRow[]
  push: ShareRow[]
}

/**
 * How flows share a link with others, by the number of others that a connection finds: row n − 1 beside n, the last row beside more.
 *
 * The rows are smooth versions of what raw TCP CUBIC flows did between 200 Mbit/s and 1 Gbit/s with a queue of 5 ms (bench/transport). Outside
 * that range the nearest measured rate holds. With a queue of 40 ms the same flows showed that depth acts differently at the two ends: pulls
 * meet in the queue of the host that sends them, which holds them back instead of dropping when it is deep enough, and share equally;
 * pushes meet in the queue of a port that drops, and newcomers need longer the deeper it is. In between: by the logarithm of the depth.
 *
 * @param bufferUs depth of the queue in front of a link
 * @param rampUs given by the caller for all rows; 0 = at once
 */
export function sharesOf(goodputBytesPerUs: number, bufferUs: number, rampUs?: number): Shares {
  const { referenceBytesPerUs, fewestBytesPerUs, mostBytesPerUs, fairPullBufferUs, pushRampDepthExponent } = shareDefaults
  const rate = Math.min(Math.max(goodputBytesPerUs, fewestBytesPerUs), mostBytesPerUs) / referenceBytesPerUs
  const depth = Math.max(bufferUs, 1) / defaults.bufferUs.value
  // 1 at the depth at which the rows were measured and below it, 0 where pulls share equally.
  const unfairness = Math.min(1, Math.max(0, 1 - Math.log(depth) / Math.log(fairPullBufferUs / defaults.bufferUs.value)))
  const rowOf = (row: ShareDefault, unfair: number, rampFactor: number): ShareRow => ({
    startWeight: Math.min(1, row.startWeight * rate ** row.startRateExponent) ** unfair,
    rampUs: rampUs ?? Math.min(row.rampUs * rate ** row.rampRateExponent * rampFactor, defaults.longestRampUs.value),
    spread: row.spread * unfair
  })
  return {
    pull: shareDefaults.pull.map(row => rowOf(row, unfairness, unfairness)),
    push: shareDefaults.push.map(row => rowOf(row, 1, depth ** pushRampDepthExponent))
  }
}
