import type { Profile, ProfiledStep } from '@foretrain/trace-parser'
import { median } from '../statistics/quantile.ts'
import { stepBytes } from './stepBytes.ts'

/** Share of a busy period's bytes after which its rate is taken: by then a token bucket's free burst is spent. */
const settledShare = 0.05
/** A direction whose longest busy period carries fewer bytes says nothing about the rate of the link. */
const fewestBytes = 1_000_000

/** A stretch of a step in which transfers of one direction followed each other without a pause. */
interface BusyPeriod {
  startUs: number
  endUs: number
  bytes: number
  transfers: Array<{ endUs: number; bytes: number }>
}

/** What passes between the last byte's departure and the recorded end of a transfer. */
interface ReceiveDelay {
  latencyUs: number
  parsePerByteUs: number
  parseFixedUs: number
}

const noDelay: ReceiveDelay = { latencyUs: 0, parsePerByteUs: 0, parseFixedUs: 0 }

/**
 * Payload rate at which a worker's link carried back-to-back transfers, bytes per µs; undefined when no direction was ever busy long enough.
 *
 * Each step's longest busy period gives two estimates, each too high for a reason of its own: bytes over the whole period, by what a token
 * bucket gave away at its start; and bytes that completed after the period's first twentieth over the time since then, by what larger
 * streams had sent before. The lower one counts. All servers together: with several it is the worker's link that they share.
 */
export function measureGoodput(profile: Profile, delay: ReceiveDelay = noDelay): number | undefined {
  let weighted = 0
  let weight = 0
  for (const kind of ['pull', 'push'] as const) {
    const transfers = profile.operations.flatMap((operation, id) => (operation.kind === kind && operation.bytes > 0 ? [id] : []))
    // A lost record leaves bytes that crossed the link at a time that is not known, so its step does not tell while others do.
    const ofKind = new Set(transfers)
    const complete = profile.steps.filter(({ imputed }) => !imputed.some(id => ofKind.has(id)))
    const periods = (complete.length > 0 ? complete : profile.steps)
      .map(step => longestPeriod(profile, step, transfers, delay))
      .filter(period => period !== undefined && period.bytes >= fewestBytes && period.endUs > period.startUs) as BusyPeriod[]
    if (periods.length === 0) continue
    const bytes = median(periods.map(period => period.bytes))
    weighted += bytes * median(periods.map(rateOf))
    weight += bytes
  }
  return weight > 0 ? weighted / weight : undefined
}

function longestPeriod(
  profile: Profile,
  step: ProfiledStep,
  transfers: readonly number[],
  { latencyUs, parsePerByteUs, parseFixedUs }: ReceiveDelay
): BusyPeriod | undefined {
  let longest: BusyPeriod | undefined
  let current: BusyPeriod | undefined
  const bytesOf = stepBytes(profile, step)
  for (const id of [...transfers].sort((a, b) => step.startUs[a] - step.startUs[b])) {
    const bytes = bytesOf(id)
    const startUs = step.startUs[id]
    const endUs = Math.max(startUs, step.endUs[id] - latencyUs - parseFixedUs - parsePerByteUs * bytes)
    if (current === undefined || startUs > current.endUs) current = { startUs, endUs, bytes: 0, transfers: [] }
    current.endUs = Math.max(current.endUs, endUs)
    current.bytes += bytes
    current.transfers.push({ endUs, bytes })
    if (longest === undefined || current.bytes > longest.bytes) longest = current
  }
  return longest
}

function rateOf(period: BusyPeriod): number {
  const whole = period.bytes / (period.endUs - period.startUs)
  let completed = 0
  for (const { endUs, bytes } of period.transfers.sort((a, b) => a.endUs - b.endUs)) {
    completed += bytes
    if (completed < settledShare * period.bytes) continue
    return period.endUs > endUs ? Math.min(whole, (period.bytes - completed) / (period.endUs - endUs)) : whole
  }
  return whole
}
