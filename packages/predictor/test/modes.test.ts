import { type Core, loadCore } from '@foretrain/core-wasm'
import type { Profile } from '@foretrain/trace-parser'
import { beforeAll, describe, expect, test } from 'vitest'
import { clusterMode, modeProblem, parseMode, roundLimits } from '../src/mode.ts'
import { predict } from '../src/predict/predict.ts'
import type { Question } from '../src/question.ts'
import type { Mode, Point } from '../src/schema.ts'
import { chainNetwork, recordedBySimulation } from './support/syntheticProfile.ts'

const path = { goodputBytesPerUs: 119.5, windowBytes: Number.POSITIVE_INFINITY, parsePerByteUs: 4e-5, latencyUs: 50 }

let core: Core
let profile: Profile
beforeAll(async () => {
  core = await loadCore()
  const layers = [40_000, 600_000, 80_000, 300_000]
  profile = recordedBySimulation(core, chainNetwork({ layers, forwardUs: 9000, updateUs: 200, steps: 20 }), path)
})

const ask = (changes: Partial<Question> = {}) =>
  predict({ profile, workers: [8], fixed: { replications: 3, steps: 60 }, ...changes })
const pointIn = async (mode: Mode, changes: Partial<Question> = {}): Promise<Point> => (await ask({ mode, ...changes })).points[0]
const rateIn = async (mode: Mode, changes: Partial<Question> = {}) => (await pointIn(mode, changes)).stepsPerSecond.mean
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

const modes: Mode[] = ['async', 'ssp:0', 'ssp:2', 'sync', 'sync:backup=2']

describe('a point', () => {
  test.each(modes)('in mode %s agrees with itself and keeps to the bounds', async mode => {
    const slowed = { computeSlowdown: { 3: 1.5 }, straggler: { probability: 0.1, factor: 3 } }
    for (const changes of [{}, slowed]) {
      const point = await pointIn(mode, changes)
      expect(point.mode).toBe(mode)
      expect(sum(Object.values(point.breakdownMs))).toBeCloseTo(point.stepMs.mean, 6)
      expect(sum(point.perWorker)).toBeCloseTo(point.stepsPerSecond.mean, 6)
      for (const bound of Object.values(point.bounds)) expect(point.stepsPerSecond.mean).toBeLessThan(1.01 * bound)
      expect(point.baselines.queueing).toBeGreaterThan(0)
    }
  })

  test('tells rounds where workers move in rounds', async () => {
    const used = { async: undefined, 'ssp:0': 8, 'ssp:2': undefined, sync: 8, 'sync:backup=2': 6 }
    for (const [mode, perRound] of Object.entries(used)) {
      const { roundsPerSecond, stepsPerSecond } = await pointIn(mode as Mode)
      if (perRound === undefined) expect(roundsPerSecond).toBeUndefined()
      else expect(roundsPerSecond! * perRound).toBeCloseTo(stepsPerSecond.mean, 9)
    }
  })

  // With one compute slot alone and equal workers, a round takes as long as one of its steps and the time between: 8 rounds' worth of steps in that.
  test('in rounds takes as long as a step', async () => {
    const { stepMs, roundsPerSecond } = await pointIn('sync')
    expect(stepMs.mean * roundsPerSecond!).toBeCloseTo(1000, -1)
  })

  test('in synchronous mode is not stale, and waits', async () => {
    const { staleness, breakdownMs } = await pointIn('sync', { straggler: { probability: 0.2, factor: 3 } })
    expect(staleness).toEqual({ mean: 0, p50: 0, p95: 0, histogram: [expect.any(Number)] })
    expect(breakdownMs.barrier).toBeGreaterThan(1)
  })

  test('in ssp waits before its step, and is stale within the bound', async () => {
    const { staleness, breakdownMs, stepMs, stepsPerSecond } = await pointIn('ssp:1', {
      straggler: { probability: 0.2, factor: 3 }
    })
    expect(breakdownMs.barrier).toBeGreaterThan(1)
    expect(staleness!.histogram.length).toBeLessThanOrEqual(7 * 3 + 1)
    // Every worker is in one step or waits for its next: rate times mean cycle is the number of workers.
    expect((stepsPerSecond.mean * stepMs.mean) / 1000).toBeGreaterThan(8 * 0.95)
    expect((stepsPerSecond.mean * stepMs.mean) / 1000).toBeLessThan(8 * 1.05)
  })

  test('without a lead is as fast as in rounds, but for the updates', async () => {
    const [ssp, sync] = [await rateIn('ssp:0'), await rateIn('sync')]
    expect(sync).toBeLessThan(ssp * 1.01)
    expect(sync).toBeGreaterThan(ssp * 0.95)
  })
})

describe('throughput', () => {
  const straggler = { probability: 0.1, factor: 4 }

  test('is no lower with a larger bound', async () => {
    const rates = []
    for (const mode of ['ssp:0', 'ssp:1', 'ssp:3', 'ssp:inf'] as const) rates.push(await rateIn(mode, { straggler }))
    for (let i = 1; i < rates.length; i++) expect(rates[i]).toBeGreaterThan(0.98 * rates[i - 1])
    expect(rates[3]).toBeGreaterThan(1.1 * rates[0])
  })

  // 1 − 0.9⁸: 57 % of the rounds have a straggler, 19 % two or more.
  test('gains by backups among stragglers, and loses by them without', async () => {
    expect(await rateIn('sync:backup=1', { straggler })).toBeGreaterThan(await rateIn('sync', { straggler }))
    expect(await rateIn('sync:backup=1')).toBeLessThan(await rateIn('sync'))
  })

  test('is the slowest worker’s in rounds, and with any bound in the long run', async () => {
    const slowed = { computeSlowdown: { 0: 2 } }
    const [sync, ssp, async] = [await rateIn('sync', slowed), await rateIn('ssp:2', slowed), await rateIn('async', slowed)]
    expect(ssp).toBeGreaterThan(0.98 * sync)
    expect(ssp).toBeLessThan(0.8 * async)
  })

  test('of one worker is nearly that of an asynchronous one in each mode', async () => {
    const async = await rateIn('async', { workers: [1] })
    for (const mode of ['sync', 'ssp:0', 'ssp:5'] as const) {
      expect((await rateIn(mode, { workers: [1] })) / async).toBeLessThanOrEqual(1.001)
      expect((await rateIn(mode, { workers: [1] })) / async).toBeGreaterThan(0.98)
    }
  })
})

describe('a mode', () => {
  test('is read', () => {
    expect([undefined, 'ssp:inf', 'ssp:3', 'sync', 'sync:backup=2'].map(mode => parseMode(mode as Mode))).toEqual([
      { kind: 'async' },
      { kind: 'async' },
      { kind: 'ssp', staleness: 3 },
      { kind: 'sync', backup: 0 },
      { kind: 'sync', backup: 2 }
    ])
  })

  test('must leave somebody of each cluster', () => {
    expect(modeProblem('sync:backup=2', [3, 8])).toBeUndefined()
    expect(modeProblem('sync:backup=3', [8, 3])).toEqual({
      what: 'is sync:backup=3, which leaves nobody of 3 workers',
      wanted: 'fewer backups than the smallest cluster has workers'
    })
  })

  test('is the same for the one worker to compare with, but for backups', () => {
    expect(clusterMode('sync:backup=2', 1)).toMatchObject({ kind: 'sync', backup: 0 })
  })

  test('that no measured cluster ran in is said to be unmeasured', async () => {
    const codes = async (mode: Mode) => (await ask({ mode, fixed: { replications: 1, steps: 5 } })).warnings.map(({ code }) => code)
    for (const mode of ['ssp:1', 'sync:backup=1'] as const) expect(await codes(mode)).toContain('mode-not-measured')
    for (const mode of ['async', 'ssp:inf', 'sync'] as const) expect(await codes(mode)).not.toContain('mode-not-measured')
  })
})

// Rates 1, 2, 3, 4 steps/s. Without backups the slowest makes 1 round a second, 4 worker-steps. With one: any two workers bring at least one gradient, so 1 + 2 = 3 rounds;
// any three two, so (1 + 2 + 3)/2 = 3; all four three, so 10/3: at most 3 rounds, 9 worker-steps. With three: all four bring one, 10 rounds of one.
test('rounds are bounded by what the slowest workers bring', () => {
  const workers = Array.from({ length: 4 }, () => ({ outBytesPerUs: 1, inBytesPerUs: 1, computeScale: 1, latencyUs: 0 }))
  const bound = (backup: number) => roundLimits({ workers, mode: { kind: 'sync', backup, accumulateScale: 1 } }, [3, 1, 4, 2])
  expect([0, 1, 3].map(backup => bound(backup)?.computePerSecond)).toEqual([4, 9, 10])
  expect(bound(0)?.updateShare).toBe(1.25)
  expect(roundLimits({ workers, mode: { kind: 'ssp', staleness: 1 } }, [1, 1, 1, 1])).toBeUndefined()
})
