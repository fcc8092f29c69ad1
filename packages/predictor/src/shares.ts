import type { ShareRow } from '@foretrain/core-wasm'
import { defaults, shareDefaults } from './defaults.ts'

export interface Shares {
  pull: ShareRow[]
  push: ShareRow[]
}

/**
 * How flows share a link with others, by the number of others that a connection finds: row n − 1 beside n, the last row beside more.
 *
 * The rows are smooth versions of what raw TCP CUBIC flows did between 200 Mbit/s and 1 Gbit/s with a queue of 5 ms (bench/transport). Outside
 * that range the nearest measured rate holds. A deeper queue lengthens the round trip q, and a newcomer grows by a fixed number of segments
 * a round trip (RFC 9438, Reno-friendly region) towards a window proportional to q: the time it needs goes with q².
 *
 * @param bufferUs depth of the queue in front of a link
 * @param rampUs given by the caller for all rows; 0 = at once
 */
export function sharesOf(goodputBytesPerUs: number, bufferUs: number, rampUs?: number): Shares {
  const { referenceBytesPerUs, fewestBytesPerUs, mostBytesPerUs } = shareDefaults
  const rate = Math.min(Math.max(goodputBytesPerUs, fewestBytesPerUs), mostBytesPerUs) / referenceBytesPerUs
  const depth = (bufferUs / defaults.bufferUs.value) ** 2
  const rows = (direction: 'pull' | 'push') =>
    shareDefaults[direction].map(row => ({
      startWeight: Math.min(1, row.startWeight * rate ** row.startRateExponent),
      rampUs: rampUs ?? Math.min(row.rampUs * rate ** row.rampRateExponent * depth, defaults.longestRampUs.value),
      spread: row.spread
    }))
  return { pull: rows('pull'), push: rows('push') }
}
