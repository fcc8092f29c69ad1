import type { Profile } from '@foretrain/trace-parser'
import { modeProblem } from '../mode.ts'
import type { Question } from '../question.ts'
import type { Case } from '../schema.ts'
import { bandwidthBits } from './readCase.ts'

/** What `validate` may be told about the effort. */
export type ValidateOptions = Pick<Question, 'seed' | 'precision' | 'fixed'>

/**
 * The question that a case asks: nothing of its measurements but the numbers of workers goes into it. The traces were taken on the same
 * links, at `tracedBandwidth` where that differs from the bandwidth of the measurements.
 */
export function questionOf(measured: Case, profile: Profile, options: ValidateOptions): Question {
  const { servers, bandwidth, tracedBandwidth = bandwidth, link, computeSlowdown = {} } = measured
  return {
    ...options,
    profile,
    workers: [...new Set(measured.measurements.map(({ workers }) => workers))],
    // As many as the traces show leave everything where they show it.
    servers: [servers],
    bandwidthBitsPerSecond: bandwidthBits(bandwidth),
    tracedBandwidthBitsPerSecond: bandwidthBits(tracedBandwidth),
    payloadFraction: link.payloadFraction,
    latencyUs: link.latencyMs * 1000,
    tracedLatencyUs: link.latencyMs * 1000,
    bufferUs: link.bufferMs * 1000,
    burstBytes: link.burstBytes,
    batchSize: measured.batchSize,
    mode: measured.mode,
    computeSlowdown,
    tracedWorker: measured.tracedWorker
  }
}

/** Why a case cannot be predicted; undefined when it can. */
export function whyNot({ mode, servers, measurements }: Case, profile: Profile): string | undefined {
  const problem = modeProblem(
    mode,
    measurements.map(({ workers }) => workers)
  )
  if (problem) return `its mode ${problem.what}: use ${problem.wanted}`
  if (profile.servers.length !== servers && servers > 1 && profile.variables === undefined) {
    return `it was measured with ${servers} servers, but its traces show ${profile.servers.length}, and its profile does not say which variable is where`
  }
  return undefined
}
