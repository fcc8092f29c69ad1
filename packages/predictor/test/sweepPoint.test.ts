import { type Core, loadCore } from '@foretrain/core-wasm'
import { beforeAll, describe, expect, test } from 'vitest'
import { predict } from '../src/predict/predict.ts'
import { type SweepCommon, type SweepPointAsked, SweepPoints } from '../src/predict/sweepPoint.ts'
import { readCase } from './support/cases.ts'
import { chainNetwork, recordedBySimulation } from './support/syntheticProfile.ts'

let core: Core
let common: SweepCommon
beforeAll(async () => {
  core = await loadCore()
  const path = { goodputBytesPerUs: 115, windowBytes: Number.POSITIVE_INFINITY, parsePerByteUs: 4e-5, latencyUs: 50 }
  const network = chainNetwork({ layers: [40_000, 5_000_000, 600_000, 3_000_000], forwardUs: 9000, updateUs: 60, steps: 10 })
  common = { profile: recordedBySimulation(core, network, path), tracedBandwidthBitsPerSecond: 1e9 }
})

describe('a point of a sweep is the point of a prediction', () => {
  const asked: SweepPointAsked[] = [
    { workers: 1, bandwidthBitsPerSecond: 1e9 },
    { workers: 4, bandwidthBitsPerSecond: 5e8, policy: 'tac', batchSize: 32 },
    { workers: 3, latencyUs: 500 },
    { workers: 4, mode: 'sync:backup=1', computeSpeed: 2 },
    { workers: 6, mode: 'ssp:2', policy: 'random', bandwidthBitsPerSecond: 1e10 }
  ]

  test.each(asked)('$workers workers', async point => {
    const { workers, servers, ...varied } = point
    const question = { ...common, ...varied, workers: [workers], ...(servers && { servers: [servers] }), seed: 7 }
    const [expected] = (await predict(question)).points
    const found = await (await SweepPoints.open({ ...common, seed: 7 })).of(point)
    expect(found.stepsPerSecond.mean).toBe(expected.stepsPerSecond.mean)
    expect(found.stepsPerSecond.ci95).toEqual(expected.stepsPerSecond.ci95)
    for (const field of [
      'workers',
      'servers',
      'mode',
      'policy',
      'bandwidth',
      'batchSize',
      'speedup',
      'efficiency',
      'examplesPerSecond'
    ] as const)
      expect(found[field]).toBe(expected[field])
    expect(found.stalenessMean).toBeCloseTo(expected.staleness?.mean ?? Number.NaN, 10)
  })

  test('on other servers', async () => {
    const { profile } = await readCase('mobilenetv2-200')
    const fixed = { replications: 2, steps: 10 }
    const [expected] = (await predict({ profile, fixed, workers: [3], servers: [2] })).points
    const found = await (await SweepPoints.open({ profile, fixed })).of({ workers: 3, servers: 2 })
    expect(found).toMatchObject({ servers: 2, stepsPerSecond: { mean: expected.stepsPerSecond.mean } })
    expect(found.speedup).toBe(expected.speedup)
  })

  test('other batch sizes are the same simulation', async () => {
    const points = await SweepPoints.open(common)
    const [one, two] = [await points.of({ workers: 12, batchSize: 1 }), await points.of({ workers: 12, batchSize: 64 })]
    expect(two).toEqual({ ...one, batchSize: 64, examplesPerSecond: 64 * one.examplesPerSecond })
    const [other] = (await predict({ ...common, workers: [13] })).points
    expect((await points.of({ workers: 13 })).stepsPerSecond.mean).toBe(other.stepsPerSecond.mean)
    expect((await points.of({ workers: 12 })).stepsPerSecond).toEqual(one.stepsPerSecond)
  })

  test('groups of unequal workers count their replicas', async () => {
    const hosts = {
      workers: [
        { count: 2, speed: 2 },
        { count: 2, replicas: 3 }
      ]
    }
    const [expected] = (await predict({ ...common, hosts, workers: [4], batchSize: 8 })).points
    const found = await (await SweepPoints.open({ ...common, hosts })).of({ workers: 4, batchSize: 8 })
    expect(found.examplesPerSecond).toBeCloseTo(expected.examplesPerSecond, 9)
  })
})

/** Elasticities are this far apart where one resource is clearly the bottleneck. */
const clear = 0.25

describe('the bottleneck is that of a prediction where one is clear', () => {
  test.each(['resnet50-1000', 'resnet50-2ps-500', 'inceptionv3-500'])('%s', async name => {
    const { profile } = await readCase(name)
    const traced = { profile, tracedBandwidthBitsPerSecond: 1e9, precision: 0.03 }
    const points = await SweepPoints.open(traced)
    let compared = 0
    for (const bandwidthBitsPerSecond of [2e8, 1e9, 1e10]) {
      const workers = [1, 3, 7, 12]
      const prediction = await predict({ ...traced, workers, bandwidthBitsPerSecond })
      for (const expected of prediction.points) {
        const { bottleneck, elasticity } = { ...expected.bottleneck, bottleneck: expected.bottleneck.resource }
        // Others have what is left of 1 at most.
        if (elasticity - (1 - elasticity) < clear) continue
        compared += 1
        const found = await points.of({ workers: expected.workers, bandwidthBitsPerSecond })
        // Of several servers that hold about as much, many links are about as good.
        const nameOf = (resource: string) => (expected.servers > 1 ? (/\w+$/.exec(resource)?.[0] ?? '') : resource)
        const place = `${expected.workers} workers at ${bandwidthBitsPerSecond}: `
        expect(place + nameOf(found.bottleneck)).toBe(place + nameOf(bottleneck))
      }
    }
    expect(compared).toBeGreaterThan(2)
  })
})

describe('refused', () => {
  test('what holds for no point, at once', async () => {
    await expect(SweepPoints.open({ ...common, precision: 2 })).rejects.toThrow('precision is 2')
  })

  test('a point alone, with the field', async () => {
    const points = await SweepPoints.open(common)
    await expect(points.of({ workers: 0 })).rejects.toThrow('number of workers')
    await expect(points.of({ workers: 2, computeSpeed: -1 })).rejects.toThrow('compute speed')
    expect((await points.of({ workers: 2 })).stepsPerSecond.mean).toBeGreaterThan(0)
  })

  test('an abort ends a point under way', async () => {
    const controller = new AbortController()
    const points = await SweepPoints.open(common, { signal: controller.signal })
    const running = points.of({ workers: 64 })
    controller.abort(new Error('enough'))
    await expect(running).rejects.toThrow('enough')
  })
})
