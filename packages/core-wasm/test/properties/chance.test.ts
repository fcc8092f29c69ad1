import { expect, test } from 'vitest'
import { cluster } from '../support/cluster.ts'
import { recordsOf } from '../support/core.ts'
import { wasmCore } from '../support/engines.ts'
import { job } from '../support/job.ts'

const TEMPLATES = 5
const computeOnly = job([{ kind: 'compute', amount: [10, 20, 30, 40, 50] }])

function templatesByWorker(seed: number, workers: number, steps: number): number[][] {
  const records = recordsOf(wasmCore, computeOnly, cluster({ workers }), { seed }, steps)
  return Array.from({ length: workers }, (_, worker) => Array.from(records.template).filter((_, i) => records.worker[i] === worker))
}

// 1,000 steps of each of 4 workers: each template 800 times of 4,000, standard deviation √(4000·0.2·0.8) = 25.3.
test('every template is equally likely', () => {
  const played = templatesByWorker(5, 4, 4200).flatMap(templates => templates.slice(0, 1000))
  for (let template = 0; template < TEMPLATES; template++) {
    expect(Math.abs(played.filter(one => one === template).length - 800)).toBeLessThan(4.5 * 25.3)
  }
})

// Of 3,996 pairs of neighbours a fifth are twice the same: 799.2, standard deviation √(3996·0.2·0.8) = 25.3.
test('whatever came before', () => {
  const played = templatesByWorker(3, 4, 4200).map(templates => templates.slice(0, 1000))
  const twice = played.reduce((sum, templates) => sum + templates.filter((one, i) => i > 0 && one === templates[i - 1]).length, 0)
  expect(Math.abs(twice - 799.2)).toBeLessThan(4.5 * 25.3)
})

test('workers draw independently', () => {
  const [first, second] = templatesByWorker(7, 2, 200)
  expect(first.slice(0, 50)).not.toEqual(second.slice(0, 50))
})

// 400 phases uniform in [0, 1000): mean 500, standard deviation of the mean 1000/√12/√400 = 14.4.
test('workers begin uniformly within the span', () => {
  const { worker, startUs } = recordsOf(wasmCore, computeOnly, cluster({ workers: 400 }), { seed: 11, phaseSpanUs: 1000 }, 12_000)
  const starts = new Map<number, number>()
  worker.forEach((w, i) => {
    if (!starts.has(w)) starts.set(w, startUs[i])
  })
  const phases = [...starts.values()]
  expect(phases).toHaveLength(400)
  expect(Math.min(...phases)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...phases)).toBeLessThan(1000)
  expect(Math.abs(phases.reduce((a, b) => a + b) / 400 - 500)).toBeLessThan(4.5 * 14.4)
  expect(new Set(phases).size).toBeGreaterThan(390)
})
