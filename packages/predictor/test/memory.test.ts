import { type Cluster, type Core, type Job, loadCore, Simulation } from '@foretrain/core-wasm'
import { beforeAll, expect, test } from 'vitest'
import { clusterOf, setUp } from '../src/setUp.ts'
import { readCase } from './support/cases.ts'

let core: Core
let job: Job
let clusterFor: (workers: number) => Cluster
beforeAll(async () => {
  core = await loadCore()
  const { profile } = await readCase('resnet50-1000')
  const set = setUp(core, { profile, workers: [1] })
  job = set.job
  clusterFor = workers => clusterOf(set, workers)
})

function withWorkers<T>(workers: number, use: (simulation: Simulation) => T): T {
  const simulation = new Simulation(core, job, clusterFor(workers), { seed: 1, replication: 0, phaseSpanUs: 2e6 })
  try {
    return use(simulation)
  } finally {
    simulation.free()
  }
}

const bytesAfter = (workers: number, steps: number) =>
  withWorkers(workers, simulation => {
    simulation.run(steps)
    return simulation.memoryBytes
  })

test('a worker of ResNet-50 takes at most 8 kB', () => {
  const perWorker = (bytesAfter(2000, 1) - bytesAfter(1000, 1)) / 1000
  expect(perWorker).toBeGreaterThan(1000)
  expect(perWorker).toBeLessThan(8000)
})

test('ten times the steps need no more', () => {
  expect(bytesAfter(64, 6400)).toBe(bytesAfter(64, 640))
})

// An end of a turn for each transfer and an end for each computation cannot be saved.
test.each([1, 8, 64])('%i workers: a step of ResNet-50 takes few events more than it has operations', workers => {
  withWorkers(workers, simulation => {
    simulation.run(2 * workers)
    simulation.resetStatistics()
    simulation.run(12 * workers)
    expect(simulation.statistics().events / (10 * workers)).toBeLessThan(1.5 * job.operations)
  })
})
