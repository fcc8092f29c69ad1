import type { Profile } from '@foretrain/trace-parser'
import { median } from '../statistics/quantile.ts'
import { stepBytes } from './stepBytes.ts'

/**
 * Bytes of all pulls over the time they took together, median over steps. All pulls are asked for at the start of a step, so they keep
 * the link busy until the last has come. Without pulls: pushes alike, which is too low where compute holds them up; Infinity without any.
 */
export function roughGoodput(profile: Profile): number {
  for (const kind of ['pull', 'push']) {
    const ids = profile.operations.flatMap((operation, id) => (operation.kind === kind && operation.bytes > 0 ? [id] : []))
    if (ids.length === 0) continue
    const rates = profile.steps.map(step => {
      const bytesOf = stepBytes(profile, step)
      let bytes = 0
      let firstUs = Number.POSITIVE_INFINITY
      let lastUs = 0
      for (const id of ids) {
        bytes += bytesOf(id)
        firstUs = Math.min(firstUs, step.startUs[id])
        lastUs = Math.max(lastUs, step.endUs[id])
      }
      return bytes / Math.max(1, lastUs - firstUs)
    })
    return median(rates)
  }
  return Number.POSITIVE_INFINITY
}
