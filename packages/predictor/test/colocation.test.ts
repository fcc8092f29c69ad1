import { loadCore } from '@foretrain/core-wasm'
import { expect, test } from 'vitest'
import { queueingThroughput } from '../src/bounds.ts'
import { colocated, hostDemands, meanHostDemands, mostSteps, onlyWorker } from '../src/colocation.ts'
import { predict } from '../src/predict/predict.ts'
import type { Question } from '../src/question.ts'
import { resourcesOf } from '../src/resources.ts'
import { clusterOf, setUp } from '../src/setUp.ts'
import { timeline } from '../src/timeline/timeline.ts'
import { equalVariables, points, recorded } from './published/job.ts'
import { collected } from './support/traceEvents.ts'

const demands = {
  pullBytes: Float64Array.of(100, 300),
  pushBytes: Float64Array.of(10, 30),
  updateUs: Float64Array.of(4, 2),
  messageUs: Float64Array.of(0, 0),
  computeUs: 500,
  computeStandardError: 0
}

const job = { variables: equalVariables(12, 40e6).map((one, i) => ({ ...one, server: i % 3 })), servers: 3 }
const profile = await recorded({ ...job, computeUs: 300_000, goodput: 118 })

// Out of host 0: 100 to each other worker, and what its worker pushes to server 1. Into it: 10 from each, and what it pulls from server 1.
test('a host’s links carry the server’s and the worker’s bytes, but nothing between these two', () => {
  const { out, in: into } = hostDemands(demands)
  expect(out).toEqual([
    { others: 100, own: 30 },
    { others: 300, own: 10 }
  ])
  expect(into).toEqual([
    { others: 10, own: 300 },
    { others: 30, own: 100 }
  ])
})

// Four workers: (3 · 100 + 30)/4 and (3 · 300 + 10)/4. With one, host 1 has no worker.
test('the mean worker asks (W − 1)/W of what servers elsewhere would send', () => {
  const four = meanHostDemands(demands, 4)
  expect(Array.from(four.pullBytes)).toEqual([82.5, 227.5])
  expect(Array.from(four.pushBytes)).toEqual([(3 * 10 + 300) / 4, (3 * 30 + 100) / 4])
  const one = meanHostDemands(demands, 1)
  expect(Array.from(one.pullBytes)).toEqual([30, 300])
  expect(Array.from(one.pushBytes)).toEqual([300, 30])
})

// 10 bytes/µs: worker 0, which needs 20 a step, does its 0.2 steps/µs with 4 of them; the 6 left are 0.06 steps of 100.
// Needing none, worker 0 is as fast as alone, and the others have 10: 0.1.
test('a link’s bound serves those first who need least of it, none beyond its own speed', () => {
  const rates = [0.2, 0.2, 0.2]
  expect(mostSteps(10, 0, { others: 100, own: 20 }, rates)).toBeCloseTo(0.26, 12)
  expect(mostSteps(10, 0, { others: 100, own: 0 }, rates)).toBeCloseTo(0.3, 12)
  expect(mostSteps(1e9, 0, { others: 100, own: 20 }, rates)).toBeCloseTo(0.6, 12)
})

test('queueing keeps the one-worker cycle, although a transfer is on two links', () => {
  const capacities = { aloneUs: 1000, goodputBytesPerUs: 1, serverCores: 8, colocatedRates: [0.001] }
  const one = queueingThroughput(meanHostDemands(demands, 1), { ...capacities, workers: 1 })
  expect(one).toBeCloseTo(1000, 9)
})

test('a worker alone keeps its own server at home', async () => {
  const set = setUp(await loadCore(), { profile, workers: [4], colocate: true })
  const scenario = { job: set.job, cluster: clusterOf(set, 4), demands: { ...demands, pullBytes: Float64Array.of(1, 2, 3) } }
  const last = onlyWorker(scenario, 2)
  expect(last.cluster.workers).toEqual([scenario.cluster.workers[2]])
  expect(Array.from(last.demands.pullBytes)).toEqual([3, 2, 1])
  expect(Array.from(last.job.server, server => [2, 1, 0][server])).toEqual(Array.from(scenario.job.server))
  const elsewhere = onlyWorker(scenario, 3)
  expect(elsewhere.cluster.colocate).toBe(false)
  expect(elsewhere.job).toBe(scenario.job)
})

test('raising a host’s link raises the other end of what crosses it, and keeps one NIC a host', async () => {
  const cluster = clusterOf(setUp(await loadCore(), { profile, workers: [4], colocate: true }), 4)
  expect(cluster).toEqual(colocated({ ...cluster, colocate: false }))
  const { single, duplex } = resourcesOf(cluster)
  expect(single.map(({ name }) => name).slice(0, 4)).toEqual([
    'worker compute',
    'host 0 out link',
    'host 0 in link',
    'server 0 cpu'
  ])
  const rates = (list: readonly { outBytesPerUs: number; inBytesPerUs: number }[]) =>
    list.map(host => [host.outBytesPerUs, host.inBytesPerUs].map(rate => rate / cluster.workers[0].outBytesPerUs))
  const out = single[1].raised(cluster, 2)
  expect(rates(out.workers)).toEqual([
    [2, 1],
    [1, 2],
    [1, 2],
    [1, 2]
  ])
  expect(rates(out.servers)).toEqual(rates(out.workers).slice(0, 3))
  expect(rates(duplex[0].raised(cluster, 2).workers)).toEqual([
    [2, 2],
    [2, 2],
    [2, 2],
    [2, 2]
  ])
})

test('more servers than workers are refused in one line', async () => {
  const question: Question = { profile, workers: [4, 2], colocate: true }
  await expect(predict(question)).rejects.toThrow(
    "number of workers is 2: use at least 3, since colocate puts each of 3 servers on a worker's host"
  )
})

test('what is asked for is said, and that nobody measured it', async () => {
  const { warnings, parameters } = await predict({ profile, workers: [3], colocate: true, fixed: { replications: 1, steps: 5 } })
  expect(warnings.map(({ code }) => code)).toContain('colocation-not-measured')
  expect(parameters.loopback).toMatchObject({ value: 5.15e9, unit: 'B/s', source: 'default' })
  const apart = await predict({ profile, workers: [3], fixed: { replications: 1, steps: 5 } })
  expect(apart.warnings.map(({ code }) => code)).not.toContain('colocation-not-measured')
  expect(apart.parameters).not.toHaveProperty('loopback')
})

test('throughput stays below every bound', async () => {
  const colocate = true
  for (const point of Object.values(await points(profile, [3, 6, 12], { colocate }))) {
    for (const bound of Object.values(point.bounds)) expect(point.stepsPerSecond.ci95[0]).toBeLessThan(bound)
    expect(point.bounds.pullLink).toBeLessThan(Number.MAX_VALUE)
  }
})

test('throughput stays below every bound where workers wait for each other', async () => {
  for (const mode of ['sync', 'sync:backup=1', 'ssp:0'] as const) {
    const { 4: point } = await points(profile, [4], { colocate: true, mode })
    for (const bound of Object.values(point.bounds)) expect(point.stepsPerSecond.ci95[0]).toBeLessThan(bound)
    expect(point.baselines.queueing).toBeLessThan(point.bounds.compute)
  }
})

test('hosts that say so and the flag mean the same', async () => {
  const workers = [{ count: 3 }]
  const byFlag = await points(profile, [3], { hosts: { workers }, colocate: true })
  expect(await points(profile, [3], { hosts: { workers, colocate: true } })).toEqual(byFlag)
  expect(byFlag[3].utilisation).toHaveProperty('host 0 out link')
  const overruled = await points(profile, [3], { hosts: { workers, colocate: true }, colocate: false })
  expect(overruled[3].utilisation).toHaveProperty('server 0 pull link')
})

// 12.5 MB/s for host 1 and its 13.3 MB for each other worker, where the others have 118 MB/s.
test('an unequal host has one NIC, the worker’s, and bounds of its own', async () => {
  const hosts: Question['hosts'] = {
    workers: [{ count: 1 }, { count: 1, bandwidthBitsPerSecond: 1e8 }, { count: 2 }],
    servers: [{}, { bandwidthBitsPerSecond: 1e12 }, {}],
    colocate: true
  }
  const set = setUp(await loadCore(), { profile, workers: [4], hosts })
  const { workers, servers } = clusterOf(set, 4)
  servers.forEach((server, host) => {
    expect(server.outBytesPerUs).toBe(workers[host].outBytesPerUs)
    expect(server.inBytesPerUs).toBe(workers[host].inBytesPerUs)
  })
  const { 4: point } = await points(profile, [4], { hosts })
  expect(point.bottleneck.resource).toMatch(/^host 1 /)
  for (const bound of Object.values(point.bounds)) expect(point.stepsPerSecond.ci95[0]).toBeLessThan(bound)
  const { 4: equal } = await points(profile, [4], { hosts: { workers: [{ count: 4 }], colocate: true } })
  expect(point.bounds.pullLink).toBeLessThan(0.3 * equal.bounds.pullLink)
})

test('another number of servers than the traces’, and chunks by priority', async () => {
  const question = { servers: [2], colocate: true, policy: 'priority' as const }
  const { 2: point } = await points(profile, [2], question)
  expect(point.servers).toBe(2)
  expect(Object.keys(point.utilisation)).toContain('host 1 in link')
  for (const bound of Object.values(point.bounds)) expect(point.stepsPerSecond.ci95[0]).toBeLessThan(bound)
})

test('a timeline shows that what stays at home has no latency and is on no link', async () => {
  const one = await recorded({ variables: equalVariables(12, 40e6), computeUs: 300_000, goodput: 118 })
  const { chunks } = await timeline({ profile: one, workers: [1], colocate: true, latencyUs: 5000 })
  const { traceEvents } = await collected(chunks)
  expect(traceEvents.filter(({ name }) => name === 'link out, streams')).toEqual([])
  const slices = traceEvents.filter(({ ph }) => ph === 'X')
  const parsed = slices.filter(({ cat }) => cat === 'parse')
  expect(parsed.length).toBeGreaterThan(0)
  const pull = slices.find(({ cat }) => cat === 'pull')!
  const parse = parsed.find(({ name, args }) => name === pull.name && args?.step === pull.args?.step)!
  expect(parse.ts - (pull.ts + pull.dur)).toBeLessThan(1000)
})

// Worker 0's only server is at home.
test('a worker with its server at home goes at the speed of compute and parsing', async () => {
  const one = await recorded({ variables: equalVariables(12, 40e6), computeUs: 300_000, goodput: 118 })
  const { 1: home } = await points(one, [1], { colocate: true })
  expect(home.utilisation['host 0 out link']).toBe(0)
  expect(home.breakdownMs.latency).toBeLessThan((await points(one, [1]))[1].breakdownMs.latency)
  // 300 ms of compute, 3 of overhead, the first layer's pull and the last one's push at 5.15 GB/s, some parsing.
  expect(home.stepMs.mean).toBeGreaterThan(303)
  expect(home.stepMs.mean).toBeLessThan(312)
})
