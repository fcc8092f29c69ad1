import type { Cluster, Statistics } from '@foretrain/core-wasm'
import { expect, test } from 'vitest'
import type { Demands } from '../src/demands.ts'
import { WorkCount } from '../src/simulate/workCount.ts'

/** Two workers of 300 µs of compute a step, one server: 1000 bytes each way at 10 bytes a µs are 100 µs. */
const demands: Demands = {
  pullBytes: Float64Array.of(1000),
  pushBytes: Float64Array.of(1000),
  updateUs: Float64Array.of(0),
  messageUs: Float64Array.of(0),
  computeUs: 300,
  computeStandardError: 0
}
const host = { outBytesPerUs: 10, inBytesPerUs: 10 }
const cluster = {
  workers: [
    { ...host, computeScale: 1, latencyUs: 0 },
    { ...host, computeScale: 2, latencyUs: 0 }
  ],
  servers: [{ ...host, updateScale: 1 }],
  computeSlots: 1,
  updateSlots: 1
} as Partial<Cluster> as Cluster

const after = (elapsedUs: number, pulled: number, pushed: number, computedUs: number[]) =>
  ({
    elapsedUs,
    pullBytes: Float64Array.of(pulled),
    pushBytes: Float64Array.of(pushed),
    computeBusyUs: Float64Array.from(computedUs),
    updateBusyUs: Float64Array.of(0)
  }) as Partial<Statistics> as Statistics

// The second worker takes twice as long, so its 600 µs are one step as the first one's 300 are.
test('work in steps, by resource; what takes no time is left out', () => {
  const count = new WorkCount(cluster, demands)
  expect([...count.done(after(2000, 8000, 7500, [600, 600])).steps]).toEqual([3, 8, 7.5])
})

// Compute: 450 µs a step on the mean. Pulls: 100 µs, 8 steps in 2000 µs: 40 % busy. Pushes: 37.5 %.
// Weights 450/1.03, 100/(1.03 − 0.4), 100/(1.03 − 0.375), over their sum.
test('a resource weighs as much as a step takes on it, a link over its idle share', () => {
  const count = new WorkCount(cluster, demands)
  const weights = count.weights(count.done(after(2000, 8000, 7500, [600, 600])))!
  const expected = [450 / 1.03, 100 / 0.63, 100 / 0.655]
  const sum = expected[0] + expected[1] + expected[2]
  expected.forEach((weight, i) => {
    expect(weights[i]).toBeCloseTo(weight / sum, 12)
  })
})

// A link that sent more than its rate allows, out of a token bucket, counts as never idle: 100/0.03.
test('a link that is never idle decides', () => {
  const count = new WorkCount(cluster, demands)
  const [compute, pull] = count.weights(count.done(after(2000, 22_000, 2000, [90, 0])))!
  expect(pull / compute).toBeCloseTo(100 / 0.03 / (450 / 1.03), 9)
})

// Updates of 500 µs of a usual server's two cores: 250 µs of the one core of server 1 is half of its step. Its clock is half as fast besides.
test('updates count in the core time of their own server', () => {
  const servers = [
    { ...host, updateScale: 1 },
    { ...host, updateScale: 2, updateSlots: 1 }
  ]
  const two = { ...cluster, servers, updateSlots: 2 }
  const none = Float64Array.of(0, 0)
  const updates = { ...demands, pullBytes: none, pushBytes: none, updateUs: Float64Array.of(500, 500), messageUs: none }
  const counted = { ...after(1000, 0, 0, [0, 0]), pullBytes: none, pushBytes: none, updateBusyUs: Float64Array.of(1500, 1500) }
  expect([...new WorkCount(two, updates).done(counted).steps]).toEqual([0, 3, 3])
})

test('an unlimited link takes no time and is left out', () => {
  const unlimited = { ...cluster, servers: [{ outBytesPerUs: Number.POSITIVE_INFINITY, inBytesPerUs: 10, updateScale: 1 }] }
  expect([...new WorkCount(unlimited, demands).done(after(2000, 8000, 7500, [600, 600])).steps]).toEqual([3, 7.5])
})

test('of nothing there are no weights', () => {
  const nothing = { ...demands, pullBytes: Float64Array.of(0), pushBytes: Float64Array.of(0), computeUs: 0 }
  const count = new WorkCount(cluster, nothing)
  expect(count.weights(count.done(after(0, 0, 0, [0, 0])))).toBeUndefined()
})
