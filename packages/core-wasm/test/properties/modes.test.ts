import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Cluster, Job, Mode, StepRecords } from '../../src/job.ts'
import { cluster } from '../support/cluster.ts'
import { copyOf, recordsOf, withSimulation } from '../support/core.ts'
import { wasmCore } from '../support/engines.ts'
import { job } from '../support/job.ts'
import { cases } from '../support/random.ts'
import { type Scenario, scenarios, sspModes, syncModes } from '../support/scenario.ts'

const options = { seed: 8, replication: 1, phaseSpanUs: 5e5 }
const ssp = (staleness: number): Mode => ({ kind: 'ssp', staleness })
const sync = (backup = 0): Mode => ({ kind: 'sync', backup, accumulateScale: 1 })

const everything = (work: Job, hosts: Cluster, steps: number) =>
  withSimulation(wasmCore, work, hosts, { ...options, logWorkers: 4 }, simulation => {
    simulation.run(steps)
    return structuredClone([simulation.records(), simulation.log(), simulation.statistics(), simulation.timeUs])
  })

test('a bound that is never met changes nothing, bit for bit', () => {
  const same = ({ job, cluster, steps }: Scenario) => {
    const async = everything(job, cluster, steps)
    for (const mode of [ssp(Infinity), ssp(1e6), { kind: 'async' } as const])
      expect(everything(job, { ...cluster, mode }, steps)).toEqual(async)
  }
  fc.assert(fc.property(scenarios(), same), cases(50))
})

test('stragglers that take no longer change nothing, bit for bit', () => {
  const same = ({ job, cluster, steps }: Scenario, probability: number) => {
    const workers = cluster.workers.map(host => ({ ...host, straggler: undefined }))
    const straggling = workers.map(host => ({ ...host, straggler: { probability, factor: 1 } }))
    expect(everything(job, { ...cluster, workers: straggling }, steps)).toEqual(everything(job, { ...cluster, workers }, steps))
  }
  const probability = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(fc.property(scenarios({ modes: fc.oneof(sspModes, syncModes) }), probability, same), cases(50))
})

/** Steps of each worker in order. */
const byWorker = (records: StepRecords, workers: number, value: ArrayLike<number>): number[][] =>
  Array.from({ length: workers }, (_, w) => Array.from(value).filter((_, i) => records.worker[i] === w))

// Without pushes nothing is added up and a round ends with the last step; without full buffers a worker hears of it at once.
test('rounds without gradients are steps without a lead', () => {
  const coincide = ({ job: random, cluster, steps }: Scenario) => {
    const work = { ...random, kind: random.kind.map(kind => (kind === 1 ? 0 : kind === 3 ? 2 : kind)) }
    const hosts = { ...cluster, queueUs: undefined }
    const count = hosts.workers.length
    const [rounds, steps0] = [sync(), ssp(0)].map(mode => recordsOf(wasmCore, work, { ...hosts, mode }, options, steps))
    const starts = [rounds, steps0].map(records => byWorker(records, count, records.startUs))
    // The last round may have ended for some only.
    for (let w = 0; w < count; w++) {
      const common = Math.min(starts[0][w].length, starts[1][w].length)
      expect(common).toBeGreaterThanOrEqual(Math.floor(steps / count))
      expect(starts[0][w].slice(0, common)).toEqual(starts[1][w].slice(0, common))
    }
  }
  fc.assert(fc.property(scenarios(), coincide), cases(100))
})

test('no worker begins a step before all have completed all but so many', () => {
  const bounded = ({ job, cluster, steps }: Scenario, bound: number) => {
    const count = cluster.workers.length
    const records = recordsOf(wasmCore, job, { ...cluster, mode: ssp(bound) }, options, 3 * steps)
    const starts = byWorker(records, count, records.startUs)
    const ends = byWorker(records, count, records.endUs)
    for (const begun of starts)
      begun.forEach((startUs, step) => {
        for (const ended of ends) if (step > bound) expect(ended[step - bound - 1]).toBeLessThanOrEqual(startUs)
      })
    // Each other worker has pushed s − bound steps at least before a worker's step s, and s + bound + 1 at most by its end.
    for (const staleness of records.staleness) expect(staleness).toBeLessThanOrEqual((count - 1) * (2 * bound + 1))
  }
  fc.assert(fc.property(scenarios(), fc.constantFrom(0, 1, 2), bounded), cases(100))
})

test('synchronous steps are never stale, and a round uses as many gradients of a variable as it needs', () => {
  const exact = ({ job, cluster, steps }: Scenario) => {
    const { records, rounds } = withSimulation(wasmCore, job, cluster, options, simulation => {
      simulation.run(3 * steps)
      return { records: copyOf(simulation.records()), rounds: simulation.rounds }
    })
    expect(records.staleness.every(staleness => staleness === 0)).toBe(true)
    const backup = cluster.mode?.kind === 'sync' ? cluster.mode.backup : 0
    const needed = cluster.workers.length - backup
    const used = records.usedShare.reduce((sum, share) => sum + share, 0)
    // Steps under way hold gradients of the last rounds: at most one of each worker.
    expect(used).toBeLessThanOrEqual(needed * (rounds.count + 1) + 1e-9)
    expect(used).toBeGreaterThanOrEqual(needed * rounds.count - cluster.workers.length - 1e-9)
    if (backup === 0) expect(records.usedShare.every(share => share === 1)).toBe(true)
    expect(rounds.count).toBeGreaterThan(0)
  }
  fc.assert(fc.property(scenarios({ modes: syncModes }), exact), cases(100))
})

/** Pull, compute with templates of 0.7 to 1.3, push, update: eight workers keep the links of their server half busy. */
const chain = job([
  { kind: 'pull', amount: [1, 1, 1].map(() => 3000) },
  { kind: 'compute', amount: [35_000, 50_000, 65_000], after: [0] },
  { kind: 'push', amount: [1, 1, 1].map(() => 3000), after: [1] },
  { kind: 'update', amount: [1, 1, 1].map(() => 200), after: [2] }
])
const eight = (more: Partial<Cluster> = {}, straggler?: { probability: number; factor: number }) =>
  cluster({
    servers: [{ outBytesPerUs: 1, inBytesPerUs: 1 }],
    workers: Array.from({ length: 8 }, () => ({ straggler })),
    updateSlots: 8,
    ...more
  })

/** Gradients used per µs over 2,000 steps, mean of four runs. */
function throughput(hosts: Cluster): number {
  const rates = [0, 1, 2, 3].map(replication => {
    const { usedShare, endUs } = recordsOf(wasmCore, chain, hosts, { ...options, replication }, 2000)
    return usedShare.reduce((sum, share) => sum + share, 0) / endUs[endUs.length - 1]
  })
  return rates.reduce((sum, rate) => sum + rate, 0) / rates.length
}

// Runs of 2,000 steps scatter by less than 1 %.
test('a larger bound is not slower on average, and a bound of 8 nearly as fast as none', () => {
  const rates = [0, 1, 2, 4, 8, Infinity].map(bound => throughput(eight({ mode: ssp(bound) })))
  for (let i = 1; i < rates.length; i++) expect(rates[i]).toBeGreaterThan(rates[i - 1] * 0.99)
  expect(rates[0]).toBeLessThan(0.95 * rates[5])
  expect(rates[4]).toBeGreaterThan(0.95 * rates[5])
})

// One of eight straggles in 1 − 0.95⁸ = 34 % of the rounds; two or more do in 6 %. A straggling step takes 500 ms of compute instead of 50.
test('with stragglers two backups gain more than they cost', () => {
  const straggler = { probability: 0.05, factor: 10 }
  const [none, two] = [0, 2].map(backup => throughput(eight({ mode: sync(backup) }, straggler)))
  expect(two).toBeGreaterThan(1.3 * none)
})

test('without stragglers they cost about their share', () => {
  const [none, two] = [0, 2].map(backup => throughput(eight({ mode: sync(backup) })))
  expect(two).toBeLessThan(none)
  expect(two).toBeGreaterThan(0.75 * none)
})

// In a round every worker computes once: no more rounds than the slowest worker makes steps alone.
test('the slowest worker bounds the rounds', () => {
  const bounded = (scales: number[], overheadUs: number) => {
    const workers = scales.map(computeScale => ({ computeScale }))
    const hosts = eight({ workers: cluster({ workers }).workers, stepOverheadUs: overheadUs, mode: sync() })
    const { rounds, timeUs } = withSimulation(wasmCore, chain, hosts, { ...options, inOrder: true, phaseSpanUs: 0 }, simulation => {
      simulation.run(30 * scales.length)
      return { rounds: simulation.rounds.count, timeUs: simulation.timeUs }
    })
    const slowest = hosts.workers.reduce((most, host) => (host.computeScale > most.computeScale ? host : most))
    const alone = recordsOf(wasmCore, chain, { ...hosts, workers: [slowest], mode: undefined }, { inOrder: true }, rounds)
    expect(timeUs).toBeGreaterThanOrEqual(alone.endUs[rounds - 1] * (1 - 1e-9))
  }
  const scales = fc.array(fc.double({ min: 0.5, max: 3, noNaN: true }), { minLength: 1, maxLength: 6 })
  fc.assert(fc.property(scales, fc.double({ min: 0, max: 1e4, noNaN: true }), bounded), cases(50))
})
