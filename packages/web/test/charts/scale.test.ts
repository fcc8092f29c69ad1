import { describe, expect, it } from 'vitest'
import { binsOf } from '../../src/charts/StalenessChart.tsx'
import { linear, ticks, tickText, wholeTicks } from '../../src/charts/scale.ts'

describe('scales', () => {
  it('map a domain onto a range, also downwards', () => {
    const scale = linear([0, 10], [100, 0])
    expect([0, 5, 10].map(scale)).toEqual([100, 50, 0])
    expect(linear([3, 3], [5, 50])(3)).toBe(5)
  })

  it.each([
    [7.3, 4, [0, 2, 4, 6, 8]],
    [1.206, 5, [0, 0.25, 0.5, 0.75, 1, 1.25]],
    [0.00034, 5, [0, 0.0001, 0.0002, 0.0003, 0.0004]],
    [0, 5, [0, 1]],
    [Number.NaN, 5, [0, 1]]
  ])('have round ticks that cover 0 to %d', (most, count, wanted) => {
    expect(ticks(most, count)).toEqual(wanted)
  })

  it.each([
    [1, 16, 6],
    [1, 1, 6],
    [3, 4, 12],
    [1, 100_000, 12],
    [500, 512, 4]
  ])('have few whole ticks from %d to %d', (first, last, count) => {
    const found = wholeTicks(first, last, count)
    expect(found[0]).toBe(first)
    expect(found.length).toBeLessThanOrEqual(count + 2)
    expect(found.every(Number.isInteger)).toBe(true)
    expect(found.at(-1)).toBeLessThanOrEqual(last)
    expect([...new Set(found)].sort((a, b) => a - b)).toEqual(found)
  })

  it('write ticks with the decimals that tell them apart', () => {
    expect([0, 0.25, 0.5].map(tick => tickText(tick, [0, 0.25, 0.5]))).toEqual(['0.00', '0.25', '0.50'])
    expect(tickText(4000, [0, 2000, 4000])).toBe('4000')
  })
})

describe('bins of a staleness histogram', () => {
  it('have one value each while there are few', () => {
    expect(binsOf([1, 0, 3])).toEqual([
      { from: 0, to: 0, share: 0.25 },
      { from: 1, to: 1, share: 0 },
      { from: 2, to: 2, share: 0.75 }
    ])
  })

  it('lose no step when they are many', () => {
    const bins = binsOf(Array.from({ length: 1_237 }, (_, i) => i % 7))
    expect(bins.length).toBeLessThanOrEqual(60)
    expect(bins.at(-1)!.to).toBe(1_236)
    expect(bins.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12)
  })
})
