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

test('each worker plays every template once before any twice', () => {
  for (const templates of templatesByWorker(3, 4, 400)) {
    for (let start = 0; start + TEMPLATES <= templates.length; start += TEMPLATES)
      expect(templates.slice(start, start + TEMPLATES).sort()).toEqual([0, 1, 2, 3, 4])
  }
})

// 200 decks of each of 4 workers, each template is first in a fifth of them: 160 of 800, standard deviation √(800·0.2·0.8) = 11.3.
test('every template is equally likely to come first', () => {
  const firsts = templatesByWorker(5, 4, 4 * 210 * TEMPLATES).flatMap(templates =>
    templates.slice(0, 200 * TEMPLATES).filter((_, i) => i % TEMPLATES === 0)
  )
  for (let template = 0; template < TEMPLATES; template++) {
    const count = firsts.filter(first => first === template).length
    expect(Math.abs(count - 160)).toBeLessThan(4.5 * 11.3)
  }
})

test('workers shuffle independently', () => {
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
