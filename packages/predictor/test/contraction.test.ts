import { type Core, loadCore, OperationKind } from '@foretrain/core-wasm'
import { beforeAll, expect, test } from 'vitest'
import { compile } from '../src/compile/compile.ts'
import { quickMean } from '../src/predict/measure.ts'
import { clusterOf, setUp } from '../src/setUp.ts'
import { Pacer } from '../src/simulate/pacer.ts'
import { planFor } from '../src/simulate/replicate.ts'
import { readCase } from './support/cases.ts'
import { oneStepProfile } from './support/stepGraphs.ts'

let core: Core
beforeAll(async () => {
  core = await loadCore()
})

test('one worker: ResNet-50 contracted is ResNet-50', async () => {
  const { ratios, operations } = await contractedOverWhole(1, 2)
  expect(operations).toBeLessThan(700)
  for (const ratio of ratios) expect(Math.abs(ratio - 1)).toBeLessThan(0.001)
})

// With several workers the least shift of a time may flip the order of two events and lead to another course of the run, so what must agree
// are the means over independent runs, within their own error: 4 standard errors, which are at most 2 %.
test.each([4, 16])('%i workers: on the mean', async workers => {
  const { ratios } = await contractedOverWhole(workers, 12)
  const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length
  const variance = ratios.reduce((sum, ratio) => sum + (ratio - mean) ** 2, 0) / (ratios.length - 1)
  const standardError = Math.sqrt(variance / ratios.length)
  expect(standardError).toBeLessThan(0.02)
  expect(Math.abs(mean - 1)).toBeLessThan(4 * standardError + 0.001)
})

// A push waits for its gradient and for a shape that is known 2 ms after the step began. The gradient was there after 300 ms; that alone does not prove
// that it always comes later, but steps would have to be 150 times shorter.
test('what completed long before the other in every step is not waited for, else it is', () => {
  const dependenciesOfPush = (gradientUs: number) => {
    const profile = oneStepProfile(
      [
        ['shape', 'compute', [], 1],
        ['x', 'compute', [], gradientUs],
        ['g', 'push', ['shape', 'x'], 1000]
      ],
      { shape: 2000 }
    )
    profile.steps[0].endUs = [2001, gradientUs, gradientUs + 10]
    const { job } = compile(profile)
    return job.dependencies[[...job.kind].indexOf(OperationKind.push)]
  }
  expect(dependenciesOfPush(300_000)).toBe(1)
  expect(dependenciesOfPush(150_000)).toBe(2)
})

async function contractedOverWhole(workers: number, runs: number) {
  const { profile } = await readCase('resnet50-1000')
  const set = setUp(core, { profile, workers: [workers] })
  const whole = compile(profile, { contract: false })
  expect(whole.job.operations).toBe(profile.operations.length)
  const scenario = { cluster: clusterOf(set, workers), demands: set.demands, phaseSpanUs: 1.8e6 }
  const ratios: number[] = []
  for (let seed = 1; seed <= runs; seed++) {
    const throughput = (job: typeof whole.job) =>
      quickMean(core, { ...scenario, job, seed }, planFor(scenario.cluster, undefined), 1, new Pacer())
    ratios.push((await throughput(set.compiled.job)) / (await throughput(whole.job)))
  }
  return { ratios, operations: set.compiled.job.operations }
}
