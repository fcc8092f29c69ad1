import { describe, expect, test } from 'vitest'
import { compare } from '../src/compare/compare.ts'
import { tune } from '../src/compare/tune.ts'
import { compile } from '../src/compile/compile.ts'
import type { Ranks } from '../src/policies/policy.ts'
import {
  checkChunks,
  checkPriority,
  chunkedTransfers,
  type PrioritySettings,
  priority,
  priorityOfOperations
} from '../src/policies/priority.ts'
import { predict } from '../src/predict/predict.ts'
import { QuestionError } from '../src/question.ts'
import { graphFrom, oneStepProfile, type Part } from './support/stepGraphs.ts'

const parts: Part[] = [
  ['b/read', 'pull', [], 100],
  ['a/read', 'pull', [], 200],
  ['x', 'compute', ['a/read'], 50],
  ['y', 'compute', ['x', 'b/read'], 50],
  ['gb', 'push', ['y'], 100],
  ['back', 'compute', ['y'], 50],
  ['ga', 'push', ['back'], 200],
  ['lost', 'push', ['back'], 7]
]

describe('settings', () => {
  test('the defaults of BytePS and ByteScheduler', () => {
    const chunked = { partitionBytes: 4_096_000, creditBytes: 16_384_000, chunkUs: 100, pull: true, push: true }
    expect(chunkedTransfers({})).toEqual(chunked)
    expect(chunkedTransfers({ partitionBytes: 1e6 }, 0)).toEqual({ ...chunked, partitionBytes: 1e6, creditBytes: 4e6, chunkUs: 0 })
    expect(chunkedTransfers({ creditBytes: 5e6 }).creditBytes).toBe(5e6)
    for (const settings of [{}, { partitionBytes: 1, creditBytes: 1 }, { order: 'tac' }] as PrioritySettings[])
      checkPriority(settings)
  })

  test.each<[PrioritySettings, RegExp]>([
    [{ partitionBytes: 0 }, /partition is 0 bytes: use at least 1 byte/],
    [{ partitionBytes: -1 }, /partition is -1 bytes/],
    [{ partitionBytes: Number.NaN }, /partition is NaN bytes/],
    [
      { partitionBytes: 2e6, creditBytes: 1e6 },
      /credit is 1000000 bytes, less than the partition of 2000000: use at least one partition/
    ],
    [{ creditBytes: 1e6 }, /credit is 1000000 bytes, less than the partition of 4096000/],
    [{ creditBytes: Number.NaN }, /credit is NaN bytes/],
    [{ order: 'tic' as 'tac' }, /order of the priorities is tic: use fifo or tac/]
  ])('refused: %j', (settings, message) => {
    expect(() => checkPriority(settings)).toThrow(QuestionError)
    expect(() => checkPriority(settings)).toThrow(message)
  })
})

test('pulls have the rank of their first use, pushes that of their variable, the rest comes last', () => {
  const graph = graphFrom(parts)
  for (const order of ['fifo', 'tac'] as const) {
    const ranks = priority({ order }).rank(graph, 0) as Ranks
    expect([Array.from(ranks.pulls), ranks.pushes]).toEqual([
      [1, 0],
      [1, 0, 2]
    ])
  }
})

test('the simulator is handed one rank for each operation of the job', () => {
  const graph = graphFrom(parts)
  const { job, operationOf } = compile(oneStepProfile(parts))
  const ranks = priorityOfOperations(graph, { pulls: [5, 4], pushes: [3, 2, 1] }, operationOf)
  expect(ranks).toHaveLength(job.operations)
  const byName = new Map(operationOf.map((ids, operation) => [parts[ids.at(-1)!][0], ranks[operation]]))
  expect(['b/read', 'a/read', 'gb', 'ga', 'lost', 'back'].map(name => byName.get(name))).toEqual([4, 3, 2, 1, 0, 0])
})

test('is simulated: chunks that each cost a hand-over take longer, and tuning avoids them', async () => {
  const profile = oneStepProfile(parts)
  const fixed = { replications: 2, steps: 20 }
  const rateOf = async (partitionBytes: number, creditBytes: number) => {
    const { points } = await predict({
      profile,
      workers: [1],
      policy: 'priority',
      priority: { partitionBytes, creditBytes },
      fixed
    })
    return points[0].stepsPerSecond.mean
  }
  const smallest = Math.min(...profile.operations.flatMap(({ kind, bytes }) => (kind === 'pull' ? [bytes] : [])))
  const partition = Math.max(1, Math.floor(smallest / 20))
  const slow = await rateOf(partition, partition)
  const { parameters } = await predict({
    profile,
    workers: [1],
    policy: 'priority',
    priority: { partitionBytes: partition },
    fixed
  })
  expect(parameters.partition).toEqual({ value: partition, unit: 'B', source: 'flag' })
  expect(parameters.credit).toMatchObject({ value: 4 * partition, source: 'default' })
  expect(slow).toBeLessThan(await rateOf(1e9, 1e9))
  const { tuned } = await compare({ profile, workers: [1], policies: ['recorded', 'priority'], tune: true, fixed })
  expect(await rateOf(tuned!.partitionBytes, tuned!.creditBytes)).toBeGreaterThan(slow)
})

test('chunks that nobody means are refused, with what is least', () => {
  const { job } = compile(oneStepProfile(parts))
  const large = { ...job, amount: job.amount.map(amount => 1e6 * amount) }
  const largest = large.amount.reduce(
    (most, bytes, i) => (job.kind[i] === 2 || job.kind[i] === 3 ? Math.max(most, bytes) : most),
    0
  )
  const least = Math.ceil(largest / 65_536)
  expect(() => checkChunks(large, { partitionBytes: least })).not.toThrow()
  expect(() => checkChunks(large, { partitionBytes: least - 1 })).toThrow(`use at least ${least} bytes`)
})

describe('tuning', () => {
  /** Highest at the given partition and credit, falling with the squared distance in octaves. */
  const peak =
    (partition: number, credit: number, seen: string[] = []) =>
    async (chunkings: readonly PrioritySettings[]) =>
      chunkings.map(({ partitionBytes = 0, creditBytes = 0 }) => {
        seen.push(`${partitionBytes} ${creditBytes}`)
        return 1 - Math.log2(partitionBytes / partition) ** 2 - Math.log2(creditBytes / partitionBytes / (credit / partition)) ** 2
      })

  test.each([
    [300_000, 900_000],
    [65_536, 65_536],
    [5_000_000, 60_000_000]
  ])('finds a peak at partition %i, credit %i to within a quarter of an octave', async (partition, credit) => {
    const seen: string[] = []
    const best = await tune(peak(partition, credit, seen), 9_000_000)
    expect(Math.abs(Math.log2(best.partitionBytes / partition))).toBeLessThanOrEqual(0.26)
    expect(Math.abs(Math.log2(best.creditBytes / credit))).toBeLessThanOrEqual(0.3)
    expect(best.creditBytes).toBeGreaterThanOrEqual(best.partitionBytes)
    // Nothing is run twice.
    expect(new Set(seen).size).toBe(seen.length)
    expect(best.tried).toBe(seen.length)
    expect(seen.length).toBeLessThan(100)
  })

  test('where nothing matters the largest partition that cuts nothing is taken', async () => {
    const { partitionBytes, creditBytes } = await tune(async chunkings => chunkings.map(() => 1), 9_000_000)
    expect([partitionBytes, creditBytes]).toEqual([2 ** 24, 2 ** 24])
  })
})
