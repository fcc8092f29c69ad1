import { type Core, type Job, loadCore, OperationKind, Simulation } from '@foretrain/core-wasm'
import { type Operation, type Profile, profileFrom } from '@foretrain/trace-parser'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildCluster } from '../src/cluster.ts'
import { compile, computeSlotsOf } from '../src/compile/compile.ts'
import { selectTemplates } from '../src/compile/layOut.ts'
import { QuestionError } from '../src/question.ts'
import { describeTransport } from '../src/transport.ts'
import { mixedDurations, randomProfile } from './support/randomProfile.ts'
import { chainNetwork } from './support/syntheticProfile.ts'

let core: Core
beforeAll(async () => {
  core = await loadCore()
})

const kindNames = Object.entries(OperationKind)
const kindsOf = (job: Job) => Array.from(job.kind, kind => kindNames.find(([, value]) => value === kind)![0])

/** End of every step of a few workers on a slow network with short windows. */
function stepEnds(profile: Profile, job: Job, workers: number): Float64Array {
  const path = { goodputBytesPerUs: 40, windowBytes: 20_000, parsePerByteUs: 4e-5, latencyUs: 50 }
  const shape = {
    workers,
    servers: profile.servers.length,
    goodputBytesPerUs: 40,
    computeSlots: computeSlotsOf(profile),
    updateSlots: 1,
    computeScale: 1,
    stepOverheadUs: 100
  }
  const cluster = buildCluster(shape, describeTransport('auto', path, { rampUs: 0 }))
  const simulation = new Simulation(core, job, cluster, { seed: 3, replication: 0, phaseSpanUs: 1000 })
  simulation.run(6 * workers)
  const ends = simulation.records().endUs.slice(0, 6 * workers)
  simulation.free()
  return ends
}

function expectSameSteps(profile: Profile, workers: number): void {
  const whole = stepEnds(profile, compile(profile, { contract: false }).job, workers)
  const contracted = stepEnds(profile, compile(profile, { contractionShare: 0 }).job, workers)
  whole.forEach((end, step) => {
    expect(Math.abs(contracted[step] - end)).toBeLessThanOrEqual(1e-9 * end)
  })
}

describe('contraction without dropping changes no step', () => {
  const everything = randomProfile({ kinds: ['compute', 'compute', 'update', 'pull', 'push'], durationUs: mixedDurations })
  test.each([1, 3])('random graphs, %i workers', workers => {
    fc.assert(
      fc.property(everything, profile => expectSameSteps(profile, workers)),
      { numRuns: 300, seed: 11 }
    )
  })

  test('random graphs with durations of zero', () => {
    // Transfers are left out: at one and the same time their order in a queue may differ.
    const durationUs = fc.oneof(fc.constant(0), mixedDurations)
    const profiles = randomProfile({ kinds: ['compute'], durationUs }).map(profile => ({
      ...profile,
      concurrency: { compute: 64, update: 64 }
    }))
    fc.assert(
      fc.property(profiles, profile => expectSameSteps(profile, 1)),
      { numRuns: 300, seed: 12 }
    )
  })
})

/** One step of compute operations with the given durations and dependencies; roots are ready at their index. */
function computeOnly(durationUs: number[], dependencies: number[][], compute = 1): Profile {
  const operations = dependencies.map((wanted, id) => ({
    name: `o${id}`,
    kind: 'compute' as const,
    type: '',
    server: 0,
    bytes: 0,
    dependencies: wanted
  }))
  const startUs = durationUs.map((_, id) => id)
  const zeros = durationUs.map(() => 0)
  const step = { trace: 's', spanUs: 1e6, durationUs, gapUs: zeros, startUs, endUs: zeros, imputed: [] }
  return profileFrom(operations, [step], { concurrency: { compute, update: 1 } })
}

describe('each rule', () => {
  const exact = { contractionShare: 0 }

  test('a chain of short operations becomes one, with the sum of durations', () => {
    const { job, operationOf } = compile(computeOnly([100, 2, 3, 4, 100], [[], [0], [1], [2], [0, 3]], 2), exact)
    // 0 → 1 → 2 → 3 → 4: the edge 0 → 4 is redundant, and nothing runs beside the chain.
    expect(operationOf).toEqual([[0, 1, 2, 3, 4]])
    expect(Array.from(job.amount)).toEqual([209])
  })

  test('serial compute stays apart where another operation may want the slot in between', () => {
    const { job } = compile(computeOnly([100, 100, 100], [[], [0], []]), exact)
    expect(job.operations).toBe(3)
  })

  test('… and is merged where there is a slot for each', () => {
    const { operationOf } = compile(computeOnly([100, 100, 100], [[], [0], []], 2), exact)
    expect(operationOf).toEqual([[0, 1], [2]])
  })

  test('a short root goes into the release of what waits for it alone', () => {
    const { job } = compile(computeOnly([7, 100], [[], [0]]), exact)
    expect(kindsOf(job)).toEqual(['compute'])
    expect(Array.from(job.releaseUs)).toEqual([7])
  })

  test('a fixed edge that can never bind is removed', () => {
    // 2 waits for the delay 0 → done at 5, and for the root 1, which is not even released before 50.
    const profile = computeOnly([5, 100, 100], [[], [], [0, 1]])
    profile.steps[0].startUs = [0, 50, 150]
    const { job, operationOf } = compile(profile, exact)
    expect(operationOf).toEqual([[1, 2]])
    expect(Array.from(job.releaseUs)).toEqual([50])
  })

  test('… and kept where it may', () => {
    const profile = computeOnly([15, 100, 100], [[], [], [0, 1]])
    profile.steps[0].startUs = [60, 50, 150]
    expect(compile(profile, exact).job.operations).toBe(3)
  })

  test('a gap holds the slot before the recorded start, so a root is ready that much earlier', () => {
    const profile = computeOnly([130], [[]])
    profile.steps[0].startUs = [40]
    profile.steps[0].gapUs = [30]
    const { job } = compile(profile)
    expect(Array.from(job.releaseUs)).toEqual([10])
    expect(Array.from(job.amount)).toEqual([160])
  })

  test('short operations are dropped as long as no path loses more than the budget', () => {
    const network = chainNetwork({ layers: [5000, 6000, 7000], forwardUs: 300, updateUs: 50, steps: 5 })
    const spanUs = 30_000
    const profile = { ...network, steps: network.steps.map(step => ({ ...step, spanUs })) }
    const dropped = compile(profile)
    // Each path holds one short operation, of at most 2.5 µs · 1.08; the budget is 3 µs.
    expect(dropped.droppedUs).toBeCloseTo(2.7, 12)
    expect(kindsOf(dropped.job)).not.toContain('delay')
    expect(kindsOf(compile(profile, { contractionShare: 1e-5 }).job)).toContain('delay')
  })
})

test('latency shifts the release of pulls only', () => {
  const network = chainNetwork({ layers: [5000, 6000], forwardUs: 300, updateUs: 50, steps: 2 })
  const base = compile(network).job.releaseUs
  const shifted = compile(network, { pullReleaseShiftUs: 200 }).job.releaseUs
  shifted.forEach((release, index) => {
    expect(release).toBeCloseTo(base[index] + 200, 9)
  })
})

test('selected templates are those of the job', () => {
  const { job } = compile(chainNetwork({ layers: [5000, 6000], forwardUs: 300, updateUs: 50, steps: 4 }))
  const some = selectTemplates(job, [3, 1])
  expect(some.templates).toBe(2)
  expect(some.amount.subarray(0, job.operations)).toEqual(job.amount.subarray(3 * job.operations))
  expect(some.releaseUs[0]).toBe(job.releaseUs[3 * 2])
})

test('an operation that waits for more others than can be counted is refused by name', () => {
  const pulls = Array.from({ length: 65_536 }, (_, id) => operation(`pull${id}`, 'pull', []))
  const profileOfSum = (count: number) => {
    const operations = [
      ...pulls.slice(0, count),
      operation(
        'sum',
        'compute',
        Array.from({ length: count }, (_, id) => id)
      )
    ]
    const zeros = operations.map(() => 0)
    const step = {
      trace: 'step',
      spanUs: 1000,
      durationUs: operations.map(() => 50),
      gapUs: zeros,
      startUs: zeros,
      endUs: zeros,
      imputed: []
    }
    return profileFrom(operations, [step])
  }
  const { job } = compile(profileOfSum(65_535), { contract: false })
  expect(job.dependencies[65_535]).toBe(65_535)
  const refused = () => compile(profileOfSum(65_536), { contract: false })
  expect(refused).toThrow(QuestionError)
  expect(refused).toThrow('profile: operation sum waits for 65536 others: use a profile with at most 65535')
})

function operation(name: string, kind: Operation['kind'], dependencies: number[]): Operation {
  return { name, kind, type: '', server: 0, bytes: kind === 'pull' ? 1000 : 0, dependencies }
}
