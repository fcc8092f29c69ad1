import { describe, expect, test } from 'vitest'
import { mserTruncation } from '../src/statistics/mser.ts'
import { closedNetworkThroughput } from '../src/statistics/mva.ts'
import { median, quantileOfSorted, summarise } from '../src/statistics/quantile.ts'
import { meanInterval, studentT975 } from '../src/statistics/studentT.ts'

describe('Student t, 97.5 %', () => {
  // Tables of the distribution.
  test.each([
    [1, 12.7062],
    [2, 4.30265],
    [3, 3.18245],
    [8, 2.306],
    [9, 2.26216],
    [10, 2.22814],
    [15, 2.13145],
    [30, 2.04227],
    [120, 1.97993],
    [1e9, 1.95996]
  ])('%i degrees of freedom', (degrees, wanted) => {
    expect(studentT975(degrees)).toBeCloseTo(wanted, 3)
  })

  test('one value has no interval', () => {
    expect(meanInterval([5])).toEqual({ mean: 5, halfWidth: Number.POSITIVE_INFINITY })
  })

  test('mean 2, standard error 1/√3', () => {
    const { mean, halfWidth } = meanInterval([1, 2, 3])
    expect(mean).toBe(2)
    expect(halfWidth).toBeCloseTo(4.30265 / Math.sqrt(3), 4)
  })
})

describe('quantiles', () => {
  test.each([
    [[1], 0.5, 1],
    [[1, 2], 0.5, 1.5],
    [[1, 2, 3, 4, 5], 0.95, 4.8],
    [[1, 2, 3, 4, 5], 1, 5]
  ])('of %j at %f', (values, q, wanted) => {
    expect(quantileOfSorted(values, q)).toBeCloseTo(wanted, 12)
  })

  test('of nothing', () => expect(quantileOfSorted([], 0.5)).toBeNaN())
  test('order does not matter', () => expect(summarise([3, 1, 2])).toEqual({ mean: 2, p50: 2, p95: 2.9 }))
  test('median', () => expect(median([9, 1, 5])).toBe(5))
})

describe('MSER', () => {
  const steady = Array.from({ length: 60 }, (_, i) => 10 + (i % 2))
  test('keeps a steady series', () => expect(mserTruncation(steady, 2)).toBe(0))
  test('cuts a start-up', () => expect(mserTruncation([50, 50, 40, 40, 30, 30, ...steady], 2)).toBe(6))
  test('never cuts more than half', () => expect(mserTruncation([...steady, 100, 100], 2)).toBeLessThanOrEqual(31))
  test('of nothing', () => expect(mserTruncation([])).toBe(0))
  test('shorter than a batch', () => expect(mserTruncation([1, 2, 3])).toBe(0))
})

describe('mean value analysis', () => {
  // One station of demand D and no think time is always busy: X = 1/D.
  test('single station', () => expect(closedNetworkThroughput([4], 0, 7)).toBeCloseTo(0.25, 12))
  // Machine repairman with 2 machines, Z = D = 1: X(1) = 1/2, Q(1) = 1/2, R(2) = 1.5, X(2) = 2/2.5.
  test('think time', () => expect(closedNetworkThroughput([1], 1, 2)).toBeCloseTo(0.8, 12))
  // Two equal stations: X(n) = n / (D·(n + 1)).
  test('balanced', () => expect(closedNetworkThroughput([2, 2], 0, 3)).toBeCloseTo(3 / 8, 12))
  test('no station', () => expect(closedNetworkThroughput([], 5, 10)).toBeCloseTo(2, 12))
})
