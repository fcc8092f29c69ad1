import { expect, test } from 'vitest'
import { cluster } from '../support/cluster.ts'
import { recordsOf, withSimulation } from '../support/core.ts'
import { portableCore, wasmCore } from '../support/engines.ts'
import { job } from '../support/job.ts'

const BYTES = 1e6
const BYTES_PER_US = 17
const onePull = job([
  { kind: 'pull', amount: BYTES },
  { kind: 'delay', amount: 1e9, after: [0] }
])
const twoWorkers = (spread: number) =>
  cluster({
    workers: 2,
    servers: [{ outBytesPerUs: BYTES_PER_US }],
    shares: { pull: [{ startWeight: 1, rampUs: 0, spread }], push: [] }
  })

/** When each of the two pulls ended. */
function pullEndsUs(spread: number, seed: number): number[] {
  return withSimulation(wasmCore, onePull, twoWorkers(spread), { seed, logWorkers: 2 }, simulation => {
    simulation.run(2)
    const ends = [0, 0]
    for (const entry of simulation.log()) if (entry.operation === 0 && entry.step === 0) ends[entry.worker] = entry.endUs
    return ends
  })
}

const seeds = Array.from({ length: 400 }, (_, seed) => seed)

// The first to end has sent B by t, the other C·t - B. Each weight lies within (1 + s)/(1 - s) of 1, so their ratio within its square;
// whatever the weights, the link is busy until all is sent: 2B/C.
test('shares differ by at most the spread and use the whole link', () => {
  for (const spread of [0.1, 0.33, 0.9]) {
    const largest = ((1 + spread) / (1 - spread)) ** 2
    const ratios = seeds.map(seed => {
      const [firstUs, lastUs] = pullEndsUs(spread, seed).sort((a, b) => a - b)
      expect(lastUs).toBeCloseTo((2 * BYTES) / BYTES_PER_US, 5)
      return BYTES / (BYTES_PER_US * firstUs - BYTES)
    })
    expect(Math.max(...ratios)).toBeLessThanOrEqual(largest * (1 + 1e-9))
    // Not only within the bounds: among 400 pairs some have nearly the largest weight against nearly the smallest.
    expect(Math.max(...ratios)).toBeGreaterThan(largest ** 0.6)
  }
})

// 400 fair coins: 200 ± 10.
test('either worker may get the larger share', () => {
  const firstWins = seeds.filter(seed => {
    const [a, b] = pullEndsUs(0.33, seed)
    return a < b
  }).length
  expect(Math.abs(firstWins - 200)).toBeLessThan(4.5 * 10)
})

test('no spread is equal sharing', () => {
  expect(pullEndsUs(0, 1)).toEqual([(2 * BYTES) / BYTES_PER_US, (2 * BYTES) / BYTES_PER_US])
  const without = cluster({ workers: 2, servers: [{ outBytesPerUs: BYTES_PER_US }] })
  expect(recordsOf(wasmCore, onePull, twoWorkers(0), {}, 2)).toEqual(recordsOf(wasmCore, onePull, without, {}, 2))
})

test('the draws are the same in WebAssembly and JavaScript, and each time', () => {
  const records = [wasmCore, portableCore, wasmCore].map(core => recordsOf(core, onePull, twoWorkers(0.33), { seed: 5 }, 2))
  expect(records[1]).toEqual(records[0])
  expect(records[2]).toEqual(records[0])
})

// Common random numbers: what is drawn for shares comes from a stream of its own.
test('unequal shares change neither phases nor the order of templates', () => {
  const three = job([{ kind: 'pull', amount: [2e6, 3e6, 5e6] }])
  const drawn = (spread: number) => {
    const { worker, template, startUs } = recordsOf(wasmCore, three, twoWorkers(spread), { phaseSpanUs: 1e6 }, 60)
    return [0, 1].map(one => {
      const own = Array.from(worker.keys()).filter(i => worker[i] === one)
      return { phaseUs: startUs[own[0]], templates: own.map(i => template[i]).slice(0, 25) }
    })
  }
  expect(drawn(0.5)).toEqual(drawn(0))
})
