import type { Profile } from '@foretrain/trace-parser'
import { stepBytes } from './stepBytes.ts'

/** A cut that leaves less than both of these is within the scatter of recorded ends. */
const fewestRestBytes = 262_144
const leastRestShare = 0.1
/** Uncut steps at the end of the trace that are not taken for chance. */
const fewestUncut = 3

/**
 * First turns of a long run, from those of the recorded steps. HTTP/2 windows grow with the bandwidth-delay estimate and are never lowered
 * (gRPC bdp_estimator.cc). So when no stream of a direction was cut in the last recorded steps, more of them in a row than ever
 * before, the windows have outgrown that direction's tensors, and the cuts of the earlier steps will not come back.
 *
 * @param firstTurns [k] for each step, bytes parallel to the profile's operations; Infinity where a stream went in one turn
 * @returns the very same list where windows did not outgrow anything
 */
export function grownWindows(profile: Profile, firstTurns: readonly Float64Array[]): readonly Float64Array[] {
  let turns = firstTurns
  for (const kind of ['pull', 'push'] as const) {
    const streams = profile.operations.flatMap((operation, id) => (operation.kind === kind ? [id] : []))
    const cut = firstTurns.map((step, i) => {
      const bytesOf = stepBytes(profile, profile.steps[i])
      return streams.some(id => bytesOf(id) - step[id] >= Math.max(fewestRestBytes, leastRestShare * bytesOf(id)))
    })
    const last = cut.lastIndexOf(true)
    const uncut = cut.length - 1 - last
    if (last < 0 || uncut < fewestUncut || uncut <= longestRun(cut.slice(0, last), false)) continue
    turns = turns.map(step => step.map((bytes, id) => (profile.operations[id].kind === kind ? Number.POSITIVE_INFINITY : bytes)))
  }
  return turns
}

function longestRun(values: readonly boolean[], wanted: boolean): number {
  let longest = 0
  let run = 0
  for (const value of values) {
    run = value === wanted ? run + 1 : 0
    longest = Math.max(longest, run)
  }
  return longest
}
