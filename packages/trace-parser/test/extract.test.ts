import { describe, expect, it } from 'vitest'
import { extract, TraceError } from '../src/index.ts'
import { codes, failureOf, graphOf, profileOf } from './support/profile.ts'
import { encode, file, ORIGIN_US, type RecordFixture, ran, SERVER, step, steps, WORKER } from './support/runMetadata.ts'

const without = (name: string) => (records: RecordFixture[]) => records.filter(record => record.name !== name)
const withoutTransfer = (tensor: string) => (records: RecordFixture[]) =>
  records.filter(({ label }) => !label?.includes(`_${tensor} from`))

describe('a clean trace', () => {
  it('becomes operations, transfers and dependencies', async () => {
    const profile = await profileOf(steps(6))
    expect(profile.worker).toBe('/job:worker/replica:0/task:0')
    expect(profile.servers).toEqual(['/job:ps/replica:0/task:0'])
    expect(profile.warnings).toEqual([])
    expect(graphOf(profile)).toEqual(
      new Map([
        ['a/read (pull)', []],
        ['b/read (pull)', []],
        ['one (compute)', ['a/read (pull)']],
        ['two (compute)', ['b/read (pull)', 'one (compute)']],
        ['grad_a (compute)', ['two (compute)']],
        ['grad_b (compute)', ['two (compute)', 'grad_a (compute)']],
        ['grad_a (push)', ['grad_a (compute)']],
        ['grad_b (push)', ['grad_b (compute)']],
        ['update_a (update)', ['grad_a (push)']],
        ['update_b (update)', ['grad_b (push)']]
      ])
    )
    const [first] = profile.steps
    expect(first.startUs).toEqual([14, 15, 100, 300, 400, 450, 450, 500, 560, 660])
    expect(first.endUs).toEqual([100, 200, 300, 400, 450, 500, 560, 660, 565, 670])
    expect(first.durationUs).toEqual([0, 0, 200, 100, 50, 50, 0, 0, 5, 10])
    expect(first.spanUs).toBe(670)
    expect(profile.operations.map(({ bytes }) => bytes)).toEqual([4000, 8_000_000, 0, 0, 0, 0, 4000, 8_000_000, 0, 0])
    // Per step: two _SOURCE; a, b, rate and the two reads of the server.
    expect(profile.counts).toMatchObject({
      records: 102,
      used: 60,
      ignored: { 'server operation before any push': 30, 'start and end of the graph': 12 }
    })
  })

  it('is the same whatever the spelling of devices', async () => {
    const old = steps(6, () => ({ worker: '/job:worker/replica:0/task:0/cpu:0', server: '/job:ps/replica:0/task:0/cpu:0' }))
    const profile = await profileOf(old)
    expect(profile.devices).toEqual([SERVER, WORKER].sort())
    expect(profile.operations).toEqual((await profileOf(steps(6))).operations)
  })

  it('is the same when edge numbers differ from step to step', async () => {
    const profile = await profileOf(steps(6, i => ({ firstEdge: 10 + 7 * i })))
    expect(profile.operations).toEqual((await profileOf(steps(6))).operations)
    expect(profile.warnings).toEqual([])
  })

  it('reads labels without a rate, of TensorFlow 1.8', async () => {
    const edit = (records: RecordFixture[]) =>
      records.map(record => ({ ...record, label: record.label?.replace(' [1.000000Mb/s]', '') }))
    expect((await profileOf(steps(6, () => ({ edit })))).operations).toEqual((await profileOf(steps(6))).operations)
  })

  it('uses nanoseconds where they are recorded', async () => {
    const edit = (records: RecordFixture[]) =>
      records.map(record =>
        record.name === 'one' ? { ...record, raw: { allStartNs: BigInt(ORIGIN_US + 100) * 1000n, allEndRelNs: 199_500 } } : record
      )
    const profile = await profileOf([file(step({ edit }))])
    expect(profile.steps[0].durationUs[2]).toBeCloseTo(199.5, 0)
  })
})

describe('sizes', () => {
  it('are exact from requested_bytes, and counted when they come from rounded labels', async () => {
    const edit = (records: RecordFixture[]) => records.map(({ bytes: _, ...record }) => record)
    const profile = await profileOf(steps(6, () => ({ edit })))
    expect(profile.operations.map(({ bytes }) => bytes)).toEqual([4000, 7_969_178, 0, 0, 0, 0, 4000, 7_969_178, 0, 0])
    expect(profile.warnings.find(({ code }) => code === 'label-rounded-sizes')).toMatchObject({ count: 12 })
  })

  it('that no memory holds make a label unreadable', async () => {
    const edit = (records: RecordFixture[]) =>
      records.map(record => ({ ...record, bytes: undefined, label: record.label?.replace('[7.6MB]', '[99999999999999999.0MB]') }))
    const profile = await profileOf(steps(6, () => ({ edit })))
    expect(profile.counts.ignored['transfer with an unreadable label']).toBe(12)
  })

  it('are the median; a step that differs says so', async () => {
    const edit = (records: RecordFixture[]) => records.map(record => (record.bytes === 4000 ? { ...record, bytes: 4400 } : record))
    const profile = await profileOf(steps(6, i => (i === 2 ? { edit } : {})))
    expect(profile.operations[0].bytes).toBe(4000)
    expect(profile.steps[2].bytes).toEqual([
      [0, 4400],
      [6, 4400]
    ])
    expect(profile.steps[1].bytes).toBeUndefined()
  })

  it('that do not match between pulls and pushes are pointed out', async () => {
    const profile = await profileOf(steps(6, () => ({ edit: withoutTransfer('grad_b') })))
    expect(codes(profile)).toContain('uneven-bytes')
  })
})

describe('times', () => {
  const atOnce = (records: RecordFixture[]) =>
    records.map(record => ({ ...record, start: 0, duration: 0, raw: { allStart: 2n ** 52n, allEndRel: 0, opEndRel: 0 } }))

  it('all of one moment cost the step', async () => {
    const profile = await profileOf(steps(6, i => (i === 3 ? { edit: atOnce } : {})))
    expect(profile.steps).toHaveLength(5)
    expect(profile.counts.droppedSteps).toEqual([{ trace: 'step_3.pb', reason: 'all records are of one moment' }])
  })

  it('of one moment in every step are refused', async () => {
    expect(await failureOf([file(step({ edit: atOnce }))])).toMatch(/^step\.pb: all records of the step are of one moment/)
  })

  it('that cannot be are said to be the reason', async () => {
    const never = (records: RecordFixture[]) => records.map(record => ({ ...record, raw: { allStart: 0 } }))
    expect(await failureOf([file(step({ edit: never }))])).toMatch(/^step\.pb: no operation with usable times/)
  })
})

it('more operations in a step than memory may hold are refused', () => {
  const record = (name: string, startUs: number, label = `${name} = NoOp()`) => ({
    ...{ name, label, scheduledUs: startUs, startUs, endUs: startUs + 1 },
    outputBytes: 4
  })
  const label = `[4B] [1.000000Mb/s] edge_1_a/read from ${SERVER} to ${WORKER}`
  const records = Array.from({ length: 400_001 }, (_, i) => record(`n${i}`, ORIGIN_US + i))
  const devices = [{ device: WORKER, records: [record('RecvTensor', ORIGIN_US, label), ...records] }]
  expect(() => extract([{ trace: 'step.pb', devices, nodes: [] }])).toThrow(
    new TraceError('step.pb: 400001 operations in a step; at most 400000 are possible')
  )
})

describe('lost records', () => {
  it('of transfers are filled in from the other steps', async () => {
    const profile = await profileOf(steps(6, i => (i === 3 ? { edit: withoutTransfer('b/read') } : {})))
    expect(profile.counts.imputedTransfers).toBe(1)
    expect(profile.steps[3].imputed).toEqual([1])
    expect(profile.steps[3].startUs[1]).toBe(15)
    expect(profile.steps[3].endUs[1]).toBe(200)
    expect(profile.warnings).toMatchObject([{ code: 'imputed-transfers', count: 1 }])
  })

  it('of operations cost the step', async () => {
    const profile = await profileOf(steps(6, i => (i === 3 ? { edit: without('two') } : {})))
    expect(profile.steps).toHaveLength(5)
    expect(profile.counts.droppedSteps).toEqual([{ trace: 'step_3.pb', reason: 'lacks 1 operation of the other steps: two' }])
    expect(codes(profile)).toEqual(['dropped-steps'])
  })

  it('that most steps do not have are left out', async () => {
    const edit = (records: RecordFixture[], device: string) =>
      device === WORKER && records[0].name === '_SOURCE' ? [...records, ran('summary', 'Summary', ['two'], 500, 30)] : records
    const profile = await profileOf(steps(6, i => (i === 3 ? { edit } : {})))
    expect(profile.steps).toHaveLength(6)
    expect(profile.counts.ignored['in fewer than half of the steps']).toBe(1)
    expect(codes(profile)).toEqual(['rare-records'])
  })

  it('that stand twice count once', async () => {
    const profile = await profileOf(steps(6, () => ({ edit: records => [...records, ...records] })))
    expect(profile.steps).toEqual((await profileOf(steps(6))).steps)
    expect(profile.counts.ignored['record that stands twice']).toBe(90)
  })
})

describe('broken times', () => {
  const broken = async (raw: RecordFixture['raw']) => {
    const edit = (records: RecordFixture[]) => records.map(record => (record.name === 'grad_a' ? { ...record, raw } : record))
    return profileOf(steps(6, i => (i === 3 ? { edit } : {})))
  }

  it.each([
    ['negative durations', { allEndRel: -5000 }, 'negative duration'],
    ['ends of 0', { allEndRel: -ORIGIN_US }, 'negative duration'],
    ['no start', { allStart: 0 }, 'no start time'],
    ['times beyond 2^53', { allStart: 19_978_045_970_716_470n }, 'time beyond 2^53 µs'],
    ['times of another year', { allStart: ORIGIN_US + 1e13 }, 'time more than an hour from the rest of its task']
  ])('%s are counted, and the step is dropped', async (_, raw, reason) => {
    const profile = await broken(raw)
    expect(profile.counts.ignored[reason]).toBe(1)
    expect(profile.steps).toHaveLength(5)
    expect(codes(profile)).toEqual(['dropped-steps', 'broken-times'])
  })

  it('of an operation in every step leave its place in the graph', async () => {
    const edit = (records: RecordFixture[]) =>
      records.map(record => (record.name === 'grad_a' ? { ...record, raw: { allEndRel: -1 } } : record))
    const profile = await profileOf(steps(6, () => ({ edit })))
    expect(graphOf(profile).get('grad_a (push)')).toEqual(['two (compute)'])
  })
})

describe('hidden dependencies', () => {
  // A constant that waits for `slow` by a control edge prints no inputs; it is scheduled when that ends, 3.5 ms into the step.
  const edit = (records: RecordFixture[], device: string): RecordFixture[] =>
    device === WORKER && records[0].name === '_SOURCE'
      ? [
          ...records,
          ran('slow', 'Grad', ['grad_b'], 500, 3000),
          ran('late', 'Const', [], 3510, 2, { scheduled: 3505 }),
          ran('after', 'Grad', ['late'], 3520, 100)
        ]
      : records

  it('are found from scheduling times', async () => {
    const profile = await profileOf(steps(6, () => ({ edit })))
    expect(graphOf(profile).get('late (compute)')).toEqual(['slow (compute)'])
    expect(profile.warnings).toMatchObject([{ code: 'hidden-dependency', count: 1 }])
  })

  it('that no candidate explains in nine steps of ten are reported', async () => {
    // In every other step another operation is the last to end.
    const vary = (i: number) => ({
      edit: (records: RecordFixture[], device: string) =>
        device === WORKER && records[0].name === '_SOURCE'
          ? [...edit(records, device), ran('other', 'Grad', ['grad_b'], 500, i % 2 === 1 ? 3002 : 2000)]
          : records
    })
    const profile = await profileOf(steps(6, vary))
    expect(graphOf(profile).get('late (compute)')).toEqual([])
    expect(profile.warnings).toMatchObject([{ code: 'late-roots', count: 1 }])
  })
})

describe('clocks', () => {
  it.each([5000, -5000, 86_400_000_000])("a server %d µs ahead is brought to the worker's clock", async skew => {
    const expected = await profileOf(steps(6))
    const profile = await profileOf(steps(6, () => ({ skew })))
    expect(Math.abs(profile.clockOffsetUs[0] - skew)).toBeLessThan(100)
    expect(profile.warnings).toMatchObject([{ code: 'clock-skew' }])
    expect(profile.operations).toEqual(expected.operations)
    profile.steps[0].endUs.forEach((endUs, i) => {
      expect(Math.abs(endUs - expected.steps[0].endUs[i])).toBeLessThan(100)
    })
    expect(Math.abs(profile.steps[0].spanUs - 670)).toBeLessThan(100)
  })

  it("a difference within the transfers' own delay is left alone", async () => {
    const profile = await profileOf(steps(6, () => ({ skew: 40 })))
    expect(profile.clockOffsetUs).toEqual([0])
    expect(profile.warnings).toEqual([])
  })

  it('megabytes in a microsecond are pointed out', async () => {
    const edit = (records: RecordFixture[]) =>
      records.map(record => (record.label?.includes('_b/read from') ? { ...record, start: 199, duration: 1 } : record))
    expect(codes(await profileOf(steps(6, () => ({ edit }))))).toEqual(['clock-skew'])
  })
})

describe('resources', () => {
  it('idle time that nothing explains stands in front of an operation, up to a millisecond', async () => {
    const edit = (records: RecordFixture[]) =>
      records.map(record => (record.name === 'grad_b' ? { ...record, start: 470, duration: 30 } : record))
    const profile = await profileOf(steps(6, () => ({ edit })))
    expect(profile.steps[0].gapUs).toEqual([0, 0, 0, 0, 0, 0, 20, 0, 0, 0])
    const slow = (records: RecordFixture[]) =>
      records.map(record => (record.name === 'grad_b' ? { ...record, start: 5000 } : record))
    expect((await profileOf(steps(6, () => ({ edit: slow })))).steps[0].gapUs).toContain(1000)
  })

  it('concurrency counts operations of 20 µs and more', async () => {
    const edit = (records: RecordFixture[], device: string) =>
      device === WORKER && records[0].name === '_SOURCE'
        ? [...records, ran('side', 'Grad', ['one'], 310, 40), ran('tiny', 'Grad', ['one'], 315, 19)]
        : records
    expect((await profileOf(steps(6, () => ({ edit })))).concurrency).toEqual({ compute: 2, update: 1 })
  })

  it('holes of more than a tenth of the step are listed', async () => {
    const edit = (records: RecordFixture[]) =>
      records.map(record => (record.name === 'update_b' ? { ...record, start: 1660, scheduled: 1660 } : record))
    const profile = await profileOf(steps(6, () => ({ edit })))
    expect(profile.holes).toHaveLength(6)
    expect(profile.holes[0]).toEqual({ step: 0, startUs: 660, durationUs: 1000, before: 'grad_b', after: 'update_b' })
    expect(codes(profile)).toContain('holes')
  })

  it('kernels of a GPU replace the times of their launch, once', async () => {
    const gpu = '/job:worker/replica:0/task:0/device:GPU:0'
    const kernels = [ran('one:Conv2D', 'Conv2D', [], 120, 80), ran('one:Conv2D', 'Conv2D', [], 210, 40)]
    const extra = [
      { device: `${gpu}/stream:all`, records: kernels },
      { device: `${gpu}/stream:7`, records: kernels },
      { device: `${gpu}/memcpy`, records: [ran('edge:MEMCPYHtoD', '', [], 20, 5)] }
    ]
    const profile = await profileOf(steps(6, () => ({ extra })))
    expect(profile.steps[0].durationUs[2]).toBe(120)
    expect([profile.steps[0].startUs[2], profile.steps[0].endUs[2]]).toEqual([120, 250])
    expect(profile.counts.ignored['copy of a GPU kernel or memory copy']).toBe(18)
  })

  it('kernels on a clock of their own are left out', async () => {
    const extra = [
      { device: '/device:GPU:0/stream:all', records: [ran('one:Conv2D', 'Conv2D', [], 0, 80, { raw: { allStart: 500 } })] }
    ]
    const profile = await profileOf(steps(6, () => ({ extra })))
    expect(profile.steps[0].durationUs[2]).toBe(200)
    expect(codes(profile)).toEqual(['gpu-clock'])
  })
})

describe('steps', () => {
  it('one alone works', async () => {
    expect(codes(await profileOf(steps(1)))).toEqual(['few-steps'])
  })

  it('a long first one is pointed out', async () => {
    const edit = (records: RecordFixture[]) =>
      records.map(record => (record.name === 'update_b' ? { ...record, start: 5000 } : record))
    expect(codes(await profileOf(steps(6, i => (i === 0 ? { edit } : {}))))).toContain('profiled-first-step')
  })

  it('none is an error', async () => {
    expect(await failureOf([])).toMatch(/^no steps: /)
    expect(await failureOf([file(encode([]))])).toMatch(/no step_stats records; .*trace_level/)
  })
})
