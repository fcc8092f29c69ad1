import type { Profile, ProfiledStep } from '@foretrain/trace-parser'

/** Bytes of each transfer in one recorded step, which may differ from the median that `Operation.bytes` holds. */
export function stepBytes(profile: Profile, step: ProfiledStep): (id: number) => number {
  const own = new Map(step.bytes)
  return id => Math.max(0, own.get(id) ?? profile.operations[id].bytes)
}
