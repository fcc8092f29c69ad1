import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { levelsFor, spread } from '../../src/engine/levels.ts'

describe('spread', () => {
  it('takes sizes at about equal ratios', () => {
    expect(
      spread(
        Array.from({ length: 16 }, (_, i) => i + 1),
        5
      )
    ).toEqual([1, 2, 4, 8, 16])
  })

  it('keeps the ends, the order, and the number asked for', () => {
    const sizes = fc.uniqueArray(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 80 })
    fc.assert(
      fc.property(sizes, fc.integer({ min: 2, max: 20 }), (some, count) => {
        const sorted = [...some].sort((a, b) => a - b)
        const taken = spread(sorted, count)
        expect(taken.length).toBeLessThanOrEqual(Math.max(count, 1))
        expect(taken[0]).toBe(sorted[0])
        expect(taken.at(-1)).toBe(sorted.at(-1))
        expect(taken).toEqual([...taken].sort((a, b) => a - b))
        expect(taken.every(size => sorted.includes(size))).toBe(true)
      })
    )
  })
})

describe('levels', () => {
  it('end with every size, to the precision that was asked for', () => {
    const [coarse, , full] = levelsFor([1, 2, 3, 4, 5, 6, 7, 8])
    expect(coarse.workers.length).toBe(5)
    expect(coarse.fixed).toEqual({ replications: 1, steps: 8 })
    expect(full).toEqual({ name: 'full', workers: [1, 2, 3, 4, 5, 6, 7, 8] })
  })
})
