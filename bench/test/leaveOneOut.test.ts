import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { shareDefaults } from '@foretrain/predictor'
import { describe, expect, test } from 'vitest'
import { bestVariant, summarise, type Variant } from '../accuracy/refit.mjs'
import { rawMisfit } from '../transport/experiment.mjs'

const file = join(import.meta.dirname, '../accuracy/leave-one-out.json')
const { shares, variants } = JSON.parse(readFileSync(file, 'utf8')) as {
  shares: Record<'pull' | 'push', unknown[]>
  variants: Variant[]
}

describe('the constants that measured clusters had a say in', () => {
  test('are those that were refitted: else run node bench/accuracy/leave-one-out.mjs', () => {
    expect(shares.pull).toEqual(shareDefaults.pull.slice(1))
    expect(shares.push).toEqual(shareDefaults.push.slice(1))
  })

  test('refitting on all clusters gives the committed ones', () => {
    const { ramp, spread } = bestVariant(variants)
    expect([ramp, spread]).toEqual([1, 1])
  })

  test('a cluster left out is predicted nearly as well', () => {
    const { meanAbsError, maxOutside } = summarise(variants)
    expect(meanAbsError).toBeLessThan(0.06)
    expect(maxOutside).toBeLessThan(0.07)
  })
})

test('the simulator of today deviates from raw flows as far as when the constants were refitted', () => {
  const { raw } = bestVariant(variants)
  const today = rawMisfit()
  expect(Math.abs(today.newcomer / raw.newcomer - 1)).toBeLessThan(0.15)
  expect(Math.abs(today.spread / raw.spread - 1)).toBeLessThan(0.3)
})

/*
 * Noise of raw flows: the least of each deviation, 0.3 and 0.2. Three rows of newcomers in two runs; a cluster's noise is 0.05.
 *
 *   ramp   raw                         cluster a          cluster b
 *   0.5    3·(0.3/0.3)² + 2 = 5        (0.05/0.05)² = 1   (0.30/0.05)² = 36
 *   1      3·1 + 2 = 5                 (0.10/0.05)² = 4   (0.05/0.05)² = 1
 *   2      3·(0.6/0.3)² + 2 = 14       (0.10/0.05)² = 4   0
 *
 * All: 42, 10, 18. Without a: 41, 6, 14. Without b: 6, 9, 18. Each error is the mean of two seeds.
 */
test('refitting by hand: the case left out has no say, raw flows always have', () => {
  const variant = (ramp: number, newcomer: number, a: number, b: number): Variant => ({
    ramp,
    spread: 1,
    raw: { rows: 3, newcomer, runs: 2, spread: 0.2 },
    cases: [
      { name: 'a', noise: [0.05], errors: [[a - 0.01, a + 0.01]], outside: [[0, 0]] },
      { name: 'b', noise: [0.05], errors: [[-b, -b]], outside: [[b / 2, b / 4]] }
    ]
  })
  const three = [variant(0.5, 0.3, 0.05, 0.3), variant(1, 0.3, 0.1, 0.05), variant(2, 0.6, 0.1, 0)]
  expect(bestVariant(three).ramp).toBe(1)
  const { perVariant, leftOut, meanAbsError, maxOutside } = summarise(three)
  expect(perVariant.map(one => one.misfit)).toEqual([42, 10, 18].map(sum => expect.closeTo(sum, 9)))
  expect(leftOut.map(one => [one.name, one.ramp])).toEqual([
    ['a', 1],
    ['b', 0.5]
  ])
  expect(leftOut[1].meanAbsError).toBeCloseTo(0.3, 12)
  expect(meanAbsError).toBeCloseTo(0.2, 12)
  expect(maxOutside).toBeCloseTo(0.15, 12)
})
