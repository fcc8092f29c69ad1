import { expect, test } from 'vitest'
import { cluster } from '../support/cluster.ts'
import { recordsOf } from '../support/core.ts'
import { wasmCore } from '../support/engines.ts'
import { everySimulator } from '../support/everySimulator.ts'
import { job } from '../support/job.ts'

const compute = job([{ kind: 'compute', amount: [10, 20, 30] }])

everySimulator('a step that straggles takes so many times as long', simulate => {
  const always = cluster({ workers: [{ computeScale: 2, straggler: { probability: 1, factor: 3 } }] })
  expect(simulate(compute, always, { steps: 2 }).steps.map(one => one.endUs)).toEqual([60, 180])
})

const spans = (straggler: { probability: number; factor: number } | undefined, steps = 4000) => {
  const { startUs, endUs, template } = recordsOf(wasmCore, compute, cluster({ workers: [{ straggler }] }), { seed: 3 }, steps)
  return { template: Array.from(template), us: Array.from(endUs, (end, i) => end - startUs[i]) }
}

// 4,000 steps with probability 0.2: 800, standard deviation √(4000·0.2·0.8) = 25.3.
test('as often as its probability says', () => {
  const { template, us } = spans({ probability: 0.2, factor: 10 })
  const slow = us.filter((one, i) => one > 10 * (template[i] + 1) + 1).length
  expect(Math.abs(slow - 800)).toBeLessThan(4.5 * 25.3)
})

test('templates are drawn as without stragglers', () => {
  expect(spans({ probability: 0.2, factor: 10 }, 200).template).toEqual(spans(undefined, 200).template)
})

test('who straggles with a small probability does so with a larger one', () => {
  const [rarely, often, never] = [0.1, 0.3, 0].map(probability => spans({ probability, factor: 10 }, 1000).us)
  const isSlow = (of: number[]) => of.map((one, i) => one > 2 * never[i])
  const [few, many] = [isSlow(rarely), isSlow(often)]
  expect(few.filter(Boolean).length).toBeGreaterThan(50)
  expect(few.every((slow, i) => !slow || many[i])).toBe(true)
  expect(many.filter(Boolean).length).toBeGreaterThan(few.filter(Boolean).length)
})
