import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { shareDefaults } from '@foretrain/predictor'
import { describe, expect, test } from 'vitest'
import { bestVariant, summarise, type Variant } from '../accuracy/refit.mjs'

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
    expect(summarise(variants).meanAbsError).toBeLessThan(0.06)
  })
})

test('refitting by hand: the case left out has no say', () => {
  const variant = (ramp: number, a: number, b: number): Variant => ({
    ramp,
    spread: 1,
    cases: [
      { name: 'a', errors: [a], outside: [0] },
      { name: 'b', errors: [-b], outside: [b / 2] }
    ]
  })
  const three = [variant(0.5, 0.01, 0.3), variant(1, 0.06, 0.02), variant(2, 0.2, 0.01)]
  expect(bestVariant(three).ramp).toBe(1)
  // Without a the last fits b best and errs by 0.2 on a; without b the first fits a best and errs by 0.3 on b.
  const { leftOut, meanAbsError, maxOutside } = summarise(three)
  expect(leftOut.map(one => [one.name, one.ramp, one.meanAbsError])).toEqual([
    ['a', 2, 0.2],
    ['b', 0.5, 0.3]
  ])
  expect(meanAbsError).toBeCloseTo(0.25, 12)
  expect(maxOutside).toBeCloseTo(0.15, 12)
})
