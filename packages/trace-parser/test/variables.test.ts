import { createReadStream, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { extract, type Profile, parseProfile, readProfile, readTrace, serializeProfile, type TraceFile } from '../src/index.ts'
import { expectSound, profileOf } from './support/profile.ts'
import { type RecordFixture, ran, received, SERVER, steps, WORKER } from './support/runMetadata.ts'

const examples = join(import.meta.dirname, '../../../examples')

function traces(name: string): TraceFile[] {
  const folder = join(examples, name, 'trace')
  return readdirSync(folder)
    .sort()
    .map(file => ({ name: file, bytes: createReadStream(join(folder, file)) }))
}

/** "name: kind operation, …" of each variable. */
function described({ variables, operations }: Profile): string[] {
  return variables!.map(({ name, operations: own }) => {
    const parts = own.map(id => `${operations[id].kind} ${operations[id].name}`)
    return `${name}: ${parts.join(', ')}`
  })
}

it('pulls, pushes and updates by their variable, in the order of edge numbers', async () => {
  expect(described(await profileOf(steps(3)))).toEqual([
    'a: pull a/read, push grad_a, update update_a',
    'b: pull b/read, push grad_b, update update_b'
  ])
})

it('variables read without a reference: what a ReadVariableOp reads, by its handle', async () => {
  const resource = (text: string | undefined) =>
    text
      ?.replace('a/read = Identity(a)', 'a/read = ReadVariableOp(a)')
      .replace('a = VariableV2()', 'a = VarHandleOp()')
      .replace('= ApplyGradientDescent(', '= ResourceApplyGradientDescent(')
  const edit = (records: RecordFixture[]) => records.map(record => ({ ...record, label: resource(record.label) }))
  const profile = await profileOf(steps(3, () => ({ edit })))
  expect(described(profile)[0]).toBe('a: pull a/read, push grad_a, update update_a')
})

it('what feeds several variables belongs to none', async () => {
  // A learning rate is pushed, and both updates use it.
  const rate = { device: SERVER, records: [received('edge_90_rate', WORKER, SERVER, 610, 5, 4)] }
  const edit = (records: RecordFixture[]) =>
    records.map(record => ({ ...record, label: record.label?.replace(/(update_[ab] = \w+\([ab], )[^,)]+/, '$1rate_S9') }))
  const own = { device: WORKER, records: [ran('rate', 'Const', [], 600, 5)] }
  const profile = await profileOf(steps(3, () => ({ edit, extra: [rate, own] })))
  const owned = new Set(profile.variables!.flatMap(({ operations }) => operations))
  const loose = profile.operations.filter(({ kind }, id) => kind !== 'compute' && !owned.has(id)).map(({ name }) => name)
  expect(loose).toEqual(['rate'])
})

describe('measured clusters', () => {
  it.each([
    ['alexnet-1000', 16],
    ['resnet50-1000', 214],
    ['resnet50-2ps-500', 214],
    ['mobilenetv2-200', 158],
    ['densenet121-300', 364]
  ])('%s: each variable has one pull, one push and its update on one server', async (name, count) => {
    const { profile } = await readProfile(traces(name))
    const trained = profile.variables!.filter(({ operations: [first] }) => profile.operations[first].kind === 'pull')
    expect(trained).toHaveLength(count)
    for (const { operations: own } of trained) {
      const of = own.map(id => profile.operations[id])
      expect(of.filter(({ kind }) => kind !== 'update').map(({ kind }) => kind)).toEqual(['pull', 'push'])
      const applied = of.filter(({ type }) => type.startsWith('Apply'))
      expect(applied).toHaveLength(1)
      expect(new Set([of[0].server, of[1].server, applied[0].server]).size).toBe(1)
      expect(of[0].bytes).toBe(of[1].bytes)
    }
    // Counters are not pulled; they come last.
    expect(profile.variables!.slice(count).map(variable => variable.name)).toEqual(['global_step'])
  })

  it('in the order of the layers', async () => {
    const { profile } = await readProfile(traces('alexnet-1000'))
    expect(profile.variables!.slice(0, 4).map(({ name }) => name)).toEqual([
      'conv1/kernel',
      'conv1/bias',
      'conv2/kernel',
      'conv2/bias'
    ])
  })

  it('labels alone tell the same as the partition graphs', async () => {
    const files = await Promise.all(traces('alexnet-1000').map(file => readTrace(file)))
    const raw = files.flatMap(({ steps: own }) => own)
    const withGraphs = extract(raw)
    const without = extract(raw.map(step => ({ ...step, nodes: [] })))
    expectSound(without)
    const names = (profile: Profile) => profile.variables!.map(({ name }) => name)
    expect(names(without)).toEqual(names(withGraphs))
  })
})

describe('in a saved profile', () => {
  it('they may be missing', async () => {
    const { variables, ...old } = await profileOf(steps(3))
    expect(parseProfile(serializeProfile(old), 'old.json')).not.toHaveProperty('variables')
  })

  it.each<[string, unknown, string]>([
    ['no list', {}, 'profile.variables is an object; expected a list'],
    [
      'a name twice',
      [
        { name: 'a', operations: [] },
        { name: 'a', operations: [] }
      ],
      'profile.variables[1].name is "a" again; expected another name'
    ],
    [
      'an operation of two',
      [
        { name: 'a', operations: [0] },
        { name: 'b', operations: [0] }
      ],
      'profile.variables[1].operations[0] is 0, which belongs to another'
    ],
    [
      'one that is not there',
      [{ name: 'a', operations: [99] }],
      'profile.variables[0].operations[0] is 99; expected a whole number from 0 to 9'
    ],
    ['compute', [{ name: 'a', operations: [2] }], 'profile.variables[0].operations[0] is 2, of kind compute; expected a pull'],
    ['a number for a name', [{ name: 1, operations: [0] }], 'profile.variables[0].name is 1; expected a text']
  ])('%s is refused', async (_what, variables, message) => {
    const profile = { ...(await profileOf(steps(3))), variables } as Profile
    expect(() => parseProfile(serializeProfile(profile), 'saved.json')).toThrow(`saved.json: ${message}`)
  })
})
