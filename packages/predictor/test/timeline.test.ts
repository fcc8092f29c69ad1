import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type Operation, type ProfiledStep, profileFrom } from '@foretrain/trace-parser'
import { beforeAll, describe, expect, test } from 'vitest'
import { fifo } from '../src/policies/fifo.ts'
import type { PolicyName } from '../src/policies/names.ts'
import type { Ranks } from '../src/policies/policy.ts'
import { stepGraphOf } from '../src/policies/stepGraph.ts'
import type { Question } from '../src/question.ts'
import { type TimelineOptions, timeline } from '../src/timeline/timeline.ts'
import { readCase } from './support/cases.ts'
import { played } from './support/played.ts'
import { chainNetwork } from './support/syntheticProfile.ts'
import { collected, faultsOf, type TraceDocument, trackNames } from './support/traceEvents.ts'

const operation = (kind: Operation['kind'], name: string, bytes: number, dependencies: number[]): Operation => ({
  ...{ kind, name, bytes, dependencies },
  type: kind === 'pull' || kind === 'push' ? 'RecvTensor' : 'MatMul',
  server: 0
})

function stepOf(values: Pick<ProfiledStep, 'durationUs' | 'gapUs' | 'startUs'>): ProfiledStep {
  return { trace: 'step', spanUs: 1, endUs: values.startUs, imputed: [], ...values }
}

function slicesOf(document: TraceDocument): Array<[track: string, name: string, category: string, ts: number, end: number]> {
  const trackOf = trackNames(document)
  return document.traceEvents
    .filter(({ ph }) => ph === 'X')
    .map(event => [trackOf(event), event.name, event.cat ?? '', event.ts, Math.round((event.ts + event.dur) * 1000) / 1000])
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

describe('on paper', () => {
  // Released at 100: 100,000 bytes at 100 bytes/µs are on the wire until 1100, arrive at 1110, are parsed for 0.01·100,000 + 5 = 1005 µs;
  // at 2115 compute holds its slot, for the recorded gap of 20 and then for 500.
  test('a pull and the compute that waits for it', async () => {
    const profile = profileFrom(
      [operation('pull', 'w/read', 100_000, []), operation('compute', 'dense', 0, [0])],
      [stepOf({ durationUs: [0, 500], gapUs: [0, 20], startUs: [100, 2135] })]
    )
    const document = await played(profile)
    expect(slicesOf(document)).toEqual([
      ['worker 0/step', 'step 0', 'step', 0, 2635],
      ['worker 0/pull from server 0', 'w/read', 'pull', 100, 1100],
      ['worker 0/parse', 'w/read', 'parse', 1110, 2115],
      ['worker 0/compute', 'recorded gap', 'gap', 2115, 2135],
      ['worker 0/compute', 'dense', 'compute', 2135, 2635]
    ])
    const [, pull, parse, , compute] = document.traceEvents.filter(({ ph }) => ph === 'X')
    const place = { step: 0, template: 0, worker: 0 }
    expect(pull.args).toEqual({
      ...{ name: 'w/read', op: 'RecvTensor', id: 0, server: 0, dependencies: [], ...place },
      ...{ bytes: 100_000, readyUs: 100, endUs: 2115 }
    })
    expect(parse.args).toEqual({ name: 'w/read', bytes: 100_000, ...place })
    expect(compute.args).toEqual({ name: 'dense', op: 'MatMul', id: 1, dependencies: [0], ...place })
    const [from, to] = document.traceEvents.filter(({ cat }) => cat === 'flow')
    expect(from).toMatchObject({ ph: 's', name: 'first use', ts: 1110, tid: parse.tid })
    expect(to).toMatchObject({ ph: 'f', name: 'first use', ts: 2135, tid: compute.tid, id: from.id, bp: 'e' })
  })

  // Both released at 0 on one connection: the second waits until the first is sent at 100, and its parsing (105 µs from 210) until that of the
  // first (110 to 215) is done.
  test('a transfer waits for its connection, then for the receiver', async () => {
    const profile = profileFrom(
      [operation('pull', 'a', 10_000, []), operation('pull', 'b', 10_000, []), operation('compute', 'dense', 0, [0, 1])],
      [stepOf({ durationUs: [0, 0, 100], gapUs: [0, 0, 0], startUs: [0, 0, 330] })]
    )
    const document = await played(profile)
    expect(slicesOf(document).filter(([track]) => track !== 'worker 0/step')).toEqual([
      ['worker 0/pull from server 0', 'a', 'pull', 0, 100],
      ['worker 0/pull from server 0, waiting', 'wait', 'wait', 0, 100],
      ['worker 0/pull from server 0', 'b', 'pull', 100, 200],
      ['worker 0/parse', 'a', 'parse', 110, 215],
      ['worker 0/parse, waiting', 'wait', 'wait', 210, 215],
      ['worker 0/parse', 'b', 'parse', 215, 320],
      ['worker 0/compute', 'dense', 'compute', 320, 420]
    ])
    const counts = document.traceEvents.filter(({ ph, name }) => ph === 'C' && name === 'link out, streams')
    expect(counts.map(({ ts, args }) => [ts, args.count])).toEqual([
      [0, 1],
      [100, 1],
      [200, 0]
    ])
  })

  // Compute until 100; the push of 10,000 bytes until 200, arrived at 210, parsed until 315, then the update.
  test('a push points to the update that applies it', async () => {
    const profile = profileFrom(
      [
        operation('compute', 'grad', 0, []),
        operation('push', 'grad', 10_000, [0]),
        operation('update', 'apply', 0, [1]),
        operation('compute', 'identity', 0, [0])
      ],
      [stepOf({ durationUs: [100, 0, 50, 2], gapUs: [0, 0, 0, 0], startUs: [0, 100, 315, 100] })]
    )
    const document = await played(profile)
    expect(slicesOf(document).filter(([track]) => track !== 'worker 0/step')).toEqual([
      ['worker 0/compute', 'grad', 'compute', 0, 100],
      ['worker 0/short compute', 'identity', 'compute', 100, 102],
      ['worker 0/push to server 0', 'grad', 'push', 100, 200],
      ['server 0/parse', 'grad', 'parse', 210, 315],
      ['server 0/update', 'apply', 'update', 315, 365]
    ])
    const flow = document.traceEvents.filter(({ cat }) => cat === 'flow')
    expect(flow.map(({ ph, name, ts }) => [ph, name, ts])).toEqual([
      ['s', 'apply', 210],
      ['f', 'apply', 315]
    ])
  })

  test('of operations that wait at once four are drawn, all are counted', async () => {
    const operations = Array.from({ length: 10 }, (_, i) => operation('pull', `v${i}`, 1000, []))
    const zeros = operations.map(() => 0)
    const document = await played(profileFrom(operations, [stepOf({ durationUs: zeros, gapUs: zeros, startUs: zeros })]))
    const waiting = slicesOf(document).filter(([track]) => track.startsWith('worker 0/pull from server 0, waiting'))
    expect(waiting).toHaveLength(4)
    const counts = document.traceEvents.filter(({ ph, name }) => ph === 'C' && name === 'pull from server 0, waiting')
    expect(counts.map(({ args }) => args.count)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
  })
})

describe('a measured cluster', () => {
  let question: Question
  beforeAll(async () => {
    question = { profile: (await readCase('resnet50-2ps-500')).profile, workers: [3] }
  })
  const made = async (options: TimelineOptions, changes: Partial<Question> = {}) =>
    collected((await timeline({ ...question, ...changes }, options)).chunks)

  test('is drawn without a fault, with every operation of every step', async () => {
    const document = await made({ window: { kind: 'steps', count: 2 } })
    expect(faultsOf(document)).toEqual([])
    const { operations } = question.profile
    const drawn = document.traceEvents.filter(({ args }) => args?.id !== undefined)
    expect(drawn).toHaveLength(3 * 2 * operations.length)
    // Of each worker the first two steps that begin after the last of them has done its six of warm-up.
    const steps = document.traceEvents.filter(({ cat }) => cat === 'step')
    const firsts = [0, 1, 2].map(worker => {
      const own = steps.filter(({ args }) => args.worker === worker)
      expect(own.map(({ args }) => args.step)).toEqual([own[0].args.step, (own[0].args.step as number) + 1])
      return own[0]
    })
    expect(Math.min(...firsts.map(({ args }) => args.step as number))).toBe(6)
    const longestUs = Math.max(...steps.map(({ dur }) => dur))
    expect(Math.max(...firsts.map(({ ts }) => ts)) - Math.min(...firsts.map(({ ts }) => ts))).toBeLessThan(longestUs)
    for (const { args, cat } of drawn.slice(0, 2000)) {
      const known = operations[args.id as number]
      expect([args.name, args.op, cat, args.dependencies]).toEqual([known.name, known.type, known.kind, known.dependencies])
    }
    const pushes = operations.filter(({ kind }) => kind === 'push').length
    const applied = document.traceEvents.filter(({ ph, name }) => ph === 's' && name === 'apply')
    expect(applied.length).toBeGreaterThanOrEqual(3 * 2 * pushes)
  })

  test('the same question gives the same text, another seed another', async () => {
    const options: TimelineOptions = { window: { kind: 'steps', count: 1 }, tracedWorkers: [2, 1] }
    const document = await made(options)
    expect(await made(options)).toEqual(document)
    expect(document.otherData).toMatchObject({
      schema: 'foretrain/timeline@1',
      seed: 1,
      workers: 3,
      tracedWorkers: [1, 2],
      servers: 2
    })
    expect(new Set(document.traceEvents.map(({ args }) => args?.worker).filter(worker => worker !== undefined))).toEqual(
      new Set([1, 2])
    )
    expect((await made(options, { seed: 2 })).traceEvents).not.toEqual(document.traceEvents)
  })

  test('a window of numbered steps holds those steps of each worker', async () => {
    const document = await made({ window: { kind: 'steps', count: 2, from: 3 } })
    expect(faultsOf(document)).toEqual([])
    const steps = document.traceEvents.filter(({ cat }) => cat === 'step').map(({ args }) => `${args.worker} ${args.step}`)
    expect(steps.sort()).toEqual(['0 3', '0 4', '1 3', '1 4', '2 3', '2 4'])
  })

  test('a window of time holds what is under way in it, and nothing else', async () => {
    const document = await made({ window: { kind: 'time', fromUs: 20e6, lengthUs: 500_000 } })
    expect(faultsOf(document)).toEqual([])
    const operations = document.traceEvents.filter(({ ph, cat }) => ph === 'X' && cat !== 'step')
    expect(operations.length).toBeGreaterThan(100)
    for (const { ts, dur, cat, args } of operations) {
      if (cat === 'wait' || cat === 'parse' || cat === 'gap') continue
      expect((args.readyUs as number | undefined) ?? ts - ((args.waitUs as number | undefined) ?? 0)).toBeLessThan(20.5e6)
      expect((args.endUs as number | undefined) ?? ts + dur).toBeGreaterThan(20e6)
    }
    const late = await made({ window: { kind: 'time', lengthUs: 100_000 } })
    expect(faultsOf(late)).toEqual([])
    expect(late.traceEvents.filter(({ cat }) => cat === 'pull' || cat === 'push').length).toBeGreaterThan(0)
  })

  // How long a step takes among several workers is only known roughly before the run, and rather too short than too long.
  test.each([
    [{ kind: 'steps', count: 3 }, 1, 0.8, 1.2],
    [{ kind: 'steps', count: 3 }, 8, 0.8, 1.2],
    [{ kind: 'time', lengthUs: 20e6 }, 4, 0.8, 1.6]
  ] as const)('the estimate for %o of %i workers is %d to %d of the size', async (window, workers, least, most) => {
    const { estimate, chunks } = await timeline({ ...question, workers: [workers] }, { window })
    let bytes = 0
    let lines = 0
    for await (const chunk of chunks) {
      bytes += chunk.length
      lines += chunk.split('\n').length - 1
    }
    for (const ratio of [estimate.bytes / bytes, estimate.events / lines]) {
      expect(ratio).toBeGreaterThan(least)
      expect(ratio).toBeLessThan(most)
    }
  })

  test.each<Partial<Question>>([
    { transport: 'simple', latencyUs: 2000 },
    { serverMessageUs: 50, serverPerByteUs: 1e-3, serverCores: 2 },
    { windowBytes: 1e6, bufferUs: 40_000, stepTimeUs: 5e6 },
    { flowLimitBitsPerSecond: 1e8, bandwidthBitsPerSecond: 1e10, computeSlowdown: { 1: 2.5 } },
    { policy: 'random' },
    { policy: 'tac', latencyUs: 2000 },
    { policy: 'priority', priority: { partitionBytes: 1e6 } }
  ])('whatever is asked, nothing overlaps: %o', async changes => {
    const document = await made({ window: { kind: 'steps', count: 1 } }, changes)
    expect(faultsOf(document)).toEqual([])
    expect(document.traceEvents.filter(({ args }) => args?.id !== undefined)).toHaveLength(3 * question.profile.operations.length)
  })

  test('pulls of a step are handed over in the order of the policy', async () => {
    /** Of server 0: each connection has an order of its own. */
    const handedOver = async (policy: PolicyName) => {
      const document = await made({ window: { kind: 'steps', count: 1, from: 2 }, tracedWorkers: [0] }, { policy })
      const pulls = document.traceEvents.filter(({ cat, args }) => cat === 'pull' && args.server === 0)
      return pulls.sort((a, b) => a.ts - b.ts).map(({ args }) => args.id as number)
    }
    const { rank } = fifo
    const graph = stepGraphOf(question.profile, { goodputBytesPerUs: 100, parsePerByteUs: 0.01, parseFixedUs: 5 })
    const { pulls } = rank(graph, 0) as Ranks
    const rankOf = new Map(graph.pulls.map((id, i) => [id, pulls[i]]))
    const inversions = (ids: readonly number[]) => ids.filter((id, i) => i > 0 && rankOf.get(id)! < rankOf.get(ids[i - 1])!).length
    expect(inversions(await handedOver('fifo'))).toBe(0)
    expect(inversions(await handedOver('recorded'))).toBeGreaterThan(10)
  })

  test('what cannot be asked is refused', async () => {
    const refused = (options: TimelineOptions, workers: number[] = [3]) =>
      timeline({ ...question, workers }, options).then(
        () => 'done',
        error => `${error.name}: ${error.message}`
      )
    expect(await refused({}, [1, 2])).toMatch(/^QuestionError: a timeline is of one cluster/)
    expect(await refused({ tracedWorkers: [3] })).toMatch(/^QuestionError: traced worker is 3: use numbers from 0 to 2/)
    expect(await refused({ window: { kind: 'steps', count: 0 } })).toMatch(/^QuestionError: steps of the window is 0/)
    expect(await refused({ window: { kind: 'time', lengthUs: Number.NaN } })).toMatch(/^QuestionError: length of the window/)
  })
})

test('a long window needs no more memory than a short one', async () => {
  const profile = chainNetwork({ layers: [20_000, 40_000, 30_000], forwardUs: 300, updateUs: 40, steps: 3 })
  const retained = async (count: number) => {
    const { chunks } = await timeline({ profile, workers: [2] }, { window: { kind: 'steps', count } })
    let characters = 0
    let most = 0
    let pieces = 0
    for await (const chunk of chunks) {
      characters += chunk.length
      if (pieces++ % 10 > 0) continue
      collectGarbage()
      most = Math.max(most, process.memoryUsage().heapUsed)
    }
    return { characters, most }
  }
  // Both are longer than what is simulated in one go.
  const short = await retained(1000)
  const long = await retained(5000)
  expect(long.characters).toBeGreaterThan(4.5 * short.characters)
  expect(long.characters).toBeGreaterThan(50e6)
  expect(long.most - short.most).toBeLessThan(5e6)
})
