import { type Profile, profileFrom } from '@foretrain/trace-parser'
import { expect, test } from 'vitest'
import type { Question } from '../src/question.ts'
import type { Case, Point, Prediction } from '../src/schema.ts'
import { readCase } from '../src/validate/readCase.ts'
import { totalsOf } from '../src/validate/totals.ts'
import { validate } from '../src/validate/validate.ts'

const profile = profileFrom([], [])

const measured: Case = {
  schema: 'foretrain/case@1',
  name: 'measured',
  model: 'any',
  batchSize: 32,
  mode: 'async',
  servers: 1,
  bandwidth: '500Mbps',
  tracedBandwidth: '1Gbps',
  link: { payloadFraction: 0.95, bufferMs: 40, burstBytes: 1000, latencyMs: 2 },
  computeSlowdown: { 0: 3 },
  traces: 'trace/*.pb',
  tracedWorker: 0,
  measurements: [
    { workers: 1, stepsPerSecond: 0.5, ci95: [0.49, 0.51], seconds: 1, steps: 1, perWorker: [] },
    { workers: 2, stepsPerSecond: 1, ci95: [0.9, 1.1], seconds: 1, steps: 1, perWorker: [] },
    { workers: 4, stepsPerSecond: 2, ci95: [1.9, 2.1], seconds: 1, steps: 1, perWorker: [] }
  ]
}

/** Predicts what it is told to, with a band of ±5 %. */
function fake(predicted: Record<number, number>, asked: Question[] = []) {
  return async (question: Question): Promise<Prediction> => {
    asked.push(question)
    const points = question.workers.map(workers => {
      const mean = predicted[workers]
      const stepsPerSecond = { mean, ci95: [0.99 * mean, 1.01 * mean], band95: [0.95 * mean, 1.05 * mean] }
      return { workers, stepsPerSecond, baselines: { queueing: 0.5 * mean, bounds: 2 * mean, equalSharing: mean } } as Point
    })
    return { points } as Prediction
  }
}

test('errors, distances and totals, by hand', async () => {
  const result = await validate([{ case: measured, profile }], {}, { predict: fake({ 1: 0.55, 2: 0.8, 4: 2.05 }) })
  const [{ points, ...own }] = result.cases
  // One worker is off by 10 %, and in no other total.
  expect(points.map(({ error }) => error)).toEqual([expect.closeTo(0.1, 12), expect.closeTo(-0.2, 12), expect.closeTo(0.025, 12)])
  expect(points.map(({ outside }) => outside)).toEqual([expect.closeTo(0.08, 12), expect.closeTo(0.1, 12), 0])
  expect(own).toEqual({ name: 'measured', meanAbsError: expect.closeTo(0.1125, 12), maxAbsError: expect.closeTo(0.2, 12) })
  expect(result).toMatchObject({
    schema: 'foretrain/validation@1',
    meanAbsError: expect.closeTo(0.1125, 12),
    maxAbsError: expect.closeTo(0.2, 12),
    maxOutside: expect.closeTo(0.1, 12),
    // With two workers the band ends at 0.84, the measured interval begins at 0.9.
    coverage: 0.5,
    singleWorkerMeanAbsError: expect.closeTo(0.1, 12),
    baselineMeanAbsErrors: {
      // 0.4 of 1 and 1.025 of 2; 1.6 of 1 and 4.1 of 2.
      queueing: expect.closeTo((0.6 + 0.4875) / 2, 12),
      bounds: expect.closeTo((0.6 + 1.05) / 2, 12),
      equalSharing: expect.closeTo(0.1125, 12)
    }
  })
  expect(points[1].baselines).toEqual({ queueing: 0.4, bounds: 1.6, equalSharing: 0.8 })
  expect(points[1].baselineErrors.queueing).toBeCloseTo(-0.6, 12)
})

test('every point weighs the same, whatever its case', async () => {
  const small = { ...measured, name: 'small', measurements: measured.measurements.slice(1, 2) }
  const cases = [measured, small].map(one => ({ case: one, profile }))
  const result = await validate(cases, {}, { predict: fake({ 1: 0.5, 2: 1.3, 4: 2 }) })
  expect(result.meanAbsError).toBeCloseTo((0.3 + 0 + 0.3) / 3, 12)
  expect(result.cases.map(one => one.meanAbsError)).toEqual([expect.closeTo(0.15, 12), expect.closeTo(0.3, 12)])
})

test('intervals that touch are met', () => {
  const point = { workers: 2, measuredCi95: [1, 2], band95: [2, 3], error: 0, outside: 0, baselineErrors: {}, baselines: {} }
  const coverage = (band95: number[]) =>
    totalsOf([{ name: '', meanAbsError: 0, maxAbsError: 0, points: [{ ...point, band95 } as never] }]).coverage
  expect([coverage([2, 3]), coverage([0, 1]), coverage([1.2, 1.3]), coverage([2.01, 3]), coverage([0, 0.99])]).toEqual([
    1, 1, 1, 0, 0
  ])
})

test('of one worker alone, the totals are empty', () => {
  const point = { workers: 1, measuredCi95: [1, 2], band95: [5, 6], error: 3, outside: 1, baselineErrors: { a: 1 }, baselines: {} }
  expect(totalsOf([{ name: '', meanAbsError: 0, maxAbsError: 0, points: [point as never] }])).toEqual({
    meanAbsError: 0,
    maxAbsError: 0,
    maxOutside: 0,
    coverage: 1,
    singleWorkerMeanAbsError: 3,
    baselineMeanAbsErrors: {}
  })
})

test('asks for what a case says of its cluster, and nothing of what was measured', async () => {
  const asked: Question[] = []
  await validate([{ case: measured, profile }], { seed: 3, precision: 0.02 }, { predict: fake({}, asked) }).catch(() => {})
  expect(asked).toEqual([
    {
      profile,
      seed: 3,
      precision: 0.02,
      workers: [1, 2, 4],
      servers: [1],
      bandwidthBitsPerSecond: 5e8,
      tracedBandwidthBitsPerSecond: 1e9,
      payloadFraction: 0.95,
      latencyUs: 2000,
      tracedLatencyUs: 2000,
      bufferUs: 40_000,
      burstBytes: 1000,
      batchSize: 32,
      mode: 'async',
      computeSlowdown: { 0: 3 },
      tracedWorker: 0
    }
  ])
})

test('a case of other servers than its traces have is asked for with them', async () => {
  const asked: Question[] = []
  const placed: Profile = { ...profile, variables: [] }
  await validate([{ case: { ...measured, servers: 4 }, profile: placed }], {}, { predict: fake({ 1: 1, 2: 1, 4: 1 }, asked) })
  expect(asked[0].servers).toEqual([4])
  expect(asked[0].placement).toBeUndefined()
})

test('without a traced bandwidth the traces are of the same one; a size measured twice is asked for once', async () => {
  const asked: Question[] = []
  const { tracedBandwidth, ...same } = measured
  const twice = { ...same, measurements: [...same.measurements, ...same.measurements] }
  const { cases } = await validate([{ case: twice, profile }], {}, { predict: fake({ 1: 1, 2: 1, 4: 1 }, asked) })
  expect(asked[0]).toMatchObject({ workers: [1, 2, 4], bandwidthBitsPerSecond: 5e8, tracedBandwidthBitsPerSecond: 5e8 })
  expect(cases[0].points.map(({ workers }) => workers)).toEqual([1, 2, 4, 1, 2, 4])
})

test('what cannot be simulated is told and left out', async () => {
  const skipped: string[] = []
  const two: Profile = { ...profile, servers: ['a', 'b'] }
  const cases = [
    { case: { ...measured, name: 'synchronous', mode: 'sync:backup=1' as const }, profile },
    { case: { ...measured, name: 'placed', servers: 3 }, profile: two },
    { case: { ...measured, mode: 'ssp:inf' as const }, profile }
  ]
  const progress: number[] = []
  const result = await validate(
    cases,
    {},
    {
      predict: async (question, hooks) => {
        hooks.onProgress?.({ done: 2, total: 3, workers: 4 })
        return fake({ 1: 0.5, 2: 1, 4: 2 })(question)
      },
      onSkipped: (name, reason) => skipped.push(`${name}: ${reason}`),
      onProgress: ({ done, total }) => progress.push(done, total)
    }
  )
  expect(result.cases.map(({ name }) => name)).toEqual(['measured'])
  expect(result.meanAbsError).toBe(0)
  expect(progress).toEqual([2, 3])
  expect(skipped).toEqual([
    'synchronous: its mode is sync:backup=1, which leaves nobody of 1 worker: use fewer backups than the smallest cluster has workers',
    'placed: it was measured with 3 servers, but its traces show 2, and its profile does not say which variable is where'
  ])
})

test('a case document is read with what it says; a byte-order mark and unknown fields do no harm', () => {
  const text = `\ufeff${JSON.stringify({ ...measured, hobby: 'chess' })}`
  expect(readCase(text, 'case.json')).toEqual({ ...measured, hobby: 'chess' })
})
