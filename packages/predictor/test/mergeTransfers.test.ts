import { type Core, type Job, loadCore, OperationKind } from '@foretrain/core-wasm'
import { type Operation, type Profile, type ProfiledStep, profileFrom } from '@foretrain/trace-parser'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { calibrate } from '../src/calibrate/calibrate.ts'
import { playInOrder, tracedCluster } from '../src/calibrate/oneWorker.ts'
import { type CompileOptions, compile } from '../src/compile/compile.ts'
import { jobOnPath } from '../src/compile/firstTurns.ts'
import { StepOrders } from '../src/policies/stepOrders.ts'
import { readCase } from './support/cases.ts'
import { mixedDurations, randomProfile } from './support/randomProfile.ts'

const apart = { merge: { pulls: false, pushes: false } }

let core: Core
beforeAll(async () => {
  core = await loadCore()
})

interface Spec {
  kind: Operation['kind']
  after?: number[]
  bytes?: number
  server?: number
  /** µs, of both steps. */
  startUs?: [number, number]
}

/** Two steps of 2 s, in which a transfer may be complete 1 ms later: ten messages go together. */
function profile(specs: Spec[], spanUs = 2e6): Profile {
  const operations = specs.map(
    ({ kind, after = [], bytes = 0, server = 0 }, id): Operation => ({
      name: `o${id}`,
      kind,
      type: '',
      server,
      bytes,
      dependencies: after
    })
  )
  const steps = [0, 1].map(
    (step): ProfiledStep => ({
      trace: `step${step}`,
      spanUs,
      durationUs: specs.map(({ kind }) => (kind === 'compute' ? 5000 : kind === 'update' ? 50 : 0)),
      gapUs: specs.map(() => 0),
      startUs: specs.map(({ startUs }) => startUs?.[step] ?? 0),
      endUs: specs.map(() => 0),
      imputed: []
    })
  )
  return profileFrom(operations, steps, { servers: ['ps0', 'ps1'], concurrency: { compute: 1, update: 2 } })
}

/** Amounts in the first step, with the messages that each stands for. */
function transfers(job: Job, kind: 'pull' | 'push'): Array<[number, number]> {
  return [...job.kind.keys()]
    .filter(operation => job.kind[operation] === OperationKind[kind])
    .map((operation): [number, number] => [job.amount[operation], job.messages?.[operation] ?? 1])
    .sort(([a], [b]) => a - b)
}

test('pushes that wait for the same go together, those to another server apart', () => {
  const pushes = (server: number, bytes: number, id: number): Spec[] => [
    { kind: 'push', after: [0], bytes, server },
    { kind: 'update', after: [id], server }
  ]
  const specs: Spec[] = [
    { kind: 'compute' },
    ...pushes(0, 1000, 1),
    ...pushes(0, 2000, 3),
    ...pushes(0, 3000, 5),
    ...pushes(1, 500, 7)
  ]
  const { job, operationOf } = compile(profile(specs))
  expect(transfers(job, 'push')).toEqual([
    [500, 1],
    [6000, 3]
  ])
  expect(operationOf).toContainEqual([3, 1, 5])
  // Each update still is its own.
  expect(job.kind.filter(kind => kind === OperationKind.update)).toHaveLength(4)
})

test('more than the smallest window does not go together', () => {
  const mega = 2 ** 20
  const specs: Spec[] = [
    { kind: 'compute' },
    ...[3 * mega, 4 * mega, 10].map((bytes): Spec => ({ kind: 'push', after: [0], bytes }))
  ]
  expect(transfers(compile(profile(specs)).job, 'push')).toEqual([
    [3 * mega + 10, 2],
    [4 * mega, 1]
  ])
})

test('small pulls that the same compute waits for go together when the last of them was asked for', () => {
  const specs: Spec[] = [
    { kind: 'pull', bytes: 1e6, startUs: [1, 2] },
    { kind: 'pull', bytes: 100, startUs: [5, 8] },
    { kind: 'pull', bytes: 200, startUs: [9, 3] },
    // Somebody else's.
    { kind: 'pull', bytes: 400, startUs: [4, 4] },
    { kind: 'compute', after: [0, 1, 2] },
    { kind: 'push', after: [4], bytes: 1e6 },
    { kind: 'compute', after: [3, 4] }
  ]
  const { job } = compile(profile(specs))
  expect(transfers(job, 'pull')).toEqual([
    [300, 2],
    [400, 1],
    [1e6, 1]
  ])
  const merged = [...job.kind.keys()].find(operation => job.messages?.[operation] === 2)
  const releases = [...job.releaseOperation.keys()].filter(i => job.releaseOperation[i] === merged)
  expect(releases.map(i => job.releaseUs[i])).toEqual([9, 8])
})

test('in another order merged pulls have the place of their last; with chunks none is larger than one', () => {
  const specs: Spec[] = [
    { kind: 'pull', bytes: 100, startUs: [5, 5] },
    { kind: 'pull', bytes: 200, startUs: [6, 6] },
    { kind: 'pull', bytes: 1e6, startUs: [7, 7] },
    { kind: 'compute', after: [0, 1] },
    { kind: 'compute', after: [2, 3] },
    { kind: 'push', after: [4], bytes: 300 },
    { kind: 'push', after: [4], bytes: 400 }
  ]
  const given = profile(specs)
  const path = { goodputBytesPerUs: 100, windowBytes: Number.POSITIVE_INFINITY, parsePerByteUs: 0, latencyUs: 50 }
  const orders = new StepOrders({ profile: given, workers: [1] }, { compiled: compile(given), path, pullReleaseShiftUs: 0 })
  const released = (pulls: number[]) => {
    const { job, ordered } = orders.of({ policy: { name: 'own', rank: () => ({ pulls }) } })
    const firstStep = [...job.releaseOperation].slice(0, job.releaseOperation.length / job.templates)
    return firstStep.map(operation => ordered.operationOf[operation].toSorted())
  }
  expect(released([0, 1, 2])).toEqual([[0, 1], [2]])
  expect(released([0, 2, 1])).toEqual([[2], [0, 1]])
  expect(released([2, 0, 1])).toEqual([[2], [0, 1]])

  const pushes = (partitionBytes: number) => transfers(orders.of({ policy: 'priority', priority: { partitionBytes } }).job, 'push')
  expect(pushes(700)).toEqual([[700, 2]])
  expect(pushes(699)).toEqual([
    [300, 1],
    [400, 1]
  ])
})

// A fixed cost of 100 µs a message is more than 0.05 % of a step of 100 ms.
test('nothing goes together where a message would show', () => {
  const specs: Spec[] = [{ kind: 'compute' }, ...[1000, 2000].map((bytes): Spec => ({ kind: 'push', after: [0], bytes }))]
  expect(compile(profile(specs, 1e5)).job.messages).toBeUndefined()
  expect(compile(profile(specs, 1e6)).job.messages).toBeDefined()
})

test('no byte and no message is lost', () => {
  const everything = randomProfile({ kinds: ['compute', 'update', 'pull', 'push', 'pull', 'push'], durationUs: mixedDurations })
  const sums = (given: Profile, options: CompileOptions) => {
    const { job } = compile(given, options)
    const sum = new Map<string, number>()
    const add = (key: string, value: number) => sum.set(key, (sum.get(key) ?? 0) + value)
    for (let operation = 0; operation < job.operations; operation++) {
      const kind = job.kind[operation]
      if (kind !== OperationKind.pull && kind !== OperationKind.push) continue
      add(`${kind} ${job.server[operation]} messages`, job.messages?.[operation] ?? 1)
      for (let template = 0; template < job.templates; template++)
        add(`${kind} ${job.server[operation]} ${template}`, Math.round(100 * job.amount[template * job.operations + operation]))
    }
    return sum
  }
  const hold = (given: Profile) => {
    const long = { ...given, steps: given.steps.map(step => ({ ...step, spanUs: 1e7 })) }
    const merged = sums(long, {})
    for (const [key, value] of sums(long, apart)) expect(Math.abs(merged.get(key)! - value)).toBeLessThanOrEqual(50)
  }
  fc.assert(fc.property(everything, hold), { numRuns: 300, seed: 3 })
})

const cases = ['resnet50-1000', 'resnet50-2ps-500', 'mobilenetv2-200', 'densenet121-300', 'inceptionv3-500', 'alexnet-1000']
test.each(cases)('%s takes one worker as long', async name => {
  const { profile: measured } = await readCase(name)
  const [merged, separate] = [compile(measured), compile(measured, apart)]
  const { path } = calibrate(core, measured, separate, { transport: 'auto' })
  const spans = ({ job, operationOf }: typeof merged) =>
    playInOrder(core, jobOnPath({ job, operationOf }, path), tracedCluster(measured, 'auto', path), false).spanUs
  const [together, alone] = [spans(merged), spans(separate)]
  expect(merged.job.operations).toBeLessThan(separate.job.operations)
  const ratios = together.map((span, template) => span / alone[template] - 1)
  for (const ratio of ratios) expect(Math.abs(ratio)).toBeLessThan(0.001)
  expect(Math.abs(ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length)).toBeLessThan(0.0001)
})
