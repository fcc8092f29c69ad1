import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Core, loadCore } from '@foretrain/core-wasm'
import type { Profile } from '@foretrain/trace-parser'
import { beforeAll, describe, expect, test } from 'vitest'
import { predict } from '../src/predict/predict.ts'
import type { Progress, Question } from '../src/question.ts'
import { QuestionError } from '../src/question.ts'
import type { Prediction } from '../src/schema.ts'
import { version } from '../src/version.ts'
import { chainNetwork, gigabitPath, recordedBySimulation, sixLayers } from './support/syntheticProfile.ts'

let core: Core
let profile: Profile
beforeAll(async () => {
  core = await loadCore()
  profile = recordedBySimulation(core, sixLayers(), gigabitPath)
})

const ask = (changes: Partial<Question> = {}) =>
  predict({ profile, workers: [1, 2, 8], fixed: { replications: 2, steps: 20 }, ...changes })

describe('a document', () => {
  let document: Prediction
  beforeAll(async () => {
    document = await ask({ batchSize: 32 })
  })

  test('is the same for the same question, and another for another seed', async () => {
    expect(await ask({ batchSize: 32 })).toEqual(document)
    expect((await ask({ batchSize: 32, seed: 7 })).points[2]).not.toEqual(document.points[2])
  })

  test('differs only in the name of the mode where the staleness has no bound', async () => {
    const points = document.points.map(point => ({ ...point, mode: 'ssp:inf' }))
    expect(await ask({ batchSize: 32, mode: 'ssp:inf' })).toEqual({ ...document, points })
  })

  test('is plain JSON', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document)
  })

  test('keeps to the bounds', () => {
    for (const { stepsPerSecond, bounds } of document.points) {
      for (const bound of Object.values(bounds)) expect(stepsPerSecond.mean).toBeLessThan(1.02 * bound)
    }
  })

  test('agrees with itself', () => {
    for (const point of document.points) {
      const { stepsPerSecond, stepMs, breakdownMs, workers } = point
      expect(point.examplesPerSecond).toBeCloseTo(32 * stepsPerSecond.mean, 9)
      expect(point.perWorker).toHaveLength(workers)
      expect(sum(point.perWorker)).toBeCloseTo(stepsPerSecond.mean, 6)
      expect(point.speedup).toBeCloseTo(stepsPerSecond.mean / document.points[0].stepsPerSecond.mean, 9)
      expect(point.efficiency).toBeCloseTo(point.speedup / workers, 9)
      expect(sum(Object.values(breakdownMs))).toBeCloseTo(stepMs.mean, 6)
      expect((workers * 1000) / stepMs.mean / stepsPerSecond.mean).toBeCloseTo(1, 1)
      expect(stepsPerSecond.band95[0]).toBeLessThanOrEqual(stepsPerSecond.ci95[0])
      expect(stepsPerSecond.band95[1]).toBeGreaterThanOrEqual(stepsPerSecond.ci95[1])
      for (const share of Object.values(point.utilisation)) expect(share).toBeLessThanOrEqual(1 + 1e-9)
      // Two replications of 20 measured steps a worker.
      expect(sum(point.staleness!.histogram)).toBe(2 * 20 * workers)
    }
    expect(Object.keys(document.points[0].utilisation)).toEqual([
      'worker compute',
      'server 0 pull link',
      'server 0 push link',
      'server 0 cpu'
    ])
  })

  test('has a staleness of about the other workers', () => {
    expect(document.points[0].staleness!.mean).toBe(0)
    // A little less than 7: others may finish between this worker's step and its next first pull.
    expect(document.points[2].staleness!.mean).toBeGreaterThan(5.5)
    expect(document.points[2].staleness!.mean).toBeLessThan(7.5)
  })

  test('finds the network to be the bottleneck of many workers', () => {
    expect(document.points[2].bottleneck.resource).toMatch(/link/)
    expect(document.points[2].bottleneck.elasticity).toBeGreaterThan(0.3)
  })

  test('names the source of every parameter', () => {
    const { goodput, window, latency, stepOverhead } = document.parameters
    expect(goodput.value).toBeCloseTo(119.5e6, -6)
    expect([goodput.source, window.source, latency.source, stepOverhead.source]).toEqual(['trace', 'trace', 'default', 'default'])
  })
})

test.each(['auto', 'grpc-tf1', 'grpc-tf2', 'whole', 'simple'] as const)('transport %s gives a prediction', async transport => {
  const { points, parameters } = await ask({ workers: [2], transport })
  expect(points[0].stepsPerSecond.mean).toBeGreaterThan(0)
  expect(parameters.transport.value).toBe(transport === 'auto' ? 'grpc-tf2' : transport)
})

test('one worker takes the time of its own steps', async () => {
  const { points, replay } = await ask({ workers: [1] })
  // Twenty measured steps are not each template once.
  expect(points[0].stepMs.mean / (replay.recordedMs + 3)).toBeCloseTo(1, 2)
})

test('workers on a network that costs nothing do not hinder each other', async () => {
  const { points } = await ask({ workers: [1, 16], bandwidthBitsPerSecond: 1e15 })
  expect(points[1].speedup).toBeCloseTo(16, 0)
})

test('reaches the wanted precision', async () => {
  const { points } = await predict({ profile, workers: [3], precision: 0.02 })
  const { mean, ci95 } = points[0].stepsPerSecond
  expect(ci95[1] - mean).toBeLessThanOrEqual(0.02 * mean)
})

test('one short replication still has a finite interval', async () => {
  const { points } = await ask({ workers: [1, 4], fixed: { replications: 1, steps: 1 } })
  for (const { stepsPerSecond } of points) {
    expect(Number.isFinite(stepsPerSecond.ci95[1])).toBe(true)
    expect(stepsPerSecond.ci95[0]).toBeLessThan(stepsPerSecond.mean)
  }
  expect(JSON.stringify(points)).not.toContain('null')
})

test('a short run is broken down though worker 0 began last in it', async () => {
  const layers = [5_000_000, 9_000_000, 2_000_000]
  const mostlyWire = recordedBySimulation(core, chainNetwork({ layers, forwardUs: 500, updateUs: 60, steps: 3 }), gigabitPath)
  const fixed = { replications: 1, steps: 1 }
  for (let seed = 1; seed <= 6; seed++) {
    const { points } = await predict({ profile: mostlyWire, workers: [3], seed, bandwidthBitsPerSecond: 1e13, fixed })
    const [{ breakdownMs, stepMs }] = points
    expect(sum(Object.values(breakdownMs))).toBeCloseTo(stepMs.mean, 6)
  }
})

describe('what a question changes', () => {
  test('the bandwidth, by the share of it that the trace reached', async () => {
    const plain = await ask({ workers: [1], bandwidthBitsPerSecond: 1e9 })
    expect(plain.parameters.goodput).toMatchObject({ value: (125e6 * 1448) / 1538, source: 'flag' })
    expect(plain.points[0].bandwidth).toBe('1Gbps')
    const traced = await ask({ workers: [1], bandwidthBitsPerSecond: 10e9, tracedBandwidthBitsPerSecond: 1e9 })
    expect(traced.parameters.goodput.value as number).toBeCloseTo(1195e6, -7)
  })

  test('latency lengthens a step by what is added to the request, each way', async () => {
    const near = await ask({ workers: [1] })
    const far = await ask({ workers: [1], latencyUs: 1050 })
    // The pulls' requests, the pulls and the pushes on the critical path are 1 ms late each.
    expect(far.points[0].stepMs.mean - near.points[0].stepMs.mean).toBeCloseTo(3, 0)
  })

  test('the step time, by stretching compute', async () => {
    const { simulatedMs } = (await ask({ workers: [1] })).replay
    const slower = await ask({ workers: [1], stepTimeUs: 2 * simulatedMs * 1000 })
    // Twenty measured steps are not each template once.
    expect(slower.points[0].stepMs.mean / (2 * simulatedMs)).toBeCloseTo(1, 2)
    expect(slower.parameters.computeScale.source).toBe('flag')
  })
})

test('the baseline of equal sharing knows no windows', async () => {
  const fixedPath = { workers: [1], bandwidthBitsPerSecond: 1e9, parsePerByteUs: 0 }
  const equalSharing = async (windowBytes: number) => (await ask({ ...fixedPath, windowBytes })).points[0].baselines.equalSharing
  const without = await equalSharing(1e9)
  expect((await equalSharing(1e6)) / without).toBeCloseTo(1, 9)
  // The transport without anything else has them: the order of turns counts for a single worker too.
  const simple = (await ask({ ...fixedPath, windowBytes: 1e6, transport: 'simple' })).points[0].stepsPerSecond.mean
  expect(Math.abs(simple / without - 1)).toBeGreaterThan(0.005)
})

describe('questions that cannot be answered', () => {
  test.each([
    [{ workers: [] }, 'workers'],
    [{ workers: [0] }, 'number of workers'],
    [{ workers: [1.5] }, 'number of workers'],
    [{ workers: [Number.NaN] }, 'number of workers'],
    [{ workers: [100_001] }, 'number of workers'],
    [{ bandwidthBitsPerSecond: 0 }, 'bandwidth'],
    [{ tracedBandwidthBitsPerSecond: Number.POSITIVE_INFINITY }, 'traced bandwidth'],
    [{ latencyUs: -1 }, 'latency'],
    [{ windowBytes: 0 }, 'window'],
    [{ windowBytes: 1 }, 'window'],
    [{ bandwidthBitsPerSecond: 1e300 }, 'bandwidth'],
    [{ latencyUs: 1e300 }, 'latency'],
    [{ parsePerByteUs: 1e6 }, 'parse cost'],
    [{ stepTimeUs: 1 }, 'step time'],
    [{ computeSpeed: 0 }, 'compute speed'],
    [{ computeSpeed: Number.NaN }, 'compute speed'],
    [{ precision: 0 }, 'precision'],
    [{ fixed: { replications: 0, steps: 1 } }, 'number of replications'],
    [{ fixed: { replications: 1, steps: 0.5 } }, 'number of measured steps per worker'],
    [{ serverCores: 0.5 }, 'number of cores of a server'],
    [{ serverMessageUs: -1 }, 'message cost'],
    [{ serverPerByteUs: 2 }, 'byte cost'],
    [{ flowLimitBitsPerSecond: 1 }, 'flow limit'],
    [{ freeBurstBytes: -1 }, 'free burst'],
    [{ seed: -1 }, 'seed'],
    [{ mode: 'ssp:-1' as 'async' }, 'mode'],
    [{ mode: 'ssp:1000001' as const }, 'mode'],
    [{ mode: 'sync:backup=1' as const }, 'mode'],
    [{ straggler: { probability: 1.5, factor: 2 } }, 'straggler probability'],
    [{ straggler: { probability: 0.5, factor: -1 } }, 'straggler factor'],
    [{ mode: 'often' as 'async' }, 'mode'],
    [{ policy: 'lifo' as 'recorded' }, 'policy'],
    [{ transport: 'pigeon' as 'auto' }, 'transport']
  ])('%j', async (changes, field) => {
    const error = await ask(changes).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(QuestionError)
    expect((error as Error).message).toMatch(new RegExp(`^${field} `))
    expect((error as Error).message).not.toContain('\n')
  })
})

test('a cluster that exceeds the memory is refused in one line that says what to reduce', async () => {
  const servers = Array.from({ length: 100 }, (_, i) => `ps${i}`)
  const error = await ask({ profile: { ...profile, servers }, workers: [100_000] }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(QuestionError)
  expect((error as Error).message).toBe('100000 workers of this profile need more than 2 GiB of memory: use fewer workers')
})

describe('warnings', () => {
  const codes = async (changes: Partial<Question>) => (await ask({ workers: [1], ...changes })).warnings.map(({ code }) => code)

  test('of a profile come first and are passed on', async () => {
    const warned = { ...profile, warnings: [{ code: 'clock-skew', message: 'clocks differ' }] }
    expect((await codes({ profile: warned }))[0]).toBe('clock-skew')
  })

  test('say when steps are few', async () => {
    expect(await codes({ profile: { ...profile, steps: profile.steps.slice(0, 3) } })).toContain('few-steps')
    expect(await codes({})).not.toContain('few-steps')
  })

  test('say when the interval stays wide, once for all points', async () => {
    const { warnings } = await predict({ profile, workers: [2, 3], precision: 1e-9 })
    const [warning, ...more] = warnings.filter(({ code }) => code === 'precision-not-reached')
    expect(more).toEqual([])
    expect(warning.count).toBe(2)
    expect(warning.message).toMatch(/after the most replications, with 2, 3 workers$/)
  })

  test('say when no window shows', async () => {
    const layers = [40_000, 50_000, 60_000]
    const small = recordedBySimulation(core, chainNetwork({ layers, forwardUs: 9000, updateUs: 60, steps: 20 }), gigabitPath)
    expect(await codes({ profile: small })).toEqual(expect.arrayContaining(['window-not-found', 'compute-bound-trace']))
    expect(await codes({})).not.toContain('window-not-found')
  })

  test('say when one worker does not replay', async () => {
    const stretched = { ...profile, steps: profile.steps.map(step => ({ ...step, spanUs: 2 * step.spanUs })) }
    expect(await codes({ profile: stretched })).toContain('replay-error')
  })
})

test('an aborted question ends with the reason', async () => {
  const reason = new Error('enough')
  await expect(predict({ profile, workers: [4] }, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  const controller = new AbortController()
  const onProgress = ({ done }: { done: number }) => {
    if (done === 1) controller.abort(reason)
  }
  await expect(predict({ profile, workers: [1, 2, 4] }, { signal: controller.signal, onProgress })).rejects.toBe(reason)
})

test('progress counts points, and work within them', async () => {
  const seen: Progress[] = []
  await predict(
    { profile, workers: [1, 40], fixed: { replications: 3, steps: 5 } },
    { onProgress: progress => seen.push(progress) }
  )
  expect([...new Set(seen.map(({ done, total, workers }) => `${done}/${total} ${workers}`))]).toEqual([
    '0/2 1',
    '1/2 1',
    '1/2 40',
    '2/2 40'
  ])
  const shares = seen.map(({ share = Number.NaN }) => share)
  expect(shares).toEqual([...shares].sort((a, b) => a - b))
  expect([shares[0], shares.at(-1)]).toEqual([0, 1])
  // The first point is a fortieth of the work, and the second tells of each of its runs.
  const [half, end] = [seen.findIndex(({ workers }) => workers === 40), shares.length - 1]
  expect(shares[half]).toBeLessThan(0.1)
  expect(new Set(shares.slice(half, end)).size).toBeGreaterThan(4)
  expect(shares[end - 1]).toBeGreaterThan(0.5)
})

test('the version is that of the package', () => {
  expect(version).toBe(JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')).version)
})

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
