import { checkProfile, type Profile, parseProfile, serializeProfile } from '@foretrain/trace-parser'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compare, comparedPolicies, predict, redactProfile } from '../src/index.ts'
import { fifo } from '../src/policies/fifo.ts'
import { stepGraphOf } from '../src/policies/stepGraph.ts'
import { pullsOfPushes } from '../src/policies/variables.ts'
import { readCase } from './support/cases.ts'
import { mixedDurations, randomProfile } from './support/randomProfile.ts'

/** Everything in a profile that somebody named. */
function names({ operations, variables = [], ...profile }: Profile): string[] {
  const { steps, counts, holes } = profile
  return [
    ...[profile.worker, ...profile.traces, ...profile.servers, ...profile.devices],
    ...[...operations, ...variables].map(({ name }) => name),
    ...[...steps, ...counts.droppedSteps].map(({ trace }) => trace),
    ...holes.flatMap(({ before, after }) => [before, after])
  ]
}

const ours =
  /^(op_\d+|variable_\d+(\/read)?|update_variable_\d+\/Apply_op_\d+|trace_\d+|\/job:(worker|ps|other)\/replica:0\/task:\d+(\/device:(CPU|GPU|OTHER):\d+(\/stream:(all|other|\d+)|\/memcpy)?)?|)$/
/** TensorFlow's own words, which stand in redacted profiles too. */
const standard = ['read', 'job:ps', 'job:worker', 'replica:0', 'task:0', 'task:1', 'device:CPU:0', 'device:GPU:1', 'stream:all']

function expectNameless(redacted: Profile, original: Profile): void {
  for (const name of names(redacted)) expect(name).toMatch(ours)
  const parts = new Set([...names(original)].flatMap(name => name.split('/')).filter(part => part !== ''))
  for (const word of standard) parts.delete(word)
  const withoutTypes = { ...redacted, operations: redacted.operations.map(operation => ({ ...operation, type: '' })) }
  const words = new Set(serializeProfile(withoutTypes).split(/["/\s,;()]+/))
  expect([...parts].filter(part => words.has(part))).toEqual([])
}

/** A profile that holds whatever can name something: odd jobs and devices, several pulls of a variable, messages with names. */
async function named(): Promise<Profile> {
  const { profile } = await readCase('resnet50-2ps-500')
  const text = serializeProfile(profile)
    .replaceAll('/job:worker/replica:0/task:0', '/job:acme/replica:0/task:17')
    .replaceAll('/job:ps/', '/job:vault/')
  const given = parseProfile(text, 'named.json')
  const [first, second] = given.operations.filter(({ kind }) => kind === 'pull')
  second.name = `${first.name}:1`
  given.operations[9].type = '__inference_acme_12'
  given.devices.push('/job:acme/replica:0/task:17/device:GPU:1/stream:all', '/job:other_acme/replica:0/task:4/device:ACME:0')
  given.counts.droppedSteps.push(
    { trace: 'acme/step 9.pb', reason: 'lacks 3 operations of the other steps: acme/x, acme/y, acme/z' },
    { trace: 'acme/step 10.pb', reason: 'all of acme' }
  )
  given.holes.push({ step: 0, startUs: 1, durationUs: 2, before: 'acme/lost', after: '' })
  given.warnings.push(
    { code: 'dangling-inputs', message: '2 inputs name nothing: acme/in, acme/out', count: 2 },
    { code: 'clock-skew', message: `the clock of ${given.servers[1]} is 3 ms ahead`, where: given.servers[1] },
    { code: 'few-steps', message: '19 steps: few', count: 19, where: 'acme/unknown.pb' }
  )
  return given
}

describe('a redacted profile', () => {
  test.each(['resnet50-1000', 'alexnet-1000'])('%s: has no name of the original', async name => {
    const { profile } = await readCase(name)
    expectNameless(redactProfile(profile), profile)
  })

  test('has no name from messages, devices and functions', async () => {
    const original = await named()
    const redacted = redactProfile(original)
    expectNameless(redacted, original)
    expect(serializeProfile(redacted)).not.toMatch(/acme|vault/i)
    expect(redacted.operations[9].type).toBe('type_1')
    expect(redacted.counts.droppedSteps.map(({ reason }) => reason)).toEqual([
      'lacks 3 operations of the other steps',
      'names left out'
    ])
    expect(redacted.devices).toContain('/job:worker/replica:0/task:0/device:GPU:1/stream:all')
    expect(redacted.warnings).toContainEqual({
      code: 'clock-skew',
      message: 'the clock of /job:ps/replica:0/task:1 is 3 ms ahead',
      where: '/job:ps/replica:0/task:1'
    })
    expect(redacted.warnings).toContainEqual({ code: 'few-steps', message: '19 steps: few', count: 19 })
  })

  test('keeps graph, sizes, times and types, is sound, and redacting it again changes nothing', async () => {
    const { profile } = await readCase('resnet50-2ps-500')
    const redacted = redactProfile(profile)
    const nameless = ({ operations, steps, variables }: Profile) => ({
      operations: operations.map(operation => ({ ...operation, name: '' })),
      steps: steps.map(step => ({ ...step, trace: '' })),
      variables: variables?.map(variable => variable.operations)
    })
    expect(nameless(redacted)).toEqual(nameless(profile))
    const distinct = (of: Profile) => new Set(of.operations.map(({ name }) => name)).size
    expect(distinct(redacted)).toBe(distinct(profile))
    expect(parseProfile(serializeProfile(redacted), 'redacted.json')).toEqual(redacted)
    expect(redacted.warnings).toEqual(expect.arrayContaining(checkProfile(redacted)))
    expect(redactProfile(redacted)).toEqual(redacted)
  })

  test('predicts the same numbers, to the bit', async () => {
    const { profile } = await readCase('resnet50-2ps-500')
    const redacted = redactProfile(profile)
    const fixed = { replications: 2, steps: 6 }
    const numbers = async (of: Profile) => {
      const { points, parameters, replay } = await predict({ profile: of, workers: [1, 3], servers: [1, 2], fixed, batchSize: 32 })
      return { points, parameters, replay }
    }
    expect(await numbers(redacted)).toEqual(await numbers(profile))
    const ranked = async (of: Profile) =>
      (await compare({ profile: of, workers: [2], policies: [...comparedPolicies], fixed })).policies
    expect(await ranked(redacted)).toEqual(await ranked(profile))
  })

  test('leaves to policies what they read from names', () => {
    const cost = { goodputBytesPerUs: 1, parsePerByteUs: 0, parseFixedUs: 0 }
    const shape = { kinds: ['pull', 'pull', 'push', 'update', 'compute'] as const, durationUs: mixedDurations }
    const word = fc.constantFrom('a', 'b', 'a-b', 'a.b', 'A', 'a_1', 'é')
    const path = fc.array(word, { minLength: 1, maxLength: 2 }).map(words => words.join('/'))
    const pullName = fc
      .tuple(path, fc.constantFrom('/read', '', '/ReadVariableOp_1', '/Read/ReadVariableOp:0'))
      .map(pair => pair.join(''))
    const updateName = path.map(variable => `train/update_${variable}/ApplyAdam`)
    const drawn = fc.array(fc.tuple(pullName, updateName), { minLength: 40, maxLength: 40 })
    fc.assert(
      fc.property(randomProfile(shape), drawn, (profile, renamed) => {
        profile.operations.forEach((operation, id) => {
          operation.name = renamed[id][operation.kind === 'update' ? 1 : 0]
          operation.bytes = Math.ceil(operation.bytes / 10_000)
        })
        const decided = (of: Profile) => {
          const graph = stepGraphOf(of, cost)
          const pulls = fifo.rank(graph, 0)?.pulls ?? []
          return { pulls, pairs: pullsOfPushes(graph, pulls) }
        }
        expect(decided(redactProfile(profile))).toEqual(decided(profile))
      })
    )
  })
})
