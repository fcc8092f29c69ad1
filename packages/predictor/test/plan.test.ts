import { profileFrom } from '@foretrain/trace-parser'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { kneeOf } from '../src/plan/knee.ts'
import { plan } from '../src/plan/plan.ts'
import { largestSearched, type PlanQuestion } from '../src/plan/question.ts'
import { cheapestOf, paretoFrontOf, rowOf } from '../src/plan/rows.ts'
import { type Question, QuestionError } from '../src/question.ts'
import type { PlanRow, Point, Prediction } from '../src/schema.ts'

const prices = { worker: 0.9, server: 0.2 }

/** A point with a band of ±10 % whose single worker makes 10 steps/s. */
function point(workers: number, mean: number, { servers = 1, batchSize = 32 } = {}): Point {
  const stepsPerSecond = { mean, ci95: [0.995 * mean, 1.005 * mean], band95: [0.9 * mean, 1.1 * mean] }
  const bottleneck = { resource: 'server 0 pull link', elasticity: 0.9 }
  return {
    workers,
    servers,
    batchSize,
    stepsPerSecond,
    examplesPerSecond: mean * batchSize,
    speedup: mean / 10,
    bottleneck
  } as Point
}

describe('a row', () => {
  test('costs, by hand', () => {
    // 4 · 0.9 + 2 · 0.2 = 4 an hour. 40 steps/s of 25 examples are 1000 examples/s, a million in 1000 s: 4 / 3.6 = 1.111.
    const row = rowOf(point(4, 40, { servers: 2, batchSize: 25 }), prices, 40)
    expect(row).toMatchObject({ workers: 4, servers: 2, examplesPerSecond: 1000, meetsTarget: true })
    expect(row.costPerHour).toBeCloseTo(4, 12)
    expect(row.costPerMillionExamples).toBeCloseTo(4 / 3.6, 12)
  })

  test.each([
    // The band of 40 steps/s goes from 36 to 44.
    [35, true, 1],
    [36, true, 1],
    [38, true, 0.75],
    [40, true, 0.5],
    [42, false, 0.25],
    [45, false, 0]
  ])('a target of %d steps/s: met by the mean %s, by %d of the band', (target, meets, share) => {
    const row = rowOf(point(4, 40), prices, target)
    expect(row.meetsTarget).toBe(meets)
    expect(row.bandShareMeetingTarget).toBeCloseTo(share, 12)
  })
})

test('the knee, by hand', () => {
  const curve = [10, 19, 17, 24, 30, 31].map((throughput, index) => ({ workers: index + 1, throughput }))
  // Of slope 5 the sizes are worth 5, 9, 2, 4, 5, 1: after the second worker none of the larger sizes brings 5 a worker.
  expect(kneeOf(curve, 5).workers).toBe(2)
  // Of slope 3: 7, 13, 8, 12, 15, 13. The dip at 3 does not end it: 2 → 5 brings 11 by three workers.
  expect(kneeOf(curve, 3).workers).toBe(5)
  // The sixth worker brings 1, which is enough of slope 1 and too little of 1.1.
  expect(kneeOf(curve, 1).workers).toBe(6)
  expect(kneeOf(curve, 1.1).workers).toBe(5)
  expect(kneeOf([...curve].reverse(), 3).workers).toBe(5)
})

describe('properties of the front and the cheapest', () => {
  /** Whole numbers, so that many are equal. */
  const row = fc
    .record({
      workers: fc.integer({ min: 1, max: 6 }),
      servers: fc.integer({ min: 1, max: 3 }),
      mean: fc.integer({ min: 1, max: 8 })
    })
    .map(({ workers, servers, mean }) => rowOf(point(workers, mean, { servers }), { worker: 1, server: 2 }, 5))
  const rows = fc.array(row, { minLength: 1, maxLength: 20 })
  const rate = (one: PlanRow) => one.stepsPerSecond.mean
  const isAsGood = (a: PlanRow, b: PlanRow) => a.costPerHour <= b.costPerHour && rate(a) >= rate(b)
  const isEqual = (a: PlanRow, b: PlanRow) => isAsGood(a, b) && isAsGood(b, a)

  test('the front is not dominated, complete, and ascends', () => {
    fc.assert(
      fc.property(rows, all => {
        const front = paretoFrontOf(all)
        for (const one of front) expect(all.filter(other => isAsGood(other, one) && !isEqual(other, one))).toEqual([])
        for (const one of all) expect(front.some(other => isAsGood(other, one))).toBe(true)
        for (const [index, one] of front.slice(1).entries()) {
          expect(one.costPerHour).toBeGreaterThan(front[index].costPerHour)
          expect(rate(one)).toBeGreaterThan(rate(front[index]))
        }
      })
    )
  })

  test('the cheapest meets the target, no cheaper one does, and it is on the front', () => {
    fc.assert(
      fc.property(rows, all => {
        const cheapest = cheapestOf(all)
        const meeting = all.filter(one => rate(one) >= 5)
        expect(cheapest === null).toBe(meeting.length === 0)
        if (cheapest === null) return
        expect(meeting).toContain(cheapest)
        expect(cheapest.costPerHour).toBe(Math.min(...meeting.map(one => one.costPerHour)))
        expect(paretoFrontOf(all)).toContain(cheapest)
      })
    )
  })
})

/** 10 steps/s each, up to 45 by each server; `servers` as the question says. */
function fake(asked: Question[] = []) {
  return async (question: Question & { servers?: number[] }): Promise<Prediction> => {
    asked.push(question)
    const { servers = [1], batchSize = 1 } = question
    const points = servers.flatMap(each =>
      question.workers.map(workers => point(workers, Math.min(10 * workers, 45 * each), { servers: each, batchSize }))
    )
    const warnings = [{ code: 'few-steps', message: 'only 2 steps' }]
    return { version: '1.2.3', seed: 7, points, warnings } as Prediction
  }
}

const profile = profileFrom([], [])
const question: PlanQuestion = { question: { profile, batchSize: 32 }, target: { value: 40, unit: 'steps/s' }, prices }
const codes = ({ warnings }: { warnings: Array<{ code: string }> }) => warnings.map(({ code }) => code)

describe('a plan', () => {
  test('of given sizes, in one question', async () => {
    const asked: Question[] = []
    const result = await plan({ ...question, workers: [6, 2, 4, 2, 8] }, { predict: fake(asked) })
    expect(asked.map(({ workers }) => workers)).toEqual([[2, 4, 6, 8]])
    expect(result).toMatchObject({ version: '1.2.3', seed: 7, target: '40steps/s', targetExamplesPerSecond: 1280, kneeShare: 0.5 })
    expect(result.points.map(({ workers }) => workers)).toEqual([2, 4, 6, 8])
    expect(result.cheapest).toBe(result.points[1])
    // 4 → 6 brings 5 by two workers, less than half of one worker's 10 each.
    expect(result.knee).toBe(result.points[1])
    expect(result.pareto).toEqual(result.points.slice(0, 3))
    // Of 36 to 44 half is above 40; the band of 6 workers begins at 40.5.
    expect(codes(result)).toEqual(['few-steps', 'target-within-band'])
    expect(result.warnings[1].message).toBe(
      '50 % of the band of the cheapest cluster meets the target, the rest falls short; the cheapest simulated with all of it has 6 workers and 1 server'
    )
  })

  test('of sizes that are searched', async () => {
    const asked: Question[] = []
    const progress: number[] = []
    const result = await plan(question, { predict: fake(asked), onProgress: ({ done }) => progress.push(done) })
    expect(result.cheapest?.workers).toBe(4)
    expect(result.knee.workers).toBe(5)
    const simulated = asked.flatMap(({ workers }) => workers)
    expect(result.points.map(({ workers }) => workers)).toEqual(simulated.sort((a, b) => a - b))
    expect(simulated.length).toBeLessThan(12)
  })

  test('a target in examples goes by the batch size, which is 1 unless it is given', async () => {
    const target = { value: 1281, unit: 'examples/s' } as const
    const result = await plan({ ...question, target }, { predict: fake() })
    expect(result.cheapest?.workers).toBe(5)
    const alone = await plan({ ...question, question: { profile }, target: { ...target, value: 20 } }, { predict: fake() })
    expect(alone.cheapest?.workers).toBe(2)
    expect(codes(alone)).toContain('batch-assumed')
  })

  test('numbers of servers are searched one by one', async () => {
    const asked: Array<Question & { servers?: number[] }> = []
    const servers = [1, 2]
    const result = await plan(
      { ...question, question: { profile, servers }, target: { value: 60, unit: 'steps/s' } },
      { predict: fake(asked) }
    )
    expect(new Set(asked.map(each => each.servers?.join()))).toEqual(new Set(['1', '2']))
    expect(result.cheapest).toMatchObject({ workers: 6, servers: 2 })
    expect(result.knee).toMatchObject({ workers: 9, servers: 2 })
    expect(result.points.filter(row => row.servers === 1).map(row => row.workers)).toContain(8)
  })

  test('none: null, with the fastest and its bottleneck in the warning', async () => {
    const result = await plan({ ...question, target: { value: 46, unit: 'steps/s' } }, { predict: fake() })
    expect(result.cheapest).toBeNull()
    expect(result.warnings.at(-1)).toEqual({
      code: 'target-not-met',
      message: 'no simulated cluster meets the target: the fastest has 5 workers and 1 server; its bottleneck is server 0 pull link'
    })
  })

  test('a knee beyond the sizes', async () => {
    const result = await plan({ ...question, workers: [1, 2, 3] }, { predict: fake() })
    expect(result.knee.workers).toBe(3)
    expect(codes(result)).toEqual(['few-steps', 'target-not-met', 'knee-not-reached'])
    expect(result.warnings[1].message).toContain('3 workers and 1 server, the most simulated;')
  })

  test('imprecise points of all rounds are named in one warning', async () => {
    const result = await plan({ ...question, question: { profile, precision: 0.001 } }, { predict: fake() })
    expect(result.warnings.filter(({ code }) => code === 'precision-not-reached')).toHaveLength(1)
    expect(result.warnings.find(({ code }) => code === 'precision-not-reached')?.count).toBe(result.points.length)
  })

  test.each<[string, Partial<PlanQuestion>]>([
    ['workers', { workers: [] }],
    ['target', { target: { value: 0, unit: 'steps/s' } }],
    ['target', { target: { value: Number.POSITIVE_INFINITY, unit: 'steps/s' } }],
    ['price of a worker', { prices: { worker: -1, server: 0 } }],
    ['price of a server', { prices: { worker: 1, server: Number.NaN } }],
    ['price of every host', { prices: { worker: 0, server: 0 } }],
    ['share of the knee', { kneeShare: 0 }],
    ['share of the knee', { kneeShare: 1.5 }]
  ])('refuses a wrong %s', async (field, changes) => {
    const refused = plan({ ...question, ...changes }, { predict: fake() })
    await expect(refused).rejects.toThrow(QuestionError)
    await expect(refused).rejects.toThrow(new RegExp(`^${field} `))
  })

  test('the search ends within its bound', async () => {
    const predict = async (one: Question): Promise<Prediction> =>
      ({ points: one.workers.map(workers => point(workers, 10 * workers)), warnings: [] }) as unknown as Prediction
    const result = await plan({ ...question, target: { value: 1e6, unit: 'steps/s' } }, { predict })
    expect(Math.max(...result.points.map(({ workers }) => workers))).toBe(largestSearched)
  })
})

describe("servers on workers' hosts", () => {
  const predictor = async ({ workers }: Question) =>
    ({
      version: '1',
      seed: 1,
      warnings: [],
      points: workers.map(size => point(size, 10 * size, { servers: 2 }))
    }) as unknown as Prediction
  const asked: PlanQuestion = {
    question: { profile: profileFrom([], []), servers: [2], colocate: true, batchSize: 32 },
    target: { value: 20, unit: 'steps/s' },
    prices
  }

  test('cost no hosts of their own', async () => {
    const { cheapest } = await plan({ ...asked, workers: [2, 3] }, { predict: predictor })
    expect(cheapest).toMatchObject({ workers: 2, costPerHour: 1.8 })
  })

  test('sizes are not searched for', async () => {
    await expect(plan(asked, { predict: predictor })).rejects.toThrow('name the sizes to choose from')
  })
})
