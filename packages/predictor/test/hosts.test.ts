import { describe, expect, test } from 'vitest'
import { predict } from '../src/predict/predict.ts'
import { type Hosts, type Question, QuestionError } from '../src/question.ts'
import { jobOf } from './support/variables.ts'

/** 1 ms of compute, next to no transfer, 3 ms between steps. */
const small = jobOf([1000, 1000])
/** 1 MB in each direction a step. */
const large = jobOf([1e6])
const fixed = { replications: 2, steps: 20 }
const gigabit = { bandwidthBitsPerSecond: 8e9, payloadFraction: 1 }

async function point(hosts: Hosts, changes: Partial<Question> = {}) {
  const workers = hosts.workers.reduce((sum, { count }) => sum + count, 0)
  const effort = { replications: 4, steps: 80 }
  return (await predict({ profile: small, workers: [workers], hosts, ...gigabit, bufferUs: 0, fixed: effort, ...changes }))
    .points[0]
}

test('hosts that are all as traced are no different from none', async () => {
  const question = { profile: large, workers: [1, 3], ...gigabit, fixed }
  const plain = await predict(question)
  const { points } = await predict({ ...question, hosts: { workers: [{ count: 2 }, { count: 5, speed: 1 }] } })
  points.forEach(({ groups, computeSpeed, ...own }, i) => {
    expect(own).toEqual(plain.points[i])
    expect(computeSpeed).toBe(1)
  })
  expect(points[0].groups).toBeUndefined()
})

test('a worker of half the speed takes twice as long to compute; each has its own rate', async () => {
  const { perWorker, groups, computeSpeed, bounds } = await point({ workers: [{ count: 2 }, { count: 1, speed: 0.5 }] })
  const stepMs = perWorker.map(rate => 1000 / rate)
  expect(Math.abs(stepMs[2] - stepMs[0] - 1)).toBeLessThan(0.1)
  expect(stepMs[1] / stepMs[0]).toBeCloseTo(1, 1)
  expect(computeSpeed).toBeCloseTo(2.5 / 3, 12)
  expect(groups).toEqual([
    { label: 'as traced', workers: 2, stepsPerSecond: (perWorker[0] + perWorker[1]) / 2 },
    { label: 'speed 0.5', workers: 1, stepsPerSecond: perWorker[2] }
  ])
  // The bound is the sum of what each does alone.
  expect(bounds.compute / perWorker.reduce((sum, rate) => sum + rate, 0)).toBeCloseTo(1, 1)
})

test('a smaller cluster has the first workers', async () => {
  const hosts = { workers: [{ count: 1, speed: 4 }, { count: 3 }] }
  const { points } = await predict({ profile: small, workers: [1, 2], hosts, ...gigabit, fixed })
  expect(points.map(({ computeSpeed }) => computeSpeed)).toEqual([4, 2.5])
  expect(points[1].groups?.map(({ workers }) => workers)).toEqual([1, 1])
})

test('links and latencies of a worker of its own', async () => {
  // 1 MB in and out at 1000 and at 100 MB/s: 2 and 20 ms; 5 ms of latency more, each way once a direction.
  const { perWorker } = await point(
    {
      workers: [{ count: 1 }, { count: 1, bandwidthBitsPerSecond: 8e8 }, { count: 1, latencyUs: 5050 }]
    },
    { profile: large }
  )
  const stepMs = perWorker.map(rate => 1000 / rate)
  expect(stepMs[1] - stepMs[0]).toBeGreaterThan(15)
  expect(stepMs[1] - stepMs[0]).toBeLessThan(20)
  expect(stepMs[2] - stepMs[0]).toBeGreaterThan(9)
  expect(stepMs[2] - stepMs[0]).toBeLessThan(11)
})

/* Each server has an update of 4 ms a step; server 0 has 2 cores, server 1 one: 2 / 4 ms = 500 and 1 / 4 ms = 250 steps/s. */
test('servers with unequal cores: the one with fewer bounds', async () => {
  const base = jobOf([1e3, 1e3], [0, 1])
  const isUpdate = (id: number) => base.operations[id].kind === 'update'
  const steps = base.steps.map(step => ({ ...step, durationUs: step.durationUs.map((us, id) => (isUpdate(id) ? 4000 : us)) }))
  const profile = { ...base, steps }
  const unequal: Hosts = { workers: [{ count: 8 }], servers: [{ cores: 2 }, { cores: 1 }] }
  const { bounds, stepsPerSecond } = await point(unequal, { profile, servers: [2] })
  expect(bounds.serverCpu).toBeCloseTo(250, 6)
  expect(stepsPerSecond.mean).toBeLessThan(251)
  expect(stepsPerSecond.mean).toBeGreaterThan(230)
  const equal = await point({ workers: [{ count: 8 }], servers: [{ cores: 2 }, { cores: 2 }] }, { profile, servers: [2] })
  expect(equal.bounds.serverCpu).toBeCloseTo(500, 6)
  expect(equal.stepsPerSecond.mean).toBeGreaterThan(1.3 * stepsPerSecond.mean)
})

test('a slow server has a bound of its own', async () => {
  const hosts: Hosts = { workers: [{ count: 4 }], servers: [{}, { bandwidthBitsPerSecond: 8e8 }] }
  const { bounds, bottleneck, baselines } = await point(hosts, { profile: jobOf([1e6, 1e6]), servers: [2] })
  // 1 MB at 100 MB/s; the step of the trace that pulls 8 bytes more does so from server 0.
  expect(bounds.pullLink).toBeCloseTo(100, 6)
  expect(bottleneck.resource).toMatch(/^server 1 /)
  expect(baselines.queueing).toBeLessThan(101)
})

test('a list of servers is as many as it lists', async () => {
  const hosts: Hosts = { workers: [{ count: 1 }], servers: [{}, {}, {}] }
  expect((await point(hosts)).servers).toBe(3)
})

test('replicas count examples, not transfers', async () => {
  const one = await point({ workers: [{ count: 2 }] }, { batchSize: 32 })
  const four = await point({ workers: [{ count: 2, replicas: 4 }] }, { batchSize: 32 })
  expect(four.stepsPerSecond).toEqual(one.stepsPerSecond)
  expect(four.examplesPerSecond).toBe(4 * one.examplesPerSecond)
  const mixed = await point({ workers: [{ count: 1 }, { count: 1, replicas: 3 }] }, { batchSize: 32 })
  const [first, second] = mixed.perWorker
  expect(mixed.examplesPerSecond).toBeCloseTo(32 * (first + 3 * second), 9)
})

test('a group that is slow at times is slower than another, and slows it when workers wait for each other', async () => {
  const hosts: Hosts = { workers: [{ count: 2 }, { count: 2, straggler: { probability: 0.5, factor: 4 } }] }
  const ofGroups = async (mode: 'async' | 'ssp:0') => {
    const { perWorker } = await point(hosts, { mode })
    return [perWorker[0] + perWorker[1], perWorker[2] + perWorker[3]]
  }
  const [fast, slow] = await ofGroups('async')
  expect(slow).toBeLessThan(fast * 0.95)
  const [held, holding] = await ofGroups('ssp:0')
  expect(held).toBeLessThan(fast * 0.95)
  expect(Math.abs(held / holding - 1)).toBeLessThan(0.05)
})

/*
 * A switch's link of 300 Mbit/s that all four workers share before one server is a server of that rate, to the bit. Two workers behind 300 Mbit/s
 * beside two that are not: each of the former has a NIC of 150 Mbit/s in the model; a cluster with one of them gives it all 300.
 */
test('the link of a switch that all workers share is a slower link of their server', async () => {
  const behind = await point({ workers: [{ count: 4, uplinkBitsPerSecond: 3e8 }] })
  const slow = await point({ workers: [{ count: 4 }], servers: [{ bandwidthBitsPerSecond: 3e8 }] })
  expect(behind.stepsPerSecond).toEqual(slow.stepsPerSecond)
  expect(behind.bounds.pullLink).toBe(slow.bounds.pullLink)
})

test('one that a group shares is taken in equal parts, and that is said', async () => {
  const behind = { count: 2, uplinkBitsPerSecond: 3e8 }
  const ofParts = { count: 2, bandwidthBitsPerSecond: 1.5e8 }
  const shared = await point({ workers: [{ count: 2 }, behind] })
  expect(shared.perWorker).toEqual((await point({ workers: [{ count: 2 }, ofParts] })).perWorker)
  const question = { profile: small, ...gigabit, bufferUs: 0, fixed: { replications: 2, steps: 20 } }
  const { points, warnings } = await predict({ ...question, workers: [3], hosts: { workers: [{ count: 2 }, behind] } })
  const alone = { workers: [{ count: 2 }, { count: 1, bandwidthBitsPerSecond: 3e8 }] }
  expect(points[0].perWorker).toEqual((await predict({ ...question, workers: [3], hosts: alone })).points[0].perWorker)
  expect(warnings.map(({ code }) => code)).toContain('uplink-in-parts')
})

describe('what cannot be is refused in one line', () => {
  const workers = [{ count: 2 }]
  test.each<[string, Hosts, Partial<Question>]>([
    [
      "number of workers is 2: use at least 3, since colocate puts each of 3 servers on a worker's host",
      { workers, colocate: true },
      { servers: [1, 3] }
    ],
    [
      'cores: costs of messages on servers with different numbers of cores are not simulated yet: leave it out',
      { workers, servers: [{ cores: 4 }, { cores: 8 }] },
      { serverMessageUs: 50 }
    ],
    ['speed of group 1 of the workers is -1', { workers: [{ count: 2, speed: -1 }] }, {}],
    ['number of workers is 3, but the cluster has 2: use at most 2', { workers }, { workers: [3] }],
    ['number of servers is 3, but the cluster lists 1: use at most 1', { workers, servers: [{}] }, { servers: [3] }],
    ['number of parts of a variable is 0', { workers }, { variableParts: 0 }],
    ['servers is empty', { workers }, { servers: [] }]
  ])('%s', async (message, hosts, changes) => {
    const failure = await predict({ profile: small, workers: [2], hosts, ...changes }).catch(error => error)
    expect(failure).toBeInstanceOf(QuestionError)
    expect(failure.message).toContain(message)
  })

  test('what changes nothing is no reason to refuse', async () => {
    const hosts: Hosts = {
      workers: [{ count: 1, straggler: { probability: 0, factor: 2 } }],
      servers: [{ cores: 2 }],
      colocate: false
    }
    const { parameters } = await predict({ profile: small, workers: [1], hosts, ...gigabit, fixed })
    expect(parameters.serverCores.value).toBe(2)
  })
})
