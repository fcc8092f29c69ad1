/**
 * Published scaling of asynchronous jobs without a trace: a job is built from the model's size and number of variables, its compute calibrated
 * on one and two workers, and the rest of the curve predicted.
 */
import { predict, profileFrom } from '@foretrain/predictor'

/**
 * @typedef {{ bytes: number, variables: number, largestBytes: number | null }} Model
 * @typedef {{ gpu: string, model: string, stepsPerSecond: number[] }} Curve
 * @typedef {{
 *   source: string, licence: string, setting: string, serverCores: number, batchSize: number, models: Record<string, Model>, curves: Curve[],
 *   serverTime: { messageUs: number, megabyteUs: number, fittedOn: string[], source: string },
 *   bandwidth: { bitsPerSecond: number, source: string }, latency: { roundTripUs: number, source: string }
 * }} Published
 * @typedef {{ messageUs: number, perByteUs: number }} Costs of a server's core
 * @typedef {import('@foretrain/predictor').Question['profile']} Profile
 */

const recordedSteps = 5
const fixed = { replications: 4, steps: 100 }
const quick = { replications: 2, steps: 50 }

/**
 * The stated time of the whole server as cost of one of its cores: as many times longer as there are cores, and the bytes of a model halved
 * between its pull and its push.
 *
 * @param {Published} published
 * @returns {Costs}
 */
export function statedCosts({ serverTime, serverCores }) {
  return { messageUs: serverTime.messageUs * serverCores, perByteUs: (serverTime.megabyteUs * serverCores) / 2 / 1e6 }
}

/** Sizes of variables: as many as there are, as large together. The one size that is known is kept, the others are equal. @param {Model} model */
function sizesOf({ bytes, variables, largestBytes }) {
  const rest = variables - (largestBytes === null ? 0 : 1)
  const equal = Array.from({ length: rest }, () => (bytes - (largestBytes ?? 0)) / rest)
  return largestBytes === null ? equal : [...equal, largestBytes]
}

/**
 * What a trace of one worker would show: a layer a variable, each computes after its pull and the layer before, backward in reverse; a third of
 * the compute forward. Only the graph and the compute matter, for nothing is calibrated on the path: transfers take no time in it.
 *
 * @param {Model} model @param {number} computeUs of a step @param {number} latencyUs
 * @returns {Profile}
 */
export function profileOf(model, computeUs, latencyUs) {
  /** @type {Profile['operations']} */
  const operations = []
  /** @type {number[]} */
  const durations = []
  /** @param {Profile['operations'][number]['kind']} kind @param {number} bytes @param {number} us @param {number[]} dependencies */
  const add = (kind, bytes, us, dependencies) => {
    const sorted = dependencies.sort((a, b) => a - b)
    operations.push({ name: `${kind}${operations.length}`, kind, type: '', server: 0, bytes, dependencies: sorted })
    return durations.push(us) - 1
  }
  const sizes = sizesOf(model)
  const forwardUs = computeUs / 3 / sizes.length
  const pulls = sizes.map(bytes => add('pull', bytes, 0, []))
  /** @type {number[]} */
  let last = []
  for (const pull of pulls) last = [add('compute', 0, forwardUs, [pull, ...last])]
  for (const bytes of [...sizes].reverse()) {
    last = [add('compute', 0, 2 * forwardUs, last)]
    // What applying a gradient costs is part of the server's cost per byte.
    add('update', 0, 0, [add('push', bytes, 0, last)])
  }
  const steps = Array.from({ length: recordedSteps }, (_, s) => {
    // Steps differ a little, as they do: 5 % up and down.
    const factor = 1 + 0.025 * ((s % 5) - 2)
    const spanUs = computeUs * factor
    return {
      trace: `step${s}`,
      spanUs,
      durationUs: durations.map(us => us * factor),
      gapUs: durations.map(() => 0),
      startUs: operations.map(({ kind }, id) => (kind === 'pull' ? 2 * latencyUs + id : spanUs)),
      endUs: operations.map(({ kind }) => (kind === 'pull' ? 3 * latencyUs : spanUs)),
      imputed: []
    }
  })
  return profileFrom(operations, steps)
}

/**
 * @param {Published} published @param {Curve} curve @param {number} computeUs @param {Costs | undefined} costs @param {number[]} workers
 * @param {{ replications: number, steps: number }} effort
 */
async function ratesOf(published, curve, computeUs, costs, workers, effort) {
  const latencyUs = published.latency.roundTripUs / 2
  const { points } = await predict({
    profile: profileOf(published.models[curve.model], computeUs, latencyUs),
    workers,
    bandwidthBitsPerSecond: published.bandwidth.bitsPerSecond,
    latencyUs,
    tracedLatencyUs: latencyUs,
    transport: 'whole',
    parsePerByteUs: 4e-5,
    serverCores: published.serverCores,
    serverMessageUs: costs?.messageUs,
    serverPerByteUs: costs?.perByteUs,
    fixed: effort,
    seed: 1
  })
  return points.map(({ stepsPerSecond, bottleneck }) => ({ mean: stepsPerSecond.mean, bottleneck: bottleneck.resource }))
}

/**
 * Compute with which the geometric mean of the errors at one and two workers is 0, when the rest is as given.
 *
 * @param {Published} published @param {Curve} curve @param {Costs | undefined} costs
 */
async function computeOf(published, curve, costs) {
  const cycleUs = 1e6 / curve.stepsPerSecond[0]
  let computeUs = 0.8 * cycleUs
  for (let i = 0; i < 6; i++) {
    const rates = await ratesOf(published, curve, computeUs, costs, [1, 2], quick)
    const ratio = Math.sqrt(rates.reduce((product, { mean }, w) => (product * mean) / curve.stepsPerSecond[w], 1))
    computeUs = Math.max(0.02 * cycleUs, computeUs + cycleUs * (ratio - 1))
    if (Math.abs(ratio - 1) < 0.001) break
  }
  return computeUs
}

/**
 * One curve: calibrated on one and two workers, all predicted.
 *
 * @param {Published} published @param {Curve} curve @param {Costs | undefined} costs none: what links alone say
 */
export async function predictCurve(published, curve, costs) {
  const computeUs = await computeOf(published, curve, costs)
  const workers = curve.stepsPerSecond.map((_, i) => i + 1)
  const predicted = await ratesOf(published, curve, computeUs, costs, workers, fixed)
  const points = predicted.map(({ mean, bottleneck }, i) => {
    const measured = curve.stepsPerSecond[i]
    return { workers: i + 1, published: measured, predicted: mean, error: mean / measured - 1, bottleneck }
  })
  return { gpu: curve.gpu, model: curve.model, computeUs, points }
}

/** @typedef {Awaited<ReturnType<typeof predictCurve>>} PredictedCurve */

/** Mean absolute error of the points that no calibration saw. @param {PredictedCurve[]} curves */
export function meanAbsError(curves) {
  const errors = curves.flatMap(({ points }) => points.filter(({ workers }) => workers > 2).map(({ error }) => Math.abs(error)))
  return errors.reduce((sum, error) => sum + error, 0) / errors.length
}
