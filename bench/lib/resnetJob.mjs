import { compile, setUp } from '@foretrain/predictor'
import { readProfile } from '@foretrain/trace-parser'
import { resnet, traceFiles, traceOnDisk } from './paths.mjs'

/** The profile of the ResNet-50 traces. */
export async function resnetProfile() {
  const { profile } = await readProfile(traceFiles(resnet).map(traceOnDisk))
  return profile
}

/**
 * What `foretrain predict` simulates for a profile when nothing else is asked: the job on the calibrated path, and all that clusters of any size
 * share.
 *
 * @param {import('@foretrain/core-wasm').Core} core for the calibration
 * @param {import('@foretrain/trace-parser').Profile} profile
 */
export function defaultSetUp(core, profile) {
  return setUp(core, { profile, workers: [1] })
}

/**
 * The job of the rivals, which know neither slots nor recorded turns.
 *
 * @param {import('@foretrain/trace-parser').Profile} profile
 */
export function rivalsJobs(profile) {
  const spansUs = profile.steps.map(step => step.spanUs)
  return {
    spansUs,
    /** Within it the workers begin. */
    phaseSpanUs: spansUs.reduce((sum, spanUs) => sum + spanUs, 0) / spansUs.length,
    contracted: compile(profile).job,
    // Nothing waits for a slot in the rivals: with this ε nothing occupies one here either.
    whole: compile(profile, { contract: false, epsilonUs: Number.POSITIVE_INFINITY }).job,
    slots: { computeSlots: Math.max(1, profile.concurrency.compute), updateSlots: 8 }
  }
}
