/** What limits a server's connections beyond the rate of its links: processors, caps on single connections, token buckets. */
import { expect, test } from 'vitest'
import { predict } from '../src/predict/predict.ts'
import { equalVariables, points, rate, recorded } from './published/job.ts'

const goodput = 115

test('messages queue for the cores of their server, pulls and pushes alike', async () => {
  // 20 pulls and 20 pushes of 2 ms on 2 cores: 40 ms of the server a step, 25 steps/s, far below what links and workers could.
  const profile = await recorded({ variables: equalVariables(20, 1e5), computeUs: 100_000, goodput })
  const { 12: point } = await points(profile, [12], { serverCores: 2, serverMessageUs: 2000, serverPerByteUs: 0 })
  expect(point.bounds.serverCpu).toBeCloseTo(25, 6)
  expect(rate(point)).toBeLessThan(25.1)
  expect(rate(point)).toBeGreaterThan(24)
  expect(point.bottleneck.resource).toBe('server 0 cpu')
  expect(point.utilisation['server 0 cpu']).toBeGreaterThan(0.95)
  expect(point.baselines.queueing).toBeLessThan(25.1)
})

test('bytes cost as messages do', async () => {
  // 1 MB each way at 20 ms a MB on 2 cores: 20 ms of the server, 50 steps/s.
  const profile = await recorded({ variables: equalVariables(20, 1e6), computeUs: 100_000, goodput: 1000 })
  const { 12: point } = await points(profile, [12], { serverCores: 2, serverMessageUs: 0, serverPerByteUs: 0.02 })
  expect(point.bounds.serverCpu).toBeCloseTo(50, 6)
  expect(rate(point)).toBeLessThan(50.2)
  expect(rate(point)).toBeGreaterThan(47)
})

test('a connection with a cap is no faster on a link that could do more', async () => {
  const profile = await recorded({ variables: [{ bytes: 20e6 }], computeUs: 10_000, goodput })
  const capped = { bandwidthBitsPerSecond: 8e9, flowLimitBitsPerSecond: 1e9, tracedBandwidthBitsPerSecond: 1e9 }
  const at = await points(profile, [1, 4], capped)
  const traced = await points(profile, [1])
  expect(rate(at[1]) / rate(traced[1])).toBeCloseTo(1, 2)
  // Each of the four has its own cap, and together they stay below the link.
  expect(at[4].speedup).toBeGreaterThan(3.8)
  expect(at[1].stepMs.mean).toBeGreaterThan((2 * 20e6) / goodput / 1000)
})

test('what a token bucket gives away is not sent at the rate of the link', async () => {
  const profile = await recorded({ variables: [{ bytes: 2e6 }], computeUs: 100_000, goodput })
  const fixed = { replications: 1, steps: 20 }
  const without = (await points(profile, [1], { fixed }))[1].stepMs.mean
  const withBurst = (await points(profile, [1], { fixed, freeBurstBytes: 460_000 }))[1].stepMs.mean
  // 4 ms of the pull and 4 ms of the push.
  expect(without - withBurst).toBeCloseTo(8, 1)
})

test('parameters say where limits come from', async () => {
  const profile = await recorded({ variables: [{ bytes: 2e6 }], computeUs: 100_000, goodput })
  const question = { profile, workers: [1], fixed: { replications: 1, steps: 5 } }
  const { parameters: plain } = await predict(question)
  expect(plain.flowLimit).toMatchObject({ value: 'unlimited', source: 'default' })
  expect(plain.burst).toMatchObject({ value: 0, source: 'default' })
  expect(plain.serverMessage).toMatchObject({ value: 0, source: 'default' })
  const limits = { freeBurstBytes: 1000, flowLimitBitsPerSecond: 1e9, payloadFraction: 0.9, serverMessageUs: 7 }
  const { parameters } = await predict({ ...question, ...limits })
  expect(parameters.burst).toEqual({ value: 1000, unit: 'B', source: 'flag' })
  expect(parameters.flowLimit).toEqual({ value: 112.5e6, unit: 'B/s', source: 'flag' })
  expect(parameters.serverMessage).toEqual({ value: 7, unit: 'us', source: 'flag' })
  expect(parameters.serverPerByte.source).toBe('default')
})
