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

// A round of four, worker-steps at most 3000/s; a worker-step costs 1.25 of its updates: 50 µs on 8 cores.
test('rounds bound compute by the workers alone, and updates by adding up and applying', () => {
  const rounds = { computePerSecond: 3000, updateShare: 1.25, stepsPerRound: 4 }
  const bounds = boundsOf(demands, { ...capacities, rounds })
  expect(bounds.compute).toBe(3000)
  expect(bounds.serverCpu).toBeCloseTo((8 / 50) * 1e6, 9)
})

// Links take 50 and 150 of the 1000 µs, cores 5 and 2.5, one after the other: a round of four takes 792.5 + 4·207.5 = 1622.5.
test('in rounds all come to a station at once', () => {
  const rounds = { computePerSecond: 3000, updateShare: 1, stepsPerRound: 4 }
  expect(queueingThroughput(demands, { ...capacities, rounds })).toBeCloseTo((4 / 1622.5) * 1e6, 9)
})

test('queueing keeps the one-worker cycle', () => {
  expect(queueingThroughput(demands, { ...capacities, workers: 1 })).toBeCloseTo(1000, 9)
})

test('queueing saturates at the fullest link', () => {
  expect(queueingThroughput(demands, { ...capacities, workers: 500 })).toBeCloseTo((2 / 300) * 1e6, 0)
})
