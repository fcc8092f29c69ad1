import { type Core, loadCore, OperationKind } from '@foretrain/core-wasm'
import type { Profile } from '@foretrain/trace-parser'
import { beforeAll, describe, expect, test } from 'vitest'
import { playInOrder, tracedCluster } from '../src/calibrate/oneWorker.ts'
import { compile } from '../src/compile/compile.ts'
import type { Policy } from '../src/policies/policy.ts'
import { StepOrders } from '../src/policies/stepOrders.ts'
import { predict } from '../src/predict/predict.ts'
import type { Question } from '../src/question.ts'
import type { Path } from '../src/transport.ts'
import { oneStepProfile, type Part } from './support/stepGraphs.ts'
import { chainNetwork, recordedBySimulation } from './support/syntheticProfile.ts'

const path: Path = { goodputBytesPerUs: 100, windowBytes: Number.POSITIVE_INFINITY, parsePerByteUs: 0, latencyUs: 50 }

let core: Core
beforeAll(async () => {
  core = await loadCore()
})

const ordersOf = (profile: Profile, on: Path = path) =>
  new StepOrders({ profile, workers: [1], seed: 3 }, { compiled: compile(profile), path: on, pullReleaseShiftUs: 0 })

/** Mean step of one worker, µs. */
function stepUs(profile: Profile, policy: Question['policy'], on: Path = path): number {
  const { job } = ordersOf(profile, on).of({ policy })
  const { spanUs } = playInOrder(core, job, tracedCluster(profile, 'whole', on), false)
  return spanUs.reduce((sum, us) => sum + us, 0) / spanUs.length
}

const own = (pulls: number[]): Policy => ({ name: 'own', rank: () => ({ pulls }) })

function permutations(items: number[]): number[][] {
  if (items.length < 2) return [items]
  return items.flatMap((item, i) => permutations([...items.slice(0, i), ...items.slice(i + 1)]).map(rest => [item, ...rest]))
}

describe('hand-over', () => {
  const parts: Part[] = [
    ['a', 'pull', [], 1000],
    ['b', 'pull', [], 1000],
    ['c', 'pull', [], 1000],
    ['late', 'pull', ['x'], 1000],
    ['x', 'compute', ['a', 'b', 'c'], 500]
  ]
  const profile = oneStepProfile(parts, { a: 900, b: 700, c: 800 })
  const released = (policy: Policy) => {
    const { job, ordered } = ordersOf(profile).of({ policy })
    const names = ordered.operationOf.map(([id]) => profile.operations[id].name)
    return Array.from(job.releaseOperation, (operation, i) => `${names[operation]}@${job.releaseUs[i]}`)
  }

  test('in ascending rank, all at the earliest recorded start; a pull that waits for compute is not among them', () => {
    expect(released(own([2, 0, 1, 0]))).toEqual(['b@700', 'c@700', 'a@700'])
    expect(released(own([-1, 5, 0.5, 0]))).toEqual(['a@700', 'c@700', 'b@700'])
  })

  test('equal ranks keep the recorded order', () => {
    expect(released(own([0, 0, 0, 0]))).toEqual(['b@700', 'c@700', 'a@700'])
    expect(released(own([0, 1, 1, 0]))).toEqual(['a@700', 'b@700', 'c@700'])
  })

  test('recorded, or a policy that changes nothing, is the compiled job itself', () => {
    const orders = ordersOf(profile)
    expect(orders.of({}).job).toEqual(compile(profile).job)
    expect(orders.of({ policy: { name: 'none', rank: () => undefined } }).job).toEqual(compile(profile).job)
  })

  test.each<[string, ArrayLike<number>, RegExp]>([
    ['too few', [1, 2], /policy own ranks 2 of 4 pulls/],
    ['not a number', [1, 2, Number.NaN, 0], /policy own gives rank NaN to one of the pulls/],
    ['not finite', [1, 2, Number.POSITIVE_INFINITY, 0], /gives rank Infinity/]
  ])('ranks that are %s are refused', async (_what, pulls, message) => {
    const question = { profile, workers: [1], policy: own(pulls as number[]), fixed: { replications: 1, steps: 1 } }
    await expect(predict(question)).rejects.toThrow(message)
  })
})

describe('first turns', () => {
  const profile = oneStepProfile([
    ['a', 'pull', [], 8000],
    ['b', 'pull', [], 1000],
    ['x', 'compute', ['a', 'b'], 500],
    ['g', 'push', ['x'], 8000]
  ])
  const turnsOf = (first: number[], policy: Policy) => {
    const { job } = ordersOf(profile, { ...path, windowBytes: 3000, firstTurns: [Float64Array.from(first)] }).of({ policy })
    return Array.from(job.firstTurnBytes!, (bytes, at) => [job.kind[at], bytes])
  }
  const { pull, compute, push } = OperationKind
  const none = Number.POSITIVE_INFINITY

  test('of pulls are the window when any was cut, those of pushes as recorded', () => {
    expect(turnsOf([5000, none, none, 2000], own([1, 0]))).toEqual([
      [pull, 3000],
      [pull, 3000],
      [compute, none],
      [push, 2000]
    ])
  })

  test('where windows outgrew the pulls none is cut', () => {
    expect(turnsOf([none, none, none, 2000], own([1, 0])).filter(([kind]) => kind === pull)).toEqual([
      [pull, none],
      [pull, none]
    ])
  })
})

describe('on the wire', () => {
  /** Names of the pulls in the order in which their last bytes are sent, of each server. */
  const sent = (profile: Profile, pulls: number[], on: Path) => {
    const { job, ordered } = ordersOf(profile, on).of({ policy: own(pulls) })
    const { log } = playInOrder(core, job, tracedCluster(profile, 'auto', on), true)
    const transfers = log[0].filter(({ operation }) => job.kind[operation] === OperationKind.pull)
    transfers.sort((a, b) => a.wireEndUs - b.wireEndUs)
    return profile.servers.map((_, server) =>
      transfers
        .filter(({ operation }) => job.server[operation] === server)
        .map(({ operation }) => profile.operations[ordered.operationOf[operation][0]].name)
        .join(' ')
    )
  }
  const parts: Part[] = [
    ['a', 'pull', [], 8_000_000],
    ['b', 'pull', [], 1_000_000],
    ['c', 'pull', [], 1_000_000],
    ['d', 'pull', [], 2_000_000],
    ['x', 'compute', ['a', 'b', 'c', 'd'], 500]
  ]

  test('a tensor larger than the window ends after those that were handed over behind it; without a window the order is strict', () => {
    const profile = oneStepProfile(parts)
    expect(sent(profile, [0, 1, 2, 3], { ...path, windowBytes: 3_000_000 })).toEqual(['b c d a'])
    expect(sent(profile, [0, 1, 2, 3], path)).toEqual(['a b c d'])
    expect(sent(profile, [2, 0, 3, 1], path)).toEqual(['b d a c'])
  })

  test('every server sends its own in the order of all', () => {
    const one = oneStepProfile(parts)
    const operations = one.operations.map((operation, id) => ({ ...operation, server: id < 4 ? id % 2 : 0 }))
    const profile = { ...one, operations, servers: ['ps0', 'ps1'], clockOffsetUs: [0, 0] }
    expect(sent(profile, [3, 2, 1, 0], path)).toEqual(['c a', 'd b'])
    expect(sent(profile, [0, 1, 2, 3], path)).toEqual(['a c', 'b d'])
  })
})

describe('random', () => {
  test('at least 64 orders, equally many of every recorded step, in its place', () => {
    const profile = chainNetwork({ layers: [1000, 2000, 3000, 4000], forwardUs: 500, updateUs: 30, steps: 20 })
    const { job, ordered } = ordersOf(profile).of({ policy: 'random' })
    const recorded = compile(profile, { releasePullsTogether: true }).job
    expect(job.templates).toBe(80)
    expect(ordered.stepOf).toEqual(Array.from({ length: 80 }, (_, template) => template >> 2))
    const roots = recorded.releaseOperation.length / 20
    const seen = new Set<string>()
    for (let template = 0; template < 80; template++) {
      const step = template >> 2
      const slice = (values: ArrayLike<number>, of: number, length: number) =>
        Array.from(values).slice(of * length, (of + 1) * length)
      expect(slice(job.amount, template, job.operations)).toEqual(slice(recorded.amount, step, job.operations))
      expect(slice(job.releaseUs, template, roots)).toEqual(slice(recorded.releaseUs, step, roots))
      seen.add(slice(job.releaseOperation, template, roots).join())
    }
    expect(seen.size).toBe(24)
  })

  test('one recorded step is played in 64 orders', () => {
    expect(ordersOf(oneStepProfile([['a', 'pull', [], 10]])).of({ policy: 'random' }).job.templates).toBe(64)
  })

  test('a prediction walks the recorded step behind each of them', async () => {
    const layers = [40_000, 5_000_000, 600_000]
    const profile = recordedBySimulation(core, chainNetwork({ layers, forwardUs: 9000, updateUs: 60, steps: 6 }), path)
    const { points, warnings } = await predict({ profile, workers: [2], policy: 'random', fixed: { replications: 2, steps: 20 } })
    const { breakdownMs, stepMs, policy } = points[0]
    expect(policy).toBe('random')
    expect(Object.values(breakdownMs).reduce((sum, ms) => sum + ms, 0)).toBeCloseTo(stepMs.mean, 6)
    expect(warnings.filter(({ code }) => code === 'policy-not-measured')).toHaveLength(1)
  })
})

/** Transfers as long as compute, so that the order decides how much overlaps; five pulls have 120 orders. */
describe.each([
  [[50_000, 50_000, 50_000, 50_000, 50_000]],
  [[10_000, 200_000, 5_000, 80_000, 40_000]],
  [[300_000, 1_000, 2_000, 150_000]]
])('on a chain of %j bytes', layers => {
  const profile = chainNetwork({ layers, forwardUs: 600, updateUs: 30, steps: 1 })
  const all = () => permutations([...layers.keys()]).map(pulls => stepUs(profile, own(pulls)))

  test('tac and fifo are the best of all orders, tic no worse than the worst', () => {
    const us = all()
    const best = Math.min(...us)
    expect(Math.max(...us)).toBeGreaterThan(1.05 * best)
    for (const policy of ['tac', 'fifo'] as const) expect(stepUs(profile, policy)).toBeCloseTo(best, 6)
    expect(stepUs(profile, 'tic')).toBeLessThanOrEqual(Math.max(...us) + 1e-6)
  })
})

test('where compute begins when everything is there, every order takes as long', () => {
  const parts: Part[] = ['a', 'b', 'c', 'd'].map((name, i): Part => [name, 'pull', [], 10_000 * (i + 1)])
  const profile = oneStepProfile([...parts, ['x', 'compute', ['a', 'b', 'c', 'd'], 5000], ['g', 'push', ['x'], 10_000]])
  const recordedUs = stepUs(profile, 'recorded')
  // 100,000 bytes at 100 bytes/µs, latency and parsing, compute, then the push.
  expect(recordedUs).toBeCloseTo(1000 + 50 + 100 + 5000 + 100 + 50 + 100, 6)
  for (const policy of ['random', 'fifo', 'tic', 'tac'] as const) expect(stepUs(profile, policy)).toBeCloseTo(recordedUs, 6)
})
