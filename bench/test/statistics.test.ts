import { expect, test } from 'vitest'
import { interleave } from '../lib/interleave.mjs'
import { rowOf } from '../lib/row.mjs'
import { median, summarise } from '../lib/statistics.mjs'

test.each([
  [[5], 5],
  [[3, 1], 2],
  [[9, 1, 5], 5],
  [[10, 9, 2, 1], 5.5],
  [[100, 20, 3], 20]
])('the median of %j is %d', (values, expected) => {
  expect(median(values)).toBe(expected)
})

test('the median of nothing is an error', () => {
  expect(() => median([])).toThrow('the median of nothing')
})

test('a summary leaves its samples as they were', () => {
  const samples = [3, 1, 2]
  expect(summarise(samples)).toEqual({ median: 2, min: 1, max: 3, runs: 3 })
  expect(samples).toEqual([3, 1, 2])
})

test('a row has a measure and a bar only if they were given', () => {
  expect(rowOf('a', 's', [1])).toEqual({ name: 'a', unit: 's', median: 1, min: 1, max: 1, runs: 1 })
  expect(rowOf('a', 's', [1], { measure: 'm', bar: 0 })).toMatchObject({ measure: 'm', bar: 0 })
  expect(rowOf('a', 's', [1], { least: 0 })).toMatchObject({ least: 0 })
})

test('rivals take turns, each round begins with the next, and one ends before another begins', async () => {
  const events: string[] = []
  const rival = (name: string) => async (round: number) => {
    events.push(`${name}${round}`)
    await new Promise(resolve => setTimeout(resolve))
    events.push('.')
    return round * 10
  }
  const results = await interleave({ a: rival('a'), b: rival('b'), c: rival('c') }, 3)
  expect(events.join('')).toBe('a0.b0.c0.b1.c1.a1.c2.a2.b2.')
  expect(results).toEqual({ a: [0, 10, 20], b: [0, 10, 20], c: [0, 10, 20] })
})
