import { expect, test } from 'vitest'
import { boundsOf, queueingThroughput } from '../src/bounds.ts'

const demands = {
  pullBytes: Float64Array.of(100, 300),
  pushBytes: Float64Array.of(0, 0),
  updateUs: Float64Array.of(40, 20),
  messageUs: Float64Array.of(0, 0),
  computeUs: 500,
  computeStandardError: 0
}
const capacities = { workers: 4, aloneUs: 1000, goodputBytesPerUs: 2, serverCores: 8 }

test('bounds follow the fullest server', () => {
  const bounds = boundsOf(demands, capacities)
  expect(bounds.compute).toBeCloseTo(4000, 9)
  expect(bounds.pullLink).toBeCloseTo((2 / 300) * 1e6, 9)
  expect(bounds.serverCpu).toBeCloseTo((8 / 40) * 1e6, 9)
  expect(bounds.pushLink).toBe(Number.MAX_VALUE)
})

test('queueing keeps the one-worker cycle', () => {
  expect(queueingThroughput(demands, { ...capacities, workers: 1 })).toBeCloseTo(1000, 9)
})

test('queueing saturates at the fullest link', () => {
  expect(queueingThroughput(demands, { ...capacities, workers: 500 })).toBeCloseTo((2 / 300) * 1e6, 0)
})
