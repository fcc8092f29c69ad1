import { createHash } from 'node:crypto'
import { type SweepCommon, version } from '@foretrain/predictor'
import { canonicalJson, type SweepPlan } from '../local/plan.ts'

/** What makes two sweeps have the same rows: plan with its seed, profile, version of the program. SHA-256, in hexadecimal. */
export function sweepHash(profile: SweepCommon['profile'], plan: SweepPlan): string {
  return sha256(canonicalJson({ version, plan, profile }))
}

export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
