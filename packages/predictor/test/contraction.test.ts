import { type Core, loadCore, type ShareRow } from '@foretrain/core-wasm'
import { beforeAll, expect, test } from 'vitest'
import { compile } from '../src/compile/compile.ts'
import { quickMean } from '../src/predict/measure.ts'
import { clusterOf, setUp } from '../src/setUp.ts'
import { Pacer } from '../src/simulate/pacer.ts'
import { planFor } from '../src/simulate/replicate.ts'
import { readCase } from './support/cases.ts'

let core: Core
beforeAll(async () => {
  core = await loadCore()
})

// Replications of several workers differ by chance when a queue's order flips once, so the means of several are compared, without the
// chance of unequal shares.
test.each([
  [1, 0.001],
  [4, 0.005],
  [16, 0.005]
])('ResNet-50 contracted is ResNet-50, %i workers', async (workers, tolerance) => {
  const { profile } = await readCase('resnet50-1000')
  const set = setUp(core, { profile, workers: [workers] })
  const whole = compile(profile, { contract: false })
  expect(set.compiled.job.operations).toBeLessThan(700)
  expect(whole.job.operations).toBe(profile.operations.length)
  const cluster = clusterOf(set, workers)
  const withoutLuck = (rows: readonly ShareRow[] = []) => rows.map(row => ({ ...row, spread: 0 }))
  const scenario = {
    cluster: { ...cluster, shares: { pull: withoutLuck(cluster.shares?.pull), push: withoutLuck(cluster.shares?.push) } },
    demands: set.demands,
    seed: 1,
    phaseSpanUs: 1.8e6
  }
  const mean = (job: typeof whole.job) => quickMean(core, { ...scenario, job }, planFor(workers, undefined), 4, new Pacer())
  const [contracted, uncontracted] = [await mean(set.compiled.job), await mean(whole.job)]
  expect(Math.abs(contracted / uncontracted - 1)).toBeLessThan(tolerance)
})
