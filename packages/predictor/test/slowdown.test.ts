import { type Core, loadCore } from '@foretrain/core-wasm'
import type { Profile } from '@foretrain/trace-parser'
import { beforeAll, describe, expect, test } from 'vitest'
import { optimusCurve, optimusThroughput } from '../src/baselines/optimus.ts'
import { predict } from '../src/predict/predict.ts'
import type { Question } from '../src/question.ts'
import { chainNetwork, recordedBySimulation } from './support/syntheticProfile.ts'

const path = { goodputBytesPerUs: 110, windowBytes: Number.POSITIVE_INFINITY, parsePerByteUs: 4e-5, latencyUs: 50 }

let core: Core
/** Almost all compute: 3 × 4 × 25 ms, and a fifth of a millisecond on the wire. */
let computing: Profile
/** 1 MB each way at 110 MB/s beside 36 ms of compute. */
let sending: Profile
beforeAll(async () => {
  core = await loadCore()
  const slow = chainNetwork({ layers: [5000, 5000, 5000, 5000], forwardUs: 25_000, updateUs: 5, steps: 20 })
  computing = recordedBySimulation(core, slow, path)
  sending = recordedBySimulation(core, chainNetwork({ layers: [250_000, 750_000], forwardUs: 6000, updateUs: 60, steps: 20 }), path)
})

const ask = async (profile: Profile, changes: Partial<Question>) =>
  predict({ profile, workers: [1], fixed: { replications: 2, steps: 40 }, ...changes })

describe('unequal workers', () => {
  test('a worker three times as slow does a third of the steps', async () => {
    const [point] = (await ask(computing, { workers: [3], computeSlowdown: { 1: 3 } })).points
    const [first, slow, last] = point.perWorker
    expect(slow / first).toBeCloseTo(1 / 3, 1)
    expect(last / first).toBeCloseTo(1, 1)
    // Nothing is in the way of these workers, so the bound is reached and the network of queues sees none.
    expect(point.bounds.compute / point.stepsPerSecond.mean).toBeCloseTo(1, 1)
    expect(point.baselines.queueing / point.stepsPerSecond.mean).toBeCloseTo(1, 1)
  })

  test('the traced worker’s own factor is in the traces', async () => {
    const { points } = await ask(computing, { workers: [1, 2], computeSlowdown: { 0: 3 } })
    const [alone, both] = points
    const recorded = (await ask(computing, {})).points[0]
    expect(alone.stepsPerSecond.mean).toBe(recorded.stepsPerSecond.mean)
    // The other one is not slowed: three times the rate of the recorded one.
    expect(both.perWorker[1] / both.perWorker[0]).toBeCloseTo(3, 0)
    expect(both.speedup).toBeCloseTo(4, 0)
  })

  test('traced at another worker, the first one may be the faster one', async () => {
    const [alone] = (await ask(computing, { computeSlowdown: { 4: 2 }, tracedWorker: 4 })).points
    const [recorded] = (await ask(computing, {})).points
    expect(alone.stepsPerSecond.mean / recorded.stepsPerSecond.mean).toBeCloseTo(2, 1)
  })

  test('all slowed alike, the traced one among them, is the recorded cluster', async () => {
    const alike = (await ask(computing, { workers: [2], computeSlowdown: { 0: 3, 1: 3 } })).points
    expect(alike).toEqual((await ask(computing, { workers: [2] })).points)
  })

  test('are named among the parameters', async () => {
    const { parameters } = await ask(computing, { computeSlowdown: { 0: 3, 2: 1.5 } })
    expect(parameters.computeSlowdown).toEqual({ value: 'worker 0: 3, worker 2: 1.5', unit: 'factor', source: 'flag' })
    expect((await ask(computing, {})).parameters).not.toHaveProperty('computeSlowdown')
  })
})

describe('a compute speed', () => {
  test('shortens the compute of every worker, and of the bounds and baselines', async () => {
    const [recorded] = (await ask(computing, { workers: [2] })).points
    const { points, parameters } = await ask(computing, { workers: [2], computeSpeed: 2 })
    const [point] = points
    expect(point.stepsPerSecond.mean / recorded.stepsPerSecond.mean).toBeCloseTo(2, 1)
    expect(point.breakdownMs.compute / recorded.breakdownMs.compute).toBeCloseTo(0.5, 2)
    expect(point.bounds.compute / point.stepsPerSecond.mean).toBeCloseTo(1, 1)
    expect(point.baselines.queueing / point.stepsPerSecond.mean).toBeCloseTo(1, 1)
    expect(point.computeSpeed).toBe(2)
    expect(parameters.computeSpeed).toEqual({ value: 2, unit: 'times as traced', source: 'flag' })
  })

  test('is the same as a step time that asks for the same scale, and as a speed of all hosts', async () => {
    const scaled = await ask(computing, { workers: [2], computeSpeed: 0.5 })
    const hosts = await ask(computing, { hosts: { workers: [{ count: 2, speed: 0.5 }] }, workers: [2] })
    expect(scaled.points[0].stepsPerSecond).toEqual(hosts.points[0].stepsPerSecond)
    expect(scaled.parameters.computeScale.value).toBe(2)
  })

  test('is times the speeds of unequal hosts', async () => {
    const hosts = { workers: [{ count: 1 }, { count: 1, speed: 0.5 }] }
    const [point] = (await ask(computing, { hosts, workers: [2], computeSpeed: 3 })).points
    expect(point.computeSpeed).toBeCloseTo(2.25, 12)
  })
})

describe('the path of a case', () => {
  test('another bandwidth keeps the losses that were calibrated', async () => {
    const half = await ask(sending, { bandwidthBitsPerSecond: 5e8, tracedBandwidthBitsPerSecond: 1e9, payloadFraction: 0.5 })
    expect((half.parameters.goodput.value as number) / 55e6).toBeCloseTo(1, 2)
  })

  test('the traced bandwidth is what was calibrated, to the bit', async () => {
    const same = await ask(sending, { bandwidthBitsPerSecond: 3e8, tracedBandwidthBitsPerSecond: 3e8 })
    expect(same.points[0].stepsPerSecond).toEqual((await ask(sending, {})).points[0].stepsPerSecond)
  })

  test('without a traced bandwidth, the payload of packets decides', async () => {
    const { parameters } = await ask(sending, { bandwidthBitsPerSecond: 1e9, payloadFraction: 0.9 })
    expect(parameters.goodput.value).toBeCloseTo(112.5e6, 3)
  })

  test('a latency under which the traces were taken is in their times already', async () => {
    const far = recordedBySimulation(core, chainNetwork({ layers: [1_000_000], forwardUs: 9000, updateUs: 60, steps: 20 }), {
      ...path,
      latencyUs: 5000
    })
    const { points, replay, parameters } = await ask(far, { latencyUs: 5000, tracedLatencyUs: 5000 })
    expect(points[0].stepMs.mean / (replay.recordedMs + 3)).toBeCloseTo(1, 1)
    expect(parameters.latency).toMatchObject({ value: 5000, source: 'flag' })
  })

  test('a deeper queue ramps newcomers up more slowly', async () => {
    const ramp = async (changes: Partial<Question>) => (await ask(sending, changes)).parameters.ramp.value as number
    expect((await ramp({ bufferUs: 10_000 })) / (await ramp({}))).toBeCloseTo(2 ** 0.67, 6)
    expect(await ramp({ bufferUs: 10_000, rampUs: 7 })).toBe(7)
    expect(await ramp({ bufferUs: 10_000, transport: 'simple' })).toBe(0)
  })
})

describe('the curve of Optimus', () => {
  const demands = {
    pullBytes: Float64Array.of(100, 300),
    pushBytes: Float64Array.of(500, 200),
    updateUs: Float64Array.of(80, 40),
    messageUs: Float64Array.of(0, 0),
    computeUs: 500,
    computeStandardError: 0
  }
  const capacities = { workers: 4, aloneUs: 1000, goodputBytesPerUs: 2, serverCores: 8 }

  test('by hand: server 0 holds up a step for 500/2 + 80/8 µs', () => {
    const curve = optimusCurve(demands, capacities)
    expect(curve).toEqual({ a: 740, b: 520, c: 0, d: 0, servers: 2 })
    expect(optimusThroughput(curve, 1)).toBeCloseTo(1000, 9)
    expect(optimusThroughput(curve, 4)).toBeCloseTo(4e6 / (740 + 4 * 260), 9)
    // Towards what the fullest server can take.
    expect(optimusThroughput(curve, 1e9)).toBeCloseTo(1e6 / 260, 3)
  })

  test('transfers that fill the step leave no compute, never less than none', () => {
    const curve = optimusCurve(demands, { ...capacities, aloneUs: 100 })
    expect(curve.a).toBe(0)
    expect(optimusThroughput(curve, 8)).toBeCloseTo(1e4, 9)
  })
})
