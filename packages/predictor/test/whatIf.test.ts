import { type Core, loadCore } from '@foretrain/core-wasm'
import { beforeAll, describe, expect, test } from 'vitest'
import { predict } from '../src/predict/predict.ts'
import type { Prediction } from '../src/schema.ts'
import { readCase } from './support/cases.ts'
import { chainNetwork, recordedBySimulation } from './support/syntheticProfile.ts'

let core: Core
beforeAll(async () => {
  core = await loadCore()
})

/** Long enough that two runs of one job differ by less than what is asserted. */
const fixed = { replications: 8, steps: 200 }
const layers = [40_000, 5_000_000, 600_000, 80_000, 1_000_000, 3_000_000, 20_000]
const workers = [1, 2, 4]

/** The job as the simulator records it with one worker on links of the given payload. */
function traced(goodputBytesPerUs: number) {
  const path = { goodputBytesPerUs, windowBytes: Number.POSITIVE_INFINITY, parsePerByteUs: 4e-5, latencyUs: 50 }
  return recordedBySimulation(core, chainNetwork({ layers, forwardUs: 9000, updateUs: 60, steps: 20 }), path)
}

function ratios(predicted: Prediction, native: Prediction): number[] {
  return predicted.points.map((point, i) => point.stepsPerSecond.mean / native.points[i].stepsPerSecond.mean)
}

describe('a trace of one bandwidth predicts another as a trace of that one does', () => {
  test.each([
    ['half', 0.5],
    ['a quarter', 0.25],
    ['twice', 2],
    ['ten times', 10]
  ])('%s', async (_name, factor) => {
    const question = { workers, fixed, bandwidthBitsPerSecond: factor * 1e9, tracedBandwidthBitsPerSecond: 1e9 }
    const predicted = await predict({ ...question, profile: traced(115) })
    const native = await predict({ workers, fixed, profile: traced(115 * factor) })
    for (const ratio of ratios(predicted, native)) expect(Math.abs(ratio - 1)).toBeLessThan(0.03)
  })
})

test('where no stream was cut, the window is unlimited and not found', async () => {
  const { parameters, warnings } = await predict({ workers: [1], fixed, profile: traced(230) })
  expect(parameters.window.value).toBe('unlimited')
  expect(warnings.map(({ code }) => code)).toContain('window-not-found')
})

test('a trace of one latency predicts another as a trace of that one does', async () => {
  const far = 2050
  const added = far - 50
  const near = traced(115)
  // With the longer way of the requests, pulls are ready at the server that much later.
  const late = near.steps.map(step => ({
    ...step,
    startUs: step.startUs.map((us, id) => (near.operations[id].kind === 'pull' ? us + added : us))
  }))
  const path = { goodputBytesPerUs: 115, windowBytes: Number.POSITIVE_INFINITY, parsePerByteUs: 4e-5, latencyUs: far }
  const native = await predict({
    workers,
    fixed,
    profile: recordedBySimulation(core, { ...near, steps: late }, path),
    tracedLatencyUs: far
  })
  const predicted = await predict({ workers, fixed, profile: near, latencyUs: far })
  for (const ratio of ratios(predicted, native)) expect(Math.abs(ratio - 1)).toBeLessThan(0.03)
})

test.each(['resnet50-1000', 'densenet121-300'])('%s: nothing is pinned to the bandwidth it was recorded at', async name => {
  const { profile } = await readCase(name)
  const at = async (factor: number) => {
    const bandwidths = { bandwidthBitsPerSecond: factor * 1e9, tracedBandwidthBitsPerSecond: 1e9 }
    return predict({ profile, workers: [1], fixed: { replications: 1, steps: 20 }, ...bandwidths })
  }
  const { points, profile: traffic } = await at(0.1)
  const [slow] = points
  const goodput = slow.bounds.pullLink * traffic.pullBytes
  const pullMs = (1000 * traffic.pullBytes) / goodput
  const pushMs = (1000 * traffic.pushBytes) / goodput
  // On a link a tenth as fast, a step is its transfers but for what overlaps: at least the fuller direction, at most both and the compute.
  expect(slow.stepMs.mean).toBeGreaterThan(Math.max(pullMs, pushMs))
  expect(slow.stepMs.mean).toBeLessThan(pullMs + pushMs + 800)
  // On one that costs nothing it is its compute, which was emulated: 600 and 500 ms.
  const [fast] = (await at(1e5)).points
  expect(fast.stepMs.mean).toBeGreaterThan(450)
  expect(fast.stepMs.mean).toBeLessThan(700)
})
