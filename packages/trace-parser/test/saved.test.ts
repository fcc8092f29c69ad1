import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type Profile, parseProfile, serializeProfile, TraceError } from '../src/index.ts'
import { failureOf, profileOf } from './support/profile.ts'
import { file, steps } from './support/runMetadata.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const sample = () => profileOf(steps(3))

function refusal(text: string): string {
  try {
    parseProfile(text, 'saved.json')
  } catch (error) {
    expect(error).toBeInstanceOf(TraceError)
    expect((error as TraceError).message).toMatch(/^saved\.json: [^\n\r]+$/)
    return (error as TraceError).message.slice('saved.json: '.length)
  }
  throw new Error('expected a TraceError')
}

describe('a saved profile', () => {
  it('stands in for its traces, plain or gzip', async () => {
    const profile = await sample()
    const text = serializeProfile(profile)
    expect(await profileOf([file(bytes(text), 'saved.json')])).toEqual(profile)
    expect(await profileOf([file(gzipSync(text), 'saved.json.gz')])).toEqual(profile)
    expect(await profileOf([file(bytes(JSON.stringify(profile, null, 2)), 'saved.json')])).toEqual(profile)
  })

  it('stands alone', async () => {
    const saved = file(bytes(serializeProfile(await sample())), 'saved.json')
    const [trace] = steps(1)
    expect(await failureOf([saved, trace])).toBe('saved.json: a saved profile stands alone, but step_0.pb was given too')
    const again = file(bytes(serializeProfile(await sample())), 'saved.json')
    expect(await failureOf([...steps(1), again])).toBe('saved.json: a saved profile stands alone, but step_0.pb was given too')
  })

  it('keeps times to the nanosecond', async () => {
    const profile = await sample()
    profile.steps[0].durationUs[2] = 1 / 3
    expect(parseProfile(serializeProfile(profile), 'saved.json').steps[0].durationUs[2]).toBe(0.333)
  })

  it('is examined: what it does not say of itself is added', async () => {
    const profile = await sample()
    profile.operations[0].bytes = 0
    profile.operations[1].bytes = 0
    expect(parseProfile(serializeProfile(profile), 'saved.json').warnings.map(({ code }) => code)).toContain('uneven-bytes')
  })

  it.each<[string, (profile: Profile) => unknown, string]>([
    [
      'another schema',
      p => Object.assign(p, { schema: 'foretrain/profile@2' }),
      'profile.schema is "foretrain/profile@2"; expected "foretrain/profile@1"'
    ],
    ['no servers', p => Object.assign(p, { servers: [] }), 'profile.servers has 0 entries; expected at least 1'],
    ['no worker', p => Object.assign(p, { worker: undefined }), 'profile.worker is missing; expected a text'],
    [
      'an unknown kind',
      p => Object.assign(p.operations[2], { kind: 'magic' }),
      'profile.operations[2].kind is "magic"; expected one of compute, update, pull, push'
    ],
    [
      'a server out of range',
      p => Object.assign(p.operations[2], { server: 1 }),
      'profile.operations[2].server is 1; expected a whole number from 0 to 0'
    ],
    [
      'negative bytes',
      p => Object.assign(p.operations[0], { bytes: -1 }),
      'profile.operations[0].bytes is -1; expected a number from 0 to 1099511627776'
    ],
    [
      'a cycle',
      p => p.operations[2].dependencies.push(7),
      'profile.operations[2].dependencies[1] is 7; expected a whole number from 1 to 1'
    ],
    [
      'a dangling dependency',
      p => p.operations[9].dependencies.push(99),
      'profile.operations[9].dependencies[1] is 99; expected a whole number from 8 to 8'
    ],
    ['a short array', p => p.steps[1].gapUs.pop(), 'profile.steps[1].gapUs has 9 entries; expected 10'],
    [
      'a time that is none',
      p => Object.assign(p.steps[1].startUs, { 3: null }),
      'profile.steps[1].startUs[3] is null; expected a number from 0 to 1000000000000000'
    ],
    [
      'an end before its start',
      p => Object.assign(p.steps[1].endUs, { 3: 7 }),
      'profile.steps[1].endUs[3] is 7; expected no less than startUs, 300'
    ],
    [
      'an end after the step',
      p => Object.assign(p.steps[1].endUs, { 3: 1e9 }),
      'profile.steps[1].endUs[3] is 1000000000; expected no more than spanUs, 670'
    ],
    [
      'an imputed nothing',
      p => Object.assign(p.steps[1], { imputed: [10] }),
      'profile.steps[1].imputed[0] is 10; expected a whole number from 0 to 9'
    ],
    [
      'bytes of nothing',
      p => Object.assign(p.steps[1], { bytes: [[10, 3]] }),
      'profile.steps[1].bytes[0][0] is 10; expected a whole number from 0 to 9'
    ],
    [
      'bytes of no transfer',
      p => Object.assign(p.steps[1], { bytes: [[2, 3]] }),
      'profile.steps[1].bytes[0][0] is 2, of kind compute; expected a pull or a push'
    ],
    ['no steps', p => Object.assign(p, { steps: [], traces: [] }), 'profile.steps has 0 entries; expected at least 1'],
    ['too few offsets', p => Object.assign(p, { clockOffsetUs: [] }), 'profile.clockOffsetUs has 0 entries; expected 1'],
    [
      'no concurrency',
      p => Object.assign(p.concurrency, { compute: 0 }),
      'profile.concurrency.compute is 0; expected a whole number from 1 to 65536'
    ],
    [
      'more concurrency than a simulation takes',
      p => Object.assign(p.concurrency, { update: 1e9 }),
      'profile.concurrency.update is 1000000000; expected a whole number from 1 to 65536'
    ],
    [
      'a step of no length',
      p => Object.assign(p.steps[1], { spanUs: 0 }),
      'profile.steps[1].spanUs is 0; expected a number from 0.001 to 1000000000000000'
    ],
    [
      'a time beyond all steps',
      p => Object.assign(p.steps[1].endUs, { 3: 1e300 }),
      'profile.steps[1].endUs[3] is 1e+300; expected a number from 0 to 1000000000000000'
    ],
    [
      'a transfer beyond all memories',
      p => Object.assign(p.steps[1], { bytes: [[0, 1e300]] }),
      'profile.steps[1].bytes[0][1] is 1e+300; expected a number from 0 to 1099511627776'
    ],
    [
      'more operations than a simulation takes',
      p => Object.assign(p, { operations: new Array(400_001).fill(null) }),
      'profile.operations has 400001 entries; expected at most 400000'
    ],
    [
      'more servers than a simulation takes',
      p => Object.assign(p, { servers: Array.from({ length: 10_001 }, (_, i) => `/job:ps/replica:0/task:${i}`) }),
      'profile.servers has 10001 entries; expected at most 10000'
    ],
    [
      'counts of text',
      p => Object.assign(p.counts.ignored, { x: 'many' }),
      'profile.counts.ignored.x is the text "many"; expected a whole number ≥ 0'
    ]
  ])('with %s is refused by field', async (_, spoil, message) => {
    const profile = await sample()
    spoil(profile)
    expect(refusal(JSON.stringify(profile))).toBe(message)
  })

  it.each([
    ['{"schema":"foretrain/profile@1"', /^not valid JSON/],
    ['[]', 'profile is a list; expected an object'],
    ['{}', 'profile.schema is missing; expected a text'],
    ['null', 'profile is null; expected an object'],
    ['{"__proto__": {"schema": "foretrain/profile@1"}}', 'profile.schema is missing; expected a text']
  ])('%s is refused', (text, message) => {
    expect(refusal(text)).toMatch(message)
  })
})
