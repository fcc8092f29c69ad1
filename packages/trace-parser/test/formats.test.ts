import { gzipSync } from 'node:zlib'
import { describe, expect, it, test } from 'vitest'
import { type ImportedFile, readProfile, readTrace } from '../src/index.ts'
import { eventFile, record, runMetadataEvent, scalarEvent, tar, versionEvent, zip } from './support/containers.ts'
import { runMetadataText, stepStats, stepStatsText, timeline, timelineEvents } from './support/otherForms.ts'
import { codes, failureOf, profileOf } from './support/profile.ts'
import { encode, file, type NodeFixture, ORIGIN_US, SERVER, step, stepDevices, WORKER } from './support/runMetadata.ts'
import { FORETRAIN, foretrainEvents } from './support/traceEvents.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)
const devices = stepDevices()
const recordCount = devices.reduce((sum, { records }) => sum + records.length, 0)
const nodes: NodeFixture[] = [
  { name: 'one', op: 'Conv2D', device: WORKER, inputs: ['a/read/_1', '^b/read/_3'] },
  { name: 'a/read/_1', op: '_Recv', device: WORKER, tensor: 'edge_10_a/read', from: SERVER, to: WORKER },
  { name: 'fed', op: '_Recv', device: WORKER, tensor: 'fed', from: WORKER, to: WORKER, clientTerminated: true }
]
const later = encode(stepDevices(), [], ORIGIN_US + 1_000_000)
const twoSteps = [encode(devices, nodes), later]
const entries = [
  { name: 'run/step_1.pb', content: twoSteps[0] },
  { name: `run/${'long/'.repeat(40)}step_2.pb.gz`, content: gzipSync(twoSteps[1]) },
  { name: 'run/notes.txt', content: utf8('hello') }
]
const own = JSON.stringify({ otherData: FORETRAIN, traceEvents: [...foretrainEvents(0), ...foretrainEvents(1)] })

/** Name, bytes, what it is called, and how many records and other events are in it. */
const forms: Array<[string, Uint8Array, string, { steps: number; records: number; others: number }]> = [
  ['RunMetadata', encode(devices, nodes), 'RunMetadata', { steps: 1, records: recordCount, others: 0 }],
  [
    'RunMetadata as text',
    utf8(runMetadataText(devices, nodes)),
    'RunMetadata (text)',
    { steps: 1, records: recordCount, others: 0 }
  ],
  ['StepStats', stepStats(devices), 'StepStats', { steps: 1, records: recordCount, others: 0 }],
  ['StepStats as text', utf8(stepStatsText(devices)), 'StepStats (text)', { steps: 1, records: recordCount, others: 0 }],
  ['an event file', eventFile(twoSteps), 'TensorBoard event file', { steps: 2, records: 2 * recordCount, others: 3 }],
  ['a timeline of TensorFlow', utf8(timelineWithoutTransfers()), 'TensorFlow timeline', { steps: 1, records: 13, others: 0 }],
  ['a timeline of foretrain', utf8(own), 'foretrain timeline', { steps: 2, records: 8, others: 6 }]
]
const archives: typeof forms = [
  ['a ZIP archive', zip(entries), 'archive of 2 traces', { steps: 2, records: 2 * recordCount, others: 0 }],
  [
    'a ZIP archive, stored',
    zip(entries, { isStored: true }),
    'archive of 2 traces',
    { steps: 2, records: 2 * recordCount, others: 0 }
  ],
  ['a tar archive', tar(entries), 'archive of 2 traces', { steps: 2, records: 2 * recordCount, others: 0 }]
]
const packedForms = forms.map(([name, bytes, format, counts]): (typeof forms)[number] => {
  const noted = format.endsWith(')') ? format.replace(/\)$/, ', gzip)') : `${format} (gzip)`
  return [`${name}, gzip`, gzipSync(bytes), noted, counts]
})
const all = [...forms, ...packedForms, ...archives]

function timelineWithoutTransfers(): string {
  return timeline(devices.map(one => ({ ...one, records: one.records.filter(({ name }) => name !== 'RecvTensor') })))
}

/** Records in the steps, and what was counted beside them. */
function countsOf({ steps }: ImportedFile): { steps: number; records: number; others: number } {
  const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0)
  return {
    steps: steps.length,
    // What begins a step in a timeline of foretrain is counted beside its operations, and made a record.
    records: sum(
      steps.flatMap(one =>
        one.devices.map(({ records }) => records.filter(({ name }) => name !== '_SOURCE' || !isOwn(one.trace)).length)
      )
    ),
    others: sum(steps.flatMap(({ ignored = {} }) => Object.values(ignored)))
  }
}

const isOwn = (trace: string) => trace.startsWith('own')

describe.each(all)('%s', (_, bytes, format, counts) => {
  const name = format.startsWith('foretrain') ? 'own' : 'unknown.xyz'

  it('is told by its content, under any name, in pieces of any size; all that is in it is used or counted', async () => {
    const whole = await readTrace(file(bytes, name))
    expect(whole.format).toBe(format)
    expect(countsOf(whole)).toEqual(counts)
    for (const [other, pieceBytes] of [
      ['step.pb', 1],
      ['a.json', 13],
      ['x.zip', 511]
    ] as const) {
      const again = await readTrace(file(bytes, name === 'own' ? `own ${other}` : other, pieceBytes))
      const anonymous = ({ steps }: ImportedFile) => steps.map(({ trace: _trace, ...rest }) => rest)
      expect(anonymous(again)).toEqual(anonymous(whole))
    }
  })

  it('cut off anywhere gives a step, or one line with the place', async () => {
    for (let length = 0; length < bytes.length; length += Math.ceil(bytes.length / 150)) {
      await readTrace(file(bytes.subarray(0, length), name)).then(
        ({ steps }) => expect(steps.length).toBeGreaterThan(0),
        error => {
          expect(error.name).toBe('TraceError')
          expect(error.message).toMatch(new RegExp(`^${name}[^\\n\\r]*$`))
        }
      )
    }
  })
})

describe('the same step in each form gives the same profile', () => {
  const anonymous = ({ steps, warnings, traces: _traces, ...rest }: Awaited<ReturnType<typeof profileOf>>) => ({
    ...rest,
    steps: steps.map(({ trace: _trace, ...one }) => one),
    warnings: warnings.map(({ code }) => code)
  })

  it.each(['RunMetadata as text', 'RunMetadata, gzip', 'RunMetadata as text, gzip'])('%s', async form => {
    const [, bytes] = all.find(([name]) => name === form)!
    expect(anonymous(await profileOf([file(bytes)]))).toEqual(anonymous(await profileOf([file(encode(devices, nodes))])))
  })

  it.each(['StepStats', 'StepStats as text', 'StepStats, gzip'])('%s', async form => {
    const [, bytes] = all.find(([name]) => name === form)!
    expect(anonymous(await profileOf([file(bytes)]))).toEqual(anonymous(await profileOf([file(encode(devices))])))
  })

  it('an event file, archives, and files side by side', async () => {
    const apart = anonymous(await profileOf(twoSteps.map(bytes => file(bytes))))
    const counted = { ...apart, counts: { ...apart.counts, records: apart.counts.records + 3, ignored: expect.anything() } }
    expect(anonymous(await profileOf([file(eventFile(twoSteps))]))).toEqual(counted)
    for (const archive of [zip(entries), tar(entries), gzipSync(tar(entries))])
      expect(anonymous(await profileOf([file(archive)]))).toEqual(apart)
  })
})

describe('text format', () => {
  const text = runMetadataText(devices, [], ORIGIN_US + 9_000_000)
  const read = async (content: string) => (await readTrace(file(utf8(content)))).steps[0]

  it('takes comments, brackets of both kinds, lists, single quotes, pieces, escapes and separators', async () => {
    const odd = `# a comment with " and {
      step_stats: < dev_stats: { device: '/job:worker' "/replica:0/task:0" '/cpu:0' ;
        node_stats { node_name: "\\303\\274\\x41\\u00e9\\"\\n" all_start_micros: 0x10, op_end_rel_micros: 010
          [some.extension/field] { anything: [1, 2, "x"] } memory { allocation_records [ ] } thread_id: - 7
          output { slot: 0 tensor_description { allocation_description { requested_bytes: 12 } } } timeline_label: "" } } >`
    const { devices } = await read(odd)
    expect(devices).toEqual([
      {
        device: '/job:worker/replica:0/task:0/cpu:0',
        records: [{ name: 'üAé"\n', label: '', scheduledUs: 0, startUs: 16, endUs: 24, outputBytes: 12 }]
      }
    ])
  })

  it.each([
    [
      'a fraction for a number',
      text.replace(/all_start_micros: \d+/, 'all_start_micros: 1.5'),
      /all_start_micros of "1\.5" instead of a whole number at byte \d+ \(line \d+\)/
    ],
    ['no number', text.replace(/all_start_micros: \d+/, 'all_start_micros: nan'), /all_start_micros of "nan"/],
    ['infinite', text.replace(/all_start_micros: \d+/, 'all_start_micros: inf'), /all_start_micros of "inf"/],
    ['brackets that do not match', text.replace('}', '>'), /unexpected ">" at byte \d+ \(line \d+\)/],
    ['a bracket too many', `${text}}`, /unexpected "}"/],
    ['a line break in a text', text.replace('/job', '\n/job'), /a line break within a text at byte \d+/],
    ['a device without a slash', text.replace('"/job', '"job'), /a device named "job:worker/],
    ['a control character far behind', text.replace(/node_name(?=[\s\S]{0,500}$)/, '\u0001'), /unexpected byte 0x01 at byte \d+/],
    ['a field at the root that neither has', text.replace('step_stats', 'cost_graph { } _'), /unexpected|no step_stats/]
  ])('%s is refused with the place', async (_, content, message) => {
    expect(await failureOf([file(utf8(content), 'x.pbtxt')])).toMatch(message)
  })

  it('ten million nested brackets are refused at the hundredth, whatever holds them', async () => {
    const deep = (head: string, bracket: string) => file(utf8(head + bracket.repeat(1e7)), 'deep', 1 << 20)
    expect(await failureOf([deep('step_stats {', 'a{')])).toMatch(/^deep: more than 100 levels of nesting at byte 211 \(line 1\)/)
    expect(await failureOf([deep('{"traceEvents":[', '[')])).toMatch(/^deep: more than 100 levels of nesting at byte 116/)
    expect(await failureOf([deep('', '[')])).toMatch(/^deep: this is a JSON text/)
    expect(await failureOf([deep('', '\n\x03')])).toMatch(/^deep: [^\n]*at byte \d+/)
  })

  it('numbers beyond 2^53 and below 0 are read, and left out as broken', async () => {
    const huge = text.replace(/all_start_micros: \d+/, 'all_start_micros: 19978045970716470')
    const negative = text.replace(/all_end_rel_micros: \d+/, 'all_end_rel_micros: -5')
    for (const content of [huge, negative]) {
      const profile = await profileOf(
        [...twoSteps, later, later, later].map((bytes, i) => file(bytes, `${i}`)).concat(file(utf8(content), 'x'))
      )
      expect(codes(profile)).toContain('broken-times')
    }
  })
})

describe('event files', () => {
  it('keep several steps apart, and are sound when the last event is cut off', async () => {
    const whole = eventFile(twoSteps)
    const profile = await profileOf([file(whole)])
    expect(profile.steps.map(({ trace }) => trace)).toEqual(['step.pb#1', 'step.pb#2'])
    const cut = await profileOf([file(whole.subarray(0, -3))])
    expect(cut.steps.map(({ trace }) => trace)).toEqual(['step.pb'])
    expect(cut.counts.ignored).toMatchObject({ 'last event of a file, cut off': 1, 'event that holds no run metadata': 3 })
    expect(codes(cut)).toContain('cut-off-files')
  })

  it('without run metadata are refused with what they hold', async () => {
    const scalars = Buffer.concat([record(versionEvent()), record(scalarEvent(1)), record(scalarEvent(2))])
    expect(await failureOf([file(scalars, 'events')])).toMatch(
      /^events: this is a TensorBoard event file without run metadata \(3 events\); foretrain needs traced steps in it: FileWriter\.add_run_metadata/
    )
  })

  it('any byte changed in a checked record is noticed', async () => {
    const head = record(versionEvent()).length
    const whole = Buffer.concat([record(versionEvent()), record(runMetadataEvent(step(), 1))])
    for (let at = head; at < whole.length; at += 7) {
      const damaged = Uint8Array.from(whole)
      damaged[at] ^= 1
      expect(await failureOf([file(damaged, 'events')])).toMatch(
        /^events: damaged event file: the (length|content) of event 2 at byte \d+/
      )
    }
  })

  it('an event larger than the limit is refused before it is read', async () => {
    await expect(readTrace(file(eventFile(twoSteps)), { maxUnpackedBytes: 100 })).rejects.toThrow(
      /event 3 at byte \d+ has \d+ bytes; at most 100 are read/
    )
  })
})

describe('archives', () => {
  it('hold traces in any form; the rest is passed over and named', async () => {
    const { files, passedOver } = await readProfile([file(zip(entries), 'run.zip')])
    expect(files.map(({ name, format }) => `${name.slice(0, 20)} ${format}`)).toEqual([
      'run.zip/run/step_1.p RunMetadata (in zip)',
      'run.zip/run/long/lon RunMetadata (gzip, in zip)'
    ])
    expect(passedOver).toMatchObject([{ name: 'run.zip/run/notes.txt', what: 'a text' }])
  })

  const one = [{ name: '../../etc/step.pb', content: step() }]
  test.each<[string, Uint8Array, RegExp]>([
    [
      'another checksum',
      zip(one, { lies: { crc: 1 } }),
      /^x\/\.\.\/\.\.\/etc\/step\.pb: \d+ bytes that do not fit their size and checksum in the archive/
    ],
    [
      'more than is stated',
      zip(one, { lies: { unpackedBytes: 10 } }),
      /unpacks to more than the limit of 10 bytes, which its directory states/
    ],
    ['less than is stated', zip(one, { lies: { unpackedBytes: 1e9 } }), /\d+ bytes that do not fit their size/],
    ['encrypted', zip(one, { lies: { flags: 1 } }), /: encrypted; unpack the archive/],
    ['another method', zip(one, { lies: { method: 14 } }), /packed by method 14, which is neither stored nor deflated/],
    [
      'an archive in an archive',
      zip([{ name: 'in.zip', content: zip(one) }]),
      /^x\/in\.zip: an archive within an archive; unpack the outer one/
    ],
    ['a tar in a zip', zip([{ name: 'in.tar.gz', content: gzipSync(tar(one)) }]), /an archive within an archive/],
    ['a zip in gzip', gzipSync(zip(one)), /^x: a ZIP archive within a gzip file; unpack it \(gunzip\)/],
    [
      'nothing that is a trace',
      tar([{ name: 'a.txt', content: utf8('hello') }]),
      /^x: an archive without traces \(1 file: a\.txt is a text\); foretrain needs/
    ],
    ['no file', tar([]), /^x: an archive without traces \(0 files\)/],
    ['a broken header', tar(one).fill(0x41, 512, 600), /^x: damaged or cut-off tar archive: no header of an entry at byte 512/]
  ])('%s is refused', async (_, bytes, message) => {
    expect(await failureOf([file(bytes, 'x')])).toMatch(message)
  })

  it('a bomb is stopped at the limit, packed as it may be', async () => {
    const zeros = new Uint8Array(1e7).fill(0x20)
    const bomb = utf8(`{"traceEvents":[${new TextDecoder().decode(zeros)}`)
    const limits = { maxTimelineBytes: 1e6, maxUnpackedBytes: 1e6, maxFileBytes: 1e6 }
    const refusal = (bytes: Uint8Array) => failureOf([file(bytes, 'x')], { limits })
    expect(await refusal(gzipSync(bomb))).toMatch(
      /^x: gzip file unpacks to more than the limit of 1000000 bytes; write fewer steps/
    )
    expect(await refusal(zip([{ name: 'a', content: bomb }]))).toMatch(
      /^x: archive unpacks to more than the limit of 1000000 bytes/
    )
    expect(await refusal(gzipSync(tar([{ name: 'a', content: bomb }])))).toMatch(/more than the limit of 1000000 bytes/)
    const two = zip(twoSteps.map((content, i) => ({ name: `${i}`, content })))
    expect(await failureOf([file(two, 'x')], { limits: { maxTimelineBytes: 1.5 * twoSteps[0].length } })).toMatch(
      /^x: archive unpacks to more than the limit/
    )
    expect(await refusal(zip([{ name: 'a', content: gzipSync(bomb) }]))).toMatch(/^x\/a: gzip file unpacks to more than the limit/)
  })
})

it('the same step in several formats is counted once, in the one that carries most', async () => {
  const profile = await profileOf([
    file(utf8(timeline(devices)), 'timeline.json'),
    file(utf8(runMetadataText(devices)), 'step.pbtxt'),
    file(later, 'later.pb'),
    file(encode(devices), 'step.pb')
  ])
  expect(profile.steps.map(({ trace }) => trace)).toEqual(['later.pb', 'step.pb'])
  expect(profile.warnings.find(({ code }) => code === 'repeated-steps')).toMatchObject({ count: 2 })
  expect(profile.counts.records).toBe(4 * recordCount)
})

test('events of timelines that name processes late are of them all the same', async () => {
  const [named, events] = [timelineEvents(devices).slice(0, 4), timelineEvents(devices).slice(4)]
  const late = JSON.stringify([...events, ...named])
  const early = JSON.stringify([...named, ...events])
  const steps = async (content: string) =>
    (
      await readTrace(
        file(utf8(content)),
        undefined,
        new Map([
          ['a', 1],
          ['b', 2]
        ])
      )
    ).steps
  expect(await steps(late)).toEqual(await steps(early))
})
