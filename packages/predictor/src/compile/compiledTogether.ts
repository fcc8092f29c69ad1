import type { Profile } from '@foretrain/trace-parser'
import { lastUsed } from '../lastUsed.ts'
import { type CompiledJob, type CompileOptions, compile } from './compile.ts'

type Asked = Pick<CompileOptions, 'pullReleaseShiftUs' | 'contract'> & {
  /** Of a merged transfer. */
  mostBytes: number
}

/** Of each profile, those asked for last. */
const mostKept = 4
const known = new WeakMap<Profile, Map<string, CompiledJob>>()

/**
 * The profile compiled with its pulls released together, for orders to be put on. That takes longer than all else of a set-up, and is the same for
 * every order, bandwidth and number of workers of a sweep as long as the placement is the trace's: another one makes another profile. That must not
 * change afterwards.
 */
export function compiledTogether(profile: Profile, { pullReleaseShiftUs, contract, mostBytes }: Asked): CompiledJob {
  const key = JSON.stringify([pullReleaseShiftUs, contract, String(mostBytes)])
  const ofProfile = known.get(profile) ?? new Map<string, CompiledJob>()
  known.set(profile, ofProfile)
  return lastUsed(ofProfile, key, mostKept, () =>
    compile(profile, { pullReleaseShiftUs, contract, releasePullsTogether: true, merge: { mostBytes } })
  )
}
