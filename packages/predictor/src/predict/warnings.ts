import { defaults } from '../defaults.ts'
import { bytesOf } from '../demands.ts'
import { hotServerOf, serverBytesOf } from '../placement/balance.ts'
import type { Question } from '../question.ts'
import type { Mode, Point, Replay, Warning } from '../schema.ts'
import type { SetUp } from '../setUp.ts'

/** Fewer templates than this say little about how steps differ (docs/method.md §1 asks for as many). */
const enoughTemplates = 20
const replayErrorBar = 0.05
const pinnedShareBar = 0.05
/** Below this share of a step on the wire, goodput hides behind compute. */
const littleTransfer = 0.1

/** Modes in which measured clusters ran (docs/accuracy.md); ssp:inf is async. */
const measuredModes: readonly Mode[] = ['async', 'ssp:inf', 'sync']

/** What a reader of any figure made from this profile must know: the profile's own warnings first. */
export function profileWarnings(profile: Question['profile'], replay: Replay): Warning[] {
  const warnings: Warning[] = profile.warnings.map(warning => ({ ...warning }))
  const steps = profile.steps.length
  if (steps < enoughTemplates && !warnings.some(warning => warning.code === 'few-steps')) {
    const message = `the profile holds ${steps} ${steps === 1 ? 'step' : 'steps'}: trace ${enoughTemplates} or more for a narrower band`
    warnings.push({ code: 'few-steps', message, count: steps })
  }
  if (replay.meanAbsError > replayErrorBar) {
    const message = `one worker replayed on its own steps is off by ${percent(replay.meanAbsError)} on the mean: expect at least that of a prediction`
    warnings.push({ code: 'replay-error', message })
  }
  if (replay.pinnedShare > pinnedShareBar) {
    const message = `${percent(replay.pinnedShare)} of the replayed step is recorded waiting that no operation explains and that stays as it is for every cluster`
    warnings.push({ code: 'pinned-steps', message })
  }
  return warnings
}

/** What a reader of this prediction must know beyond the profile. */
export function questionWarnings(question: Question, set: SetUp): Warning[] {
  const { calibration, replay } = set
  const warnings: Warning[] = [...set.policyWarnings]
  const transfers = bytesOf(question.profile, 'pull') + bytesOf(question.profile, 'push')
  if (calibration.windowSource === 'largest-tensor' && transfers > 0) {
    const message = `no first turn shorter than the largest tensor (${calibration.largestTensorBytes} B) shows in the trace: the window is at least that`
    warnings.push({ code: 'window-not-found', message })
  }
  const ms = defaults.stepOverheadUs.value / 1000
  const message = `time between steps is not part of a trace: ${ms} ms a step are assumed`
  warnings.push({ code: 'step-overhead-assumed', message })

  const mode = question.mode ?? 'async'
  if (!measuredModes.includes(mode)) {
    const message = `mode ${mode} has been compared with no measured cluster`
    warnings.push({ code: 'mode-not-measured', message })
  }
  if (set.colocate) {
    const message =
      "no measured cluster has servers on workers' hosts: their links are shared as modelled, and processors and memory taken as each one's own"
    warnings.push({ code: 'colocation-not-measured', message })
  }

  const groups = question.hosts?.workers ?? []
  // One worker has its uplink to itself, and one that all share before one server is that server's.
  const inParts = groups.length > 1 || set.servers > 1 || set.colocate
  if (
    inParts &&
    groups.some(({ count, uplinkBitsPerSecond }) => uplinkBitsPerSecond !== undefined && (count > 1 || groups.length === 1))
  ) {
    const message = 'the uplink of a group is simulated in equal parts: too little for who could have it alone'
    warnings.push({ code: 'uplink-in-parts', message })
  }

  const goodputMatters = question.bandwidthBitsPerSecond === undefined || question.tracedBandwidthBitsPerSecond !== undefined
  const wireShare = transfers / calibration.path.goodputBytesPerUs / (replay.recordedMs * 1000)
  if (transfers > 0 && goodputMatters && wireShare < littleTransfer) {
    const message = `transfers fill ${percent(wireShare)} of the traced step, so its goodput is poorly known: give the bandwidth without that of the trace`
    warnings.push({ code: 'compute-bound-trace', message })
  }
  return warnings
}

/** A server that carries noticeably more than the others: it alone decides what more workers bring. */
export function balanceWarnings({ servers, demands }: SetUp): Warning[] {
  const hot = hotServerOf(serverBytesOf(demands))
  if (hot === undefined) return []
  const share = (value: number) => `${(value * 100).toFixed(value > 0.99 ? 1 : 0)} %`
  const message = `of ${servers} servers, server ${hot.server} carries ${share(hot.share)} of the bytes; a fair share would be ${share(1 / servers)}`
  return [{ code: 'hot-server', message }]
}

export const precisionWarningCode = 'precision-not-reached'

/** Undefined when every point's interval is as narrow as was asked for. */
export function precisionWarning(points: readonly Point[], precision: number = defaults.precision.value): Warning | undefined {
  const widths = points.map(({ stepsPerSecond: { mean, ci95 } }) => (ci95[1] - mean) / mean)
  const imprecise = points.filter((_, i) => widths[i] > precision)
  if (imprecise.length === 0) return undefined
  const sizes = imprecise.map(({ workers }) => workers)
  const message = `the interval is wider than asked for, up to ±${percent(Math.max(...widths))} after the most replications, with ${[...new Set(sizes)].join(', ')} workers`
  return { code: precisionWarningCode, message, count: imprecise.length }
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
