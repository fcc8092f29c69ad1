import { readFileSync } from 'node:fs'
import { type Core, loadCore, Simulation } from '@foretrain/core-wasm'
import { beforeAll, describe, expect, test } from 'vitest'
import { clusterOf, setUp } from '../src/setUp.ts'
import { examplesFolder, readCase } from './support/cases.ts'
import { deviation, mean, phaseBins, type Steps } from './support/phases.ts'

let core: Core
beforeAll(async () => {
  core = await loadCore()
})

/** Steps of each worker as measured, without the first three (they meet in a burst), s. */
function measuredSteps(name: string, workers: number): Steps[] {
  const steps: Steps[] = Array.from({ length: workers }, () => [])
  const lines = readFileSync(`${examplesFolder}/${name}/steps/w${workers}.csv`, 'utf8').trim().split('\n').slice(1)
  for (const line of lines) {
    const [worker, start, end] = line.split(',').map(Number)
    steps[worker].push([start, end])
  }
  return steps.map(ofWorker => ofWorker.slice(3))
}

/** Of several runs, s. */
async function simulatedRuns(name: string, workers: number, runs: number, stepsEach: number): Promise<Steps[][]> {
  const { profile } = await readCase(name)
  const set = setUp(core, { profile, workers: [workers] })
  return Array.from({ length: runs }, (_, replication) => {
    const options = { seed: 1, replication, phaseSpanUs: profile.steps[0].spanUs }
    const simulation = new Simulation(core, set.job, clusterOf(set, workers), options)
    simulation.run(workers * stepsEach)
    const records = simulation.records()
    simulation.free()
    const steps: Steps[] = Array.from({ length: workers }, () => [])
    records.worker.forEach((worker, i) => {
      steps[worker].push([records.startUs[i] / 1e6, records.endUs[i] / 1e6])
    })
    return steps.map(ofWorker => ofWorker.slice(3))
  })
}

// Bins with fewer measured steps than this say little.
const enough = 15

describe.each(['mobilenetv2-200', 'densenet121-300'])('two workers of %s', name => {
  test('a step takes as long as measured at every phase between them, and the phase drifts as irregularly', async () => {
    const measured = phaseBins(...(measuredSteps(name, 2) as [Steps, Steps]))
    const runs = (await simulatedRuns(name, 2, 60, 30)).map(steps => phaseBins(...(steps as [Steps, Steps])))
    let lengthsCompared = 0
    let driftsCompared = 0
    measured.forEach(({ count, stepLength, driftDeviation }, i) => {
      if (count < enough) return
      lengthsCompared += 1
      const bins = runs.map(run => run[i]).filter(bin => bin.count > 0)
      const simulatedLength = mean(bins.flatMap(bin => Array(bin.count).fill(bin.stepLength)))
      expect(Math.abs(simulatedLength / stepLength - 1)).toBeLessThan(0.06)
      // Each run has few steps in a bin: their deviations are pooled by taking the median of those with several.
      const drifts = bins.filter(bin => bin.count >= 4).map(bin => bin.driftDeviation)
      if (drifts.length < 10) return
      driftsCompared += 1
      const typical = drifts.sort((a, b) => a - b)[Math.floor(drifts.length / 2)]
      expect(typical / driftDeviation).toBeGreaterThan(0.4)
      expect(typical / driftDeviation).toBeLessThan(2.5)
    })
    expect(lengthsCompared).toBeGreaterThanOrEqual(3)
    expect(driftsCompared).toBeGreaterThanOrEqual(3)
  })
})

test.each(['resnet50-1000', 'densenet121-300', 'mobilenetv2-200'])('steps of eight workers of %s vary as measured', async name => {
  const spreadOf = (steps: Steps[]) => {
    const lengths = steps.flatMap(ofWorker => ofWorker.map(([start, end]) => end - start))
    return deviation(lengths) / mean(lengths)
  }
  const measured = spreadOf(measuredSteps(name, 8))
  const simulated = mean((await simulatedRuns(name, 8, 6, 20)).map(spreadOf))
  expect(simulated / measured).toBeGreaterThan(0.6)
  expect(simulated / measured).toBeLessThan(1.7)
})
