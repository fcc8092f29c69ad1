import { describe, expect, it } from 'vitest'
import { codes, failureOf, graphOf, profileOf } from './support/profile.ts'
import {
  file,
  type NodeFixture,
  type RecordFixture,
  ran,
  received,
  SERVER,
  SERVER_1,
  step,
  steps,
  WORKER
} from './support/runMetadata.ts'

const withoutTransfer = (tensor: string) => (records: RecordFixture[]) =>
  records.filter(({ label }) => !label?.includes(`_${tensor} from`))

describe('clusters', () => {
  it('two servers by their tasks', async () => {
    const move = (text: string | undefined) => text?.replaceAll(SERVER, SERVER_1)
    const isB = ({ name, label }: RecordFixture) =>
      /(^|_)(b|b\/read|grad_b|update_b)( |$)/.test(name === 'RecvTensor' ? label!.split('] ')[2] : name)
    const files = steps(6, () => ({
      edit: (records, device) =>
        records
          .filter(record => device !== SERVER || record.name === 'RecvTensor' || !isB(record))
          .map(record => (record.name === 'RecvTensor' && isB(record) ? { ...record, label: move(record.label) } : record)),
      extra: [
        {
          device: SERVER_1,
          records: [
            ran('b', 'VariableV2', [], 9, 1),
            ran('b/read', 'Identity', ['b'], 12, 2),
            ran('update_b', 'ApplyGradientDescent', ['b', 'rate_1', 'grad_b_S7'], 660, 10),
            ran('rate_1', 'Const', [], 9, 1)
          ]
        }
      ]
    }))
    const profile = await profileOf(files)
    expect(profile.servers).toEqual(['/job:ps/replica:0/task:0', '/job:ps/replica:0/task:1'])
    expect(profile.operations.map(({ name, server }) => `${name} ${server}`)).toEqual([
      'a/read 0',
      'b/read 1',
      'one 0',
      'two 0',
      'grad_a 0',
      'grad_b 0',
      'grad_a 0',
      'grad_b 1',
      'update_a 0',
      'update_b 1'
    ])
    expect(codes(profile)).toContain('server-imbalance')
  })

  it('two workers are refused by name, unless one is chosen', async () => {
    const other = '/job:worker/replica:0/task:1/device:CPU:0'
    const extra = [
      {
        device: other,
        records: [ran('one', 'Conv2D', ['a/read_S9'], 100, 200), received('edge_90_a/read', SERVER, other, 14, 86, 4000)]
      }
    ]
    const files = () => steps(6, () => ({ extra }))
    expect(await failureOf(files())).toBe(
      'step_0.pb and 5 more: 2 workers in one trace (/job:worker/replica:0/task:0, /job:worker/replica:0/task:1); a profile is of one worker, so trace one that trains alone'
    )
    const profile = await profileOf(files(), { worker: '/job:worker/replica:0/task:0' })
    expect(profile.operations).toHaveLength(10)
    expect(profile.counts.ignored['task that is neither the worker nor a server']).toBe(12)
    expect(await failureOf(files(), { worker: '/job:worker/replica:0/task:7' })).toContain('no worker /job:worker/replica:0/task:7')
  })

  it('without operations of the worker have no profile', async () => {
    const edit = (records: RecordFixture[], device: string) =>
      device === WORKER ? records.filter(({ name }) => name === 'RecvTensor') : records
    expect(await failureOf([file(step({ edit }))])).toMatch(
      /^step\.pb: transfers but no executed operations of \/job:worker\/replica:0\/task:0; .*FULL_TRACE/
    )
  })

  it('without any transfer have no profile', async () => {
    const edit = (records: RecordFixture[]) => records.filter(({ name }) => name !== 'RecvTensor')
    expect(await failureOf([file(step({ edit }))])).toMatch(/^step\.pb: no transfers recorded .*FULL_TRACE.*distributed/)
  })
})

describe('graphs', () => {
  const cpu =
    (device: string) =>
    (name: string, op: string, inputs: string[]): NodeFixture => ({ name, op, device, inputs })
  const [w, s] = [cpu(WORKER), cpu(SERVER)]
  const edge = (tensor: string, from: string, to: string, n: number, input: string): NodeFixture[] => [
    { name: `${tensor}_S${n}`, op: '_Send', device: from, inputs: [input], tensor: `edge_${n}_${tensor}`, from, to },
    { name: `${tensor}_S${n + 1}`, op: '_Recv', device: to, tensor: `edge_${n}_${tensor}`, from, to }
  ]
  const nodes = (): NodeFixture[] => [
    s('a', 'VariableV2', []),
    s('b', 'VariableV2', []),
    s('rate', 'Const', []),
    s('a/read', 'Identity', ['a']),
    s('b/read', 'Identity', ['b']),
    ...edge('a/read', SERVER, WORKER, 100, 'a/read'),
    ...edge('b/read', SERVER, WORKER, 102, 'b/read'),
    w('one', 'Conv2D', ['a/read_S101']),
    // Not recorded: what it passes on is joined through.
    w('between', 'Identity', ['one', 'b/read_S103']),
    w('two', 'MatMul', ['between:0']),
    w('grad_a', 'Grad', ['two:1']),
    w('grad_b', 'Grad', ['two', '^grad_a']),
    ...edge('grad_a', WORKER, SERVER, 104, 'grad_a'),
    ...edge('grad_b', WORKER, SERVER, 106, 'grad_b'),
    s('update_a', 'ApplyGradientDescent', ['a', 'rate', 'grad_a_S105']),
    s('update_b', 'ApplyGradientDescent', ['b', 'rate', 'grad_b_S107', '^update_a'])
  ]

  it('of one step serve all, and tell what labels do not', async () => {
    const profile = await profileOf(steps(6, i => (i === 5 ? { nodes: nodes() } : {})))
    expect(graphOf(profile).get('two (compute)')).toEqual(['b/read (pull)', 'one (compute)'])
    expect(graphOf(profile).get('update_b (update)')).toEqual(['grad_b (push)', 'update_a (update)'])
    expect(profile.warnings).toEqual([])
  })

  it('announce transfers that were never logged', async () => {
    const edit = withoutTransfer('a/read')
    const profile = await profileOf(steps(6, () => ({ nodes: nodes(), edit })))
    expect(graphOf(profile).get('one (compute)')).toEqual([])
    expect(codes(profile)).toContain('unrecorded-transfers')
  })

  it('of other models are not used', async () => {
    const profile = await profileOf(steps(6, () => ({ nodes: [w('other', 'NoOp', [])] })))
    expect(profile.operations).toEqual((await profileOf(steps(6))).operations)
    expect(codes(profile)).toEqual(['foreign-graph'])
  })

  it('with a cycle are refused by name', async () => {
    const cyclic = nodes().map(node => (node.name === 'one' ? { ...node, inputs: ['two'] } : node))
    expect(await failureOf(steps(2, () => ({ nodes: cyclic })))).toMatch(/^step_0\.pb: the graph has a cycle through "one"/)
    const edit = (records: RecordFixture[]) =>
      records.map(record => (record.name === 'one' ? { ...record, label: 'one = Conv2D(grad_b)' } : record))
    expect(await failureOf(steps(2, () => ({ edit })))).toMatch(/^step_0\.pb: the graph has a cycle through "one"/)
  })

  it('of loops lose their returning edge', async () => {
    const edit = (records: RecordFixture[], device: string) =>
      device === WORKER && records[0].name === '_SOURCE'
        ? [
            ...records,
            ran('merge', 'Merge', ['two', 'next'], 400, 5),
            ran('next', 'NextIteration', ['merge'], 405, 5),
            ran('merge', 'Merge', ['two', 'next'], 410, 5)
          ]
        : records
    const profile = await profileOf(steps(6, () => ({ edit })))
    expect(graphOf(profile).get('merge (compute)')).toEqual(['two (compute)'])
    expect(codes(profile)).toEqual(['repeated-operations'])
  })

  it('keep two edges of one tensor apart', async () => {
    const edit = (records: RecordFixture[], device: string) =>
      device === WORKER
        ? records[0].name === '_SOURCE'
          ? records.map(record => (record.name === 'two' ? { ...record, label: 'two = MatMul(one, a/read_S9)' } : record))
          : [...records, received('edge_12_a/read', SERVER, WORKER, 16, 200, 400)]
        : records
    const profile = await profileOf(steps(6, () => ({ edit })))
    const pulls = profile.operations.filter(({ name, kind }) => kind === 'pull' && name === 'a/read')
    expect(pulls.map(({ bytes }) => bytes)).toEqual([4000, 400])
    const two = profile.operations.find(({ name }) => name === 'two')!
    expect(two.dependencies.map(i => profile.operations[i].bytes)).toEqual([400, 0])
    expect(codes(profile)).toContain('ambiguous-edges')
  })

  it('may hold any name', async () => {
    const rename = (text: string | undefined) => text?.replaceAll('one', '__proto__').replaceAll('grad_a', 'constructor')
    const edit = (records: RecordFixture[]) =>
      records.map(record => ({ ...record, name: rename(record.name)!, label: rename(record.label) }))
    const profile = await profileOf(steps(6, () => ({ edit })))
    expect(graphOf(profile).get('__proto__ (compute)')).toEqual(['a/read (pull)'])
    expect(graphOf(profile).get('constructor (push)')).toEqual(['constructor (compute)'])
  })
})
