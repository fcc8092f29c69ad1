import { describe, expect, it, test } from 'vitest'
import { readProfile, type TraceFile } from '../src/index.ts'
import { timelineEvents } from './support/otherForms.ts'
import { codes, failureOf, profileOf } from './support/profile.ts'
import {
  type DeviceFixture,
  file,
  ORIGIN_US,
  ran,
  received,
  SERVER,
  SERVER_1,
  step,
  stepDevices,
  WORKER
} from './support/runMetadata.ts'

const timelineFile = (devices: DeviceFixture[], name = 'timeline.json', originUs = ORIGIN_US): TraceFile =>
  file(new TextEncoder().encode(JSON.stringify(timelineEvents(devices, originUs))), name)
const devices = stepDevices()
const sizes = new Map([
  ['a', 4000],
  ['b', 8_000_000]
])
const otherStep = () => file(step({ originUs: ORIGIN_US + 1_000_000 }), 'other.pb')
/** Of each transfer, what a trace records of it. */
const transfersOf = ({ operations, steps }: Awaited<ReturnType<typeof profileOf>>) =>
  operations.flatMap(({ kind, name, bytes, server, dependencies }, i) =>
    kind === 'pull' || kind === 'push' ? [[kind, name, bytes, server, dependencies, steps[0].startUs[i], steps[0].endUs[i]]] : []
  )

describe('transfers of timelines, which have their times alone', () => {
  it('get tensor, sender and size by what waits for them and the sizes of variables', async () => {
    const exact = await profileOf([file(step())])
    const completed = await profileOf([timelineFile(devices)], { sizes })
    expect(transfersOf(completed)).toEqual(transfersOf(exact))
    expect(completed.operations.map(({ name, dependencies }) => [name, dependencies])).toEqual(
      exact.operations.map(({ name, dependencies }) => [name, dependencies])
    )
    expect(completed.variables).toEqual(exact.variables)
    expect(codes(completed)).toContain('matched-transfers')
  })

  it.each(['a/read', 'a/Read/ReadVariableOp'])('the size may be given for %s too', async name => {
    const given = new Map([
      [name, 4000],
      ['b', 8_000_000]
    ])
    if (name === 'a/read') given.set('grad_a', 4000)
    expect(transfersOf(await profileOf([timelineFile(devices)], { sizes: given }))).toEqual(
      transfersOf(await profileOf([file(step())]))
    )
  })

  it('or by the RunMetadata of another step, which goes before a table', async () => {
    const wrong = new Map([
      ['a/read', 1],
      ['of no use', 1]
    ])
    const profile = await profileOf([timelineFile(devices), otherStep()], { sizes: wrong })
    expect(profile.steps.map(({ trace }) => trace)).toEqual(['timeline.json', 'other.pb'])
    expect(transfersOf(profile)).toEqual(transfersOf(await profileOf([file(step())])))
    expect(profile.warnings.find(({ code }) => code === 'unused-sizes')?.message).toMatch(/^1 given size not needed: of no use;/)
  })

  it('without sizes are refused, naming the tensors and both remedies', async () => {
    expect(await failureOf([timelineFile(devices)])).toBe(
      'timeline.json: 4 transfers (RecvTensor) without tensor, size and peer, which TensorFlow leaves out of its timeline JSON; the size of 4 tensors is not known: a/read, b/read, grad_a and 1 more; give the RunMetadata that the timeline was made of (run_metadata.SerializeToString()), or that of another step beside the timeline, or the sizes: --sizes FILE.csv, columns tensor,bytes'
    )
  })

  it('that nothing waits for are left out and counted', async () => {
    const extra = [...devices, { device: WORKER, records: [received('lost', SERVER, WORKER, 600, 10, 8)] }]
    const profile = await profileOf([timelineFile(extra)], { sizes })
    expect(profile.counts.ignored['transfer that no operation is known to wait for']).toBe(1)
    expect(codes(profile)).toContain('lost-events')
  })

  it.each(['_S1', '_S1/_7', '_S1_G7'])('an input suffix of %s is read', async suffix => {
    const renamed = devices.map(one => ({
      ...one,
      records: one.records.map(record => ({ ...record, label: record.label?.replace('a/read_S1', `a/read${suffix}`) }))
    }))
    expect(transfersOf(await profileOf([timelineFile(renamed)], { sizes }))).toEqual(transfersOf(await profileOf([file(step())])))
  })

  it('from one of several servers come from the one that has the variable', async () => {
    const onTwo: DeviceFixture[] = [
      ...devices,
      { device: SERVER_1, records: [ran('c', 'VariableV2', [], 8, 1), ran('c/read', 'Identity', ['c'], 10, 2)] },
      {
        device: WORKER,
        records: [received('edge_30_c/read', SERVER_1, WORKER, 13, 20, 12), ran('three', 'Add', ['c/read_S30', 'two'], 410, 5)]
      }
    ]
    const profile = await profileOf([timelineFile(onTwo)], { sizes: new Map([...sizes, ['c', 12]]) })
    expect(transfersOf(profile).map(transfer => transfer.slice(0, 4))).toContainEqual(['pull', 'c/read', 12, 1])
  })

  it('older spellings of devices make no difference', async () => {
    const old = stepDevices({ worker: '/job:worker/replica:0/task:0/cpu:0', server: '/job:ps/replica:0/task:0/cpu:0' })
    const spelled = await profileOf([timelineFile(old)], { sizes })
    expect(transfersOf(spelled)).toEqual(transfersOf(await profileOf([timelineFile(devices)], { sizes })))
    expect(spelled.servers).toEqual(['/job:ps/replica:0/task:0'])
  })
})

describe('lanes of a GPU', () => {
  const gpu = '/job:worker/replica:0/task:0/device:GPU:0'
  const launch = { device: gpu, records: [ran('kernel', 'MatMul', ['b/read_S3'], 210, 3)] }
  const kernel = ran('kernel:MatMul', 'MatMul', [], 220, 60)
  const copy = ran('edge:MEMCPYHtoD', 'MEMCPYHtoD', [], 215, 4)
  const lane = (name: string, ...records: DeviceFixture['records']) => ({ device: `${gpu}/${name}`, records })
  const durationOf = async (...lanes: DeviceFixture[]) => {
    const { operations, steps, counts } = await profileOf([file(step({ extra: [launch, ...lanes] }))])
    return [
      steps[0].durationUs[operations.findIndex(({ name }) => name === 'kernel')],
      counts.ignored['copy on a GPU stream'] ?? counts.ignored
    ]
  }

  test('a kernel counts once, whether its lanes are stream:all, single streams, or both', async () => {
    const inAll = lane('stream:all', kernel)
    const inSingle = [lane('stream:7', kernel), lane('stream:9', copy), lane('memcpy', copy)]
    const [both] = await durationOf(inAll, ...inSingle)
    const [all] = await durationOf(inAll, lane('memcpy', copy))
    const [single] = await durationOf(...inSingle)
    expect([all, single]).toEqual([both, both])
    const older = inSingle.concat(inAll).map(one => ({ ...one, device: one.device.replace('device:GPU', 'gpu') }))
    expect((await durationOf(...older))[0]).toBe(both)
    expect(both).toBeGreaterThanOrEqual(60)
  })
})

test('a timeline with its memory drawn in (show_memory) gives the same step', async () => {
  const events = timelineEvents(devices)
  const drawn = [
    ...events.slice(0, 9),
    {
      ph: 'O',
      name: 'x',
      cat: 'Tensor',
      id: 3,
      pid: 9,
      tid: 0,
      ts: ORIGIN_US,
      args: { snapshot: { tensor_description: 'dtype: DT_FLOAT' } }
    },
    { ph: 'C', name: 'cpu', cat: 'Memory', pid: 9, ts: ORIGIN_US, args: { cpu: 100 } },
    ...events.slice(9)
  ]
  const text = new TextEncoder().encode(JSON.stringify({ traceEvents: drawn }))
  const { profile } = await readProfile([file(text, 'timeline.json')], { sizes })
  expect(profile.operations).toEqual((await profileOf([timelineFile(devices)], { sizes })).operations)
  expect(profile.counts.ignored['event that is no operation']).toBe(2)
})
