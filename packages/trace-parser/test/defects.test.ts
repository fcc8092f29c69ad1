import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it, test } from 'vitest'
import type { Profile } from '../src/index.ts'
import { defects, listOfDefects } from './support/defects/index.ts'
import { fixtureBytes, fixtureProfile, fixtureRefusal } from './support/fixtures.ts'
import { codes, failureOf, graphOf } from './support/profile.ts'
import { file } from './support/runMetadata.ts'

const FOLDER = new URL('./fixtures/defects/', import.meta.url)
const LIST = 'PROVENANCE'
const names = Object.keys(defects)

// FORETRAIN_WRITE_FIXTURES=1 npx vitest run packages/trace-parser/test/defects.test.ts
if (process.env.FORETRAIN_WRITE_FIXTURES === '1') {
  mkdirSync(FOLDER, { recursive: true })
  for (const name of names) writeFileSync(new URL(name, FOLDER), defects[name].make())
  writeFileSync(new URL(LIST, FOLDER), listOfDefects())
}

const operation = (profile: Profile, name: string, kind = 'compute') =>
  profile.operations.findIndex(one => one.name === name && one.kind === kind)
const durationOf = (profile: Profile, name: string, kind?: string) => profile.steps[0].durationUs[operation(profile, name, kind)]
const pulledBytes = ({ operations }: Profile) => operations.reduce((sum, { kind, bytes }) => sum + (kind === 'pull' ? bytes : 0), 0)
const ignored =
  (reason: string, count = 1) =>
  ({ counts }: Profile) =>
    expect(counts.ignored[reason]).toBe(count)
const both = (first: (profile: Profile) => void, second: (profile: Profile) => void) => (profile: Profile) => {
  first(profile)
  second(profile)
}
/** Of a step that was left out: the five sound ones are there. */
const droppedFor = (reason: string) =>
  both(ignored(reason), ({ steps, counts }) => expect([steps.length, counts.droppedSteps.length]).toEqual([5, 1]))
const pointedOut = (part: RegExp) => (profile: Profile) =>
  expect(profile.warnings.map(({ message }) => message)).toContainEqual(expect.stringMatching(part))

/** Name, how many sound steps stand in front, warnings, and what is as it should be. */
const imported: Array<[string, number, string[], ((profile: Profile) => void)?]> = [
  [
    'long-hole.pb',
    5,
    ['holes'],
    ({ holes }) => expect(holes).toMatchObject([{ durationUs: 1000, before: 'grad_b', after: 'update_b' }])
  ],
  [
    'server-clock-5ms-ahead.pb',
    0,
    ['few-steps', 'clock-skew'],
    ({ clockOffsetUs: [us] }) => expect(Math.abs(us - 5000)).toBeLessThan(100)
  ],
  ['megabytes-in-a-microsecond.pb', 5, ['clock-skew']],
  [
    'sizes-only-in-labels.pb',
    0,
    ['few-steps', 'label-rounded-sizes'],
    profile => expect(Math.abs(pulledBytes(profile) / 8_004_000 - 1)).toBeLessThan(0.05)
  ],
  ['label-rounded-to-a-tenth.pb', 0, ['few-steps'], profile => expect(pulledBytes(profile)).toBe(8_140_000)],
  ['end-of-zero.pb', 5, ['dropped-steps', 'broken-times'], droppedFor('negative duration')],
  ['negative-duration.pb', 5, ['dropped-steps', 'broken-times'], droppedFor('negative duration')],
  ['memory-copy-in-the-year-2603.pb', 5, ['broken-times'], ({ steps }) => expect(steps[5].spanUs).toBe(670)],
  ['operation-in-the-year-2603.pb', 5, ['dropped-steps', 'broken-times'], droppedFor('time beyond 2^53 µs')],
  ['clock-jump.pb', 5, ['dropped-steps', 'broken-times'], droppedFor('time more than an hour from the rest of its task')],
  ['gpu-on-a-clock-of-its-own.pb', 5, ['gpu-clock'], ignored('GPU kernel on another clock', 2)],
  ['gpu-lanes-three-times.pb', 0, ['few-steps'], profile => expect(durationOf(profile, 'one')).toBe(120)],
  [
    'parallel-operations.pb',
    0,
    ['few-steps'],
    ({ steps, concurrency }) => expect([steps[0].spanUs, concurrency.compute]).toEqual([670, 5])
  ],
  [
    'half-a-step.pb',
    5,
    ['dropped-steps'],
    ({ counts }) => expect(counts.droppedSteps[0].reason).toMatch(/^lacks 5 operations of the other steps: /)
  ],
  ['clock-from-boot.pb', 5, [], ({ steps }) => expect(steps[5].startUs).toEqual(steps[0].startUs)],
  [
    'times-in-nanoseconds.pb',
    0,
    ['few-steps', 'hidden-dependency', 'late-roots', 'implausible-span'],
    pointedOut(/of an implausible length \(6700000000 µs\)/)
  ],
  [
    'times-in-seconds.pb',
    0,
    ['few-steps', 'implausible-span'],
    pointedOut(/of an implausible length \(7 µs\): times are expected in µs/)
  ],
  ['one-microsecond-backwards.pb', 5, []],
  ['no-durations.pb', 0, ['few-steps', 'holes'], ({ counts }) => expect(counts.withoutDuration).toBe(4)],
  [
    'control-inputs.pb',
    0,
    ['few-steps'],
    profile =>
      expect([graphOf(profile).get('after (compute)'), profile.operations.some(({ name }) => name.startsWith('^'))]).toEqual([
        ['one (compute)', 'grad_a (compute)'],
        false
      ])
  ],
  [
    'no-partition-graphs.pb',
    0,
    ['few-steps'],
    profile => expect(graphOf(profile).get('two (compute)')).toEqual(['b/read (pull)', 'one (compute)'])
  ],
  ['cyclic-graph.pb', 5, ['foreign-graph']],
  ['same-name-in-two-tasks.pb', 0, ['few-steps'], profile => expect(operation(profile, 'rate')).toBeGreaterThanOrEqual(0)],
  [
    'duplicate-names.pb',
    0,
    ['few-steps', 'repeated-operations'],
    profile => expect(profile.operations.filter(({ name }) => name === 'two')).toHaveLength(1)
  ],
  ['no-names.pb', 0, ['few-steps', 'repeated-operations'], profile => expect(durationOf(profile, '')).toBeGreaterThan(0)],
  [
    '__proto__.pb',
    0,
    ['few-steps'],
    profile => expect(['__proto__', 'constructor', 'toString'].map(name => durationOf(profile, name))).toEqual([30, 30, 30])
  ],
  ['unknown-label.pb', 5, ['unreadable-transfers'], ignored('transfer with an unreadable label')],
  ['huge-tensor.pb', 5, ['unreadable-transfers'], ignored('transfer with an unreadable label')],
  [
    'huge-size.pb',
    0,
    ['few-steps', 'label-rounded-sizes'],
    profile => expect(Math.abs(pulledBytes(profile) / 8_004_000 - 1)).toBeLessThan(0.05)
  ],
  ['ten-thousand-devices.pb.gz', 0, ['few-steps'], ({ devices }) => expect(devices).toHaveLength(10_002)],
  ['memory-objects.json', 0, ['few-steps'], ignored('event that is no operation', 4)],
  ['cut-at-a-line-break.json', 0, ['few-steps']],
  ['unclosed-trailing-comma.json', 0, ['few-steps']],
  ['more-ends-than-begins.json', 0, ['few-steps', 'lost-events'], ignored('begin without an end or end without a begin')],
  ['begin-without-end.json', 0, ['few-steps', 'lost-events'], ignored('begin without an end or end without a begin')],
  ['begin-and-end.json', 0, ['few-steps'], profile => expect(durationOf(profile, 'grad')).toBe(200.125)],
  ['end-without-a-name.json', 0, ['few-steps'], profile => expect(durationOf(profile, 'grad')).toBe(200.125)],
  ['fractional-microseconds.json', 0, ['few-steps'], profile => expect(durationOf(profile, 'grad')).toBe(199.825)],
  ['integer-beyond-int64.json', 0, ['few-steps'], ignored('event that is no operation')],
  ['no-process.json', 0, ['few-steps']],
  ['numbers-as-text.json', 0, ['few-steps'], profile => expect(durationOf(profile, 'grad')).toBe(200.125)],
  ['__proto__.json', 0, ['few-steps'], profile => expect(profile.operations).toHaveLength(4)]
]

/** Name, how many sound steps stand in front, and what the refusal says. */
const refused: Array<[string, number, RegExp]> = [
  [
    'no-recvtensor.pb',
    0,
    /^no transfers recorded between tasks .* trace with RunOptions\.FULL_TRACE .* RDMA and verbs are not logged/
  ],
  ['two-workers.pb', 0, /^2 workers in one trace \(.*\); a profile is of one worker/],
  ['no-step-stats.pb', 5, /^RunMetadata with no step_stats records; .*trace_level=RunOptions\.FULL_TRACE/],
  ['cut-off.pb', 5, /cut off: a field of \d+ bytes where \d+ are left at byte \d+ of 700/],
  ['cut-off.pb.gz', 5, /^damaged or cut-off gzip file/],
  ['sixteen-bytes-of-anything.bin', 5, /at byte 0 of 16; expected/],
  ['empty.json', 5, /^empty file \(0 bytes\); /],
  ['single-bracket.json', 0, /^this is a JSON text of a single "\["; /],
  ['cut-within-an-event.json', 0, /^cut off within what begins at byte \d+ at byte \d+; expected a timeline/],
  ['newline-in-a-text.json', 0, /^no valid JSON \(.*control character.*\) at byte \d+; /],
  ['no-operations.json', 0, /^a timeline of foretrain without a whole step/],
  ['bad-utf8.json', 0, /at byte \d+/],
  ['unescaped-quote.json', 0, /at byte \d+; expected a timeline/],
  ['extra-brace.json', 5, /^unexpected "\}" at byte 189; expected a timeline/],
  ['negative-duration.json', 0, /^transfers but no executed operations/],
  ['nan.json', 0, /^no valid JSON \(.*\) at byte \d+; /],
  ['infinite.json', 0, /^a timeline of foretrain without a whole step \(1 step in part\)/],
  ['names-missing.json', 0, /^this is a timeline \(Chrome trace JSON\) without operations of TensorFlow/]
]

describe('a defect that does not keep a file from being imported', () => {
  test.each(imported)('%s', async (name, among, warnings, check) => {
    const profile = await fixtureProfile(`defects/${name}`, { among })
    expect(codes(profile)).toEqual(warnings)
    check?.(profile)
  })

  it('two workers, of which one is chosen', async () => {
    const options = { worker: '/job:worker/replica:0/task:0' }
    const profile = await fixtureProfile('defects/two-workers.pb', { options })
    expect(profile.counts.ignored['task that is neither the worker nor a server']).toBe(1)
  })
})

describe('a defect for which a file is refused, in one line', () => {
  test.each(refused)('%s', async (name, among, message) => {
    expect(await fixtureRefusal(`defects/${name}`, { among })).toMatch(message)
  })
})

describe('10 million brackets', () => {
  const nested = (open: string, first: string) => Buffer.from(`${first}${open.repeat(10_000_000 / open.length)}`)
  test.each([
    ['[', nested('[', '')],
    ['[{"ph":[', nested('[', '[{"ph":"X","args":')],
    ['{"a":', nested('{"a":', '')],
    ['{"traceEvents":[{"a":', nested('{"a":', '{"traceEvents":[')]
  ])('of %s are refused in time', async (_, bytes) => {
    const begin = performance.now()
    expect(await failureOf([file(bytes, 'deep.json')])).toMatch(/^deep\.json: /)
    expect(performance.now() - begin).toBeLessThan(10_000)
  })
})

describe('the files', () => {
  it('are what makes them, each with its source', () => {
    expect(readdirSync(FOLDER).sort()).toEqual([...names, LIST].sort())
    for (const name of names) expect(isSameContent(name, fixtureBytes(`defects/${name}`), defects[name].make()), name).toBe(true)
    expect(readFileSync(new URL(LIST, FOLDER), 'utf8')).toBe(listOfDefects())
  })

  it('each have a line here', () => {
    expect([...imported, ...refused].map(([name]) => name).sort()).toEqual([...names].sort())
  })
})

/** gzip itself need not be the same everywhere. */
function isSameContent(name: string, stored: Uint8Array, made: Uint8Array): boolean {
  if (name === 'cut-off.pb.gz') return stored.length === made.length
  const [a, b] = name.endsWith('.gz') ? [gunzipSync(stored), gunzipSync(made)] : [stored, made]
  return Buffer.compare(a, b) === 0
}
