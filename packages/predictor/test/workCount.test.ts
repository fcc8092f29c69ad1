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

// Compute: 450 µs a step on the mean; 3 steps in two slots of 2000 µs are 33.75 % busy. Pulls: 100 µs, 8 steps in 2000 µs: 40 %. Pushes: 37.5 %.
// Weights 450/(1.03 − 0.3375), 100/(1.03 − 0.4), 100/(1.03 − 0.375), over their sum.
test('a resource weighs as much as a step takes on it, over its idle share', () => {
  const count = new WorkCount(cluster, demands)
  const weights = count.weights(count.done(after(2000, 8000, 7500, [600, 600])))!
  const expected = [450 / 0.6925, 100 / 0.63, 100 / 0.655]
  const sum = expected[0] + expected[1] + expected[2]
  expected.forEach((weight, i) => {
    expect(weights[i]).toBeCloseTo(weight / sum, 12)
  })
})

// A link that is never idle: 100/0.03 against 450/(1.03 − 0.0225) for compute that did 1 % as much.
test('a link that is never idle decides', () => {
  const count = new WorkCount(cluster, demands)
  const [compute, pull] = count.weights(count.done(after(2000, 20_000, 2000, [90, 0])))!
  expect(pull / compute).toBeCloseTo(100 / 0.03 / (450 / (1.03 - (0.3 * 450) / 4000)), 9)
})

test('of nothing there are no weights', () => {
  const nothing = { ...demands, pullBytes: Float64Array.of(0), pushBytes: Float64Array.of(0), computeUs: 0 }
  const count = new WorkCount(cluster, nothing)
  expect(count.weights(count.done(after(0, 0, 0, [0, 0])))).toBeUndefined()
})
