import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { JsonElements } from '../src/import/jsonElements.ts'
import { EventReader } from '../src/import/traceEvent.ts'
import { readTrace } from '../src/index.ts'
import { fixtureBytes, fixtureRefusal } from './support/fixtures.ts'
import { file } from './support/runMetadata.ts'

const FOLDER = new URL('./fixtures/public/', import.meta.url)

/** None is of a parameter-server job, so all are refused: what each is, and what the refusal says. */
const KINETO = /^this is a trace of PyTorch \(Kineto\); .*foretrain needs RunMetadata/
const ONE_MACHINE = /^no transfers recorded between tasks \(devices of \/job:localhost\/replica:0\/task:0\); trace with/
const NO_TENSORFLOW = /^this is a timeline \(Chrome trace JSON\) without operations of TensorFlow \(\d+ events; processes: /
const INCOMPLETE = /^this is a timeline \(Chrome trace JSON\) without operations \(\d+ events, none of them complete\)/
const refusals: Record<string, Record<string, RegExp>> = {
  anna: { 'timeline_01.json': ONE_MACHINE },
  riptide: { 'timeline.ctf.json': ONE_MACHINE },
  tensorflow: {
    'contrib_tfprof_run_meta.bin': ONE_MACHINE,
    'profiler_run_meta.bin': ONE_MACHINE,
    'run_metadata_run_step99_tag_train.pbtxt': /^no operation with usable times: /
  },
  'holistic-trace-analysis': {
    'alexnet_trace.json.gz': KINETO,
    'benchmark_simple_add_et.json.gz': /^this is an execution trace of PyTorch: operators and tensors, no times; /,
    'benchmark_simple_add_trace.json.gz': KINETO,
    'mi250_minitoy_train_ROCm6_2_kineto.json.gz': KINETO,
    'mtia_inference_rank_0.json.gz': KINETO,
    'rank-34.Jul_15_10_52_41.1074.pt.trace.json.gz': KINETO,
    'rank_not_found.json.gz': KINETO,
    'sampled_rank-0.json.gz': KINETO,
    'simple_add_input_trace.json.gz': KINETO,
    'simple_add_overlaid_critical_path_trace.json.gz': KINETO,
    'triton_example.json.gz': KINETO
  },
  chakra: {
    'json_trace.tar.gz': /^an archive without traces \(2 files: \S+ is a Chakra execution trace \(JSON\)\); foretrain needs/
  },
  triosim: { 'trace.csv': /^this is an operator table of TrioSim; foretrain needs RunMetadata/ },
  perfetto: { 'flow_events_json_v2.json': NO_TENSORFLOW },
  'tensorflow-profiler': { 'trace.json': NO_TENSORFLOW },
  speedscope: {
    'bex-interaction.json': NO_TENSORFLOW,
    'end-non-top-of-stack.json': NO_TENSORFLOW,
    'event-reordering-name-match.json': NO_TENSORFLOW,
    'invalid-x-nesting.json': NO_TENSORFLOW,
    'matching-x.json': NO_TENSORFLOW,
    'mismatched-name.json': NO_TENSORFLOW,
    'multi-thread-with-samples.json': NO_TENSORFLOW,
    'must-retain-original-order.json': NO_TENSORFLOW,
    'no-arg-data.json': INCOMPLETE,
    'not-enough-end-events.json': NO_TENSORFLOW,
    'out-of-order-unbalanced-name.json': INCOMPLETE,
    'out-of-order.json': NO_TENSORFLOW,
    'simple-object.json': NO_TENSORFLOW,
    'simple-partial-trailing-comma.json': NO_TENSORFLOW,
    'simple-partial.json': NO_TENSORFLOW,
    'simple-with-samples.json': INCOMPLETE,
    'simultaneous-anonymous-calls.json': NO_TENSORFLOW,
    'too-many-end-events.json': NO_TENSORFLOW,
    'unbalanced-name.json': NO_TENSORFLOW,
    'x-events-matching-end.json': NO_TENSORFLOW,
    'zero-duration-events.json': NO_TENSORFLOW
  }
}
const paths = Object.entries(refusals).flatMap(([folder, files]) =>
  Object.entries(files).map(([name, message]) => [`${folder}/${name}`, message] as const)
)

describe('a published trace of something else is refused by name', () => {
  test.each(paths)('%s', async (path, message) => {
    expect(await fixtureRefusal(`public/${path}`)).toMatch(message)
  })
})

/** Files of the Trace Event Format, each with its quirk: what is complete in them, and what is counted as ignored. */
const UNPAIRED = 'begin without an end or end without a begin'
const UNTIMED = 'event without a time or a duration'
const OTHER = 'event that is no operation'
const events: ReadonlyArray<[string, string[], Record<string, number>?]> = [
  [
    'speedscope/bex-interaction.json',
    ['A 0–2', 'B 0–2', 'C 10–12', 'D 10–12', 'E 20–21', 'F 20–22', 'G 30–32', 'H 30–31', 'I 41–42', 'J 40–42', 'K 50–52', 'L 51–52']
  ],
  ['speedscope/end-non-top-of-stack.json', ['A 0–10', 'Z 10–11'], { [UNPAIRED]: 1 }],
  ['speedscope/event-reordering-name-match.json', ['alpha 0–10', 'beta 1–2', 'gamma 1–2']],
  ['speedscope/invalid-x-nesting.json', ['alpha 0–10', 'beta 5–15']],
  ['speedscope/matching-x.json', ['alpha 0–10', 'beta 1–2', 'gamma 1–2', 'gamma 5–6', 'beta 5–6']],
  ['speedscope/mismatched-name.json', ['alpha 0–10']],
  ['speedscope/multi-thread-with-samples.json', ['mqt_js 11550183666–11550183666', 'mqt_js 11550183666–11550183666']],
  ['speedscope/must-retain-original-order.json', ['C 0–1', 'B 0–2', 'A 0–3', 'C 6–7', 'B 5–7', 'A 4–7', 'X 7–10']],
  ['speedscope/no-arg-data.json', [], { [OTHER]: 12 }],
  ['speedscope/not-enough-end-events.json', ['A 10–11'], { [UNPAIRED]: 2 }],
  ['speedscope/out-of-order-unbalanced-name.json', [], { [UNPAIRED]: 4 }],
  ['speedscope/out-of-order.json', ['B 1–9', 'A 0–10', 'C 2–8']],
  ['speedscope/simple-object.json', ['beta 1–13', 'alpha 0–14'], { [UNTIMED]: 1 }],
  ['speedscope/simple-partial-trailing-comma.json', ['gamma 2–7', 'beta 1–13', 'alpha 0–14'], { [UNTIMED]: 1 }],
  ['speedscope/simple-partial.json', ['gamma 2–7', 'beta 1–13', 'alpha 0–14'], { [UNTIMED]: 1 }],
  ['speedscope/simple-with-samples.json', []],
  [
    'speedscope/simultaneous-anonymous-calls.json',
    ['anonymous 1–3', 'function1 1–3', 'anonymous 1–3', 'anonymous 3–5', 'anonymous 3–5', 'anonymous 0–5']
  ],
  ['speedscope/too-many-end-events.json', ['beta 1–13', 'alpha 0–14'], { [UNPAIRED]: 2 }],
  ['speedscope/unbalanced-name.json', ['alpha 0–9', 'beta 1–10']],
  [
    'speedscope/x-events-matching-end.json',
    ['alpha 0–20', 'beta 1–3', 'gamma 2–3', 'gamma 5–7', 'beta 6–7', 'gamma 10–11', 'beta 9–11', 'beta 15–16', 'gamma 14–16']
  ],
  ['speedscope/zero-duration-events.json', ['B 1–1', 'A 0–2', 'D 3–3', 'C 2–10']],
  [
    'perfetto/flow_events_json_v2.json',
    [
      'SenderA 3002–3012',
      'SenderB 0–10',
      'Blergh 1001–1101',
      'OtherSlice 3200–3700',
      'SomeSlice 3331–3731',
      'SomeOtherSlice 3333–4330'
    ],
    { [OTHER]: 1 }
  ],
  [
    'tensorflow-profiler/trace.json',
    [
      'Asub with a name that wont fit 827–828',
      'Long X type 820–835',
      'Asub 829–832',
      'X1 818–820',
      'X same ts and dur as X1 818–820',
      'A long name that doesnt fit but is exceedingly informative 826–833',
      'A not as long a name 840–848',
      'B 850–854',
      'A 827–854',
      'X 860–870',
      'B/E under X 860–870',
      'B/E over X 860–870'
    ],
    { [OTHER]: 14 }
  ]
]

describe('the events of', () => {
  test.each(events)('%s', (path, complete, ignored = {}) => {
    const read: string[] = []
    const reader = new EventReader(({ name, startUs, endUs }) => read.push(`${name} ${startUs}–${endUs}`))
    const elements = new JsonElements(path, {
      wants: () => false,
      event: (value, offset) => reader.read(value, offset),
      field: () => {}
    })
    elements.push(fixtureBytes(`public/${path}`))
    elements.end()
    reader.end()
    expect(read).toEqual(complete)
    expect({ ...reader.ignored }).toEqual(ignored)
  })
})

/** Device, records, sum of their durations in µs: of timelines as many as there are complete events. */
const records: Record<string, Array<[string, number, number]>> = {
  'anna/timeline_01.json': [['/job:localhost/replica:0/task:0/cpu:0', 201, 44_563]],
  'riptide/timeline.ctf.json': [
    ['/device:GPU:0/memcpy', 2, 28],
    ['/device:GPU:0/stream:20', 22, 98],
    ['/device:GPU:0/stream:21', 2, 28],
    ['/device:GPU:0/stream:all', 22, 98],
    ['/job:localhost/replica:0/task:0/device:CPU:0', 3, 56],
    ['/job:localhost/replica:0/task:0/device:GPU:0', 45, 1051]
  ],
  'tensorflow/contrib_tfprof_run_meta.bin': [['/job:localhost/replica:0/task:0/cpu:0', 9, 134]],
  'tensorflow/run_metadata_run_step99_tag_train.pbtxt': [['/job:localhost/replica:0/task:0/cpu:0', 1, 23]]
}

describe('the records of', () => {
  test.each(Object.entries(records))('%s', async (path, expected) => {
    const { steps } = await readTrace(file(fixtureBytes(`public/${path}`)))
    expect(steps).toHaveLength(1)
    const sums = steps[0].devices.map(({ device, records }) => [
      device,
      records.length,
      records.reduce((sum, { startUs, endUs }) => sum + endUs - startUs, 0)
    ])
    expect(sums.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))).toEqual(expected)
  })
})

it('each file has a line here, each folder a licence, and all stand in NOTICE', () => {
  const notice = readFileSync(new URL('NOTICE', FOLDER), 'utf8')
  const folders = readdirSync(FOLDER, { withFileTypes: true }).filter(entry => entry.isDirectory())
  expect(folders.map(({ name }) => name).sort()).toEqual(Object.keys(refusals).sort())
  for (const { name } of folders) {
    const section = notice.split('\n\n').find(text => text.startsWith(`${name}\n`)) ?? ''
    expect(section).toMatch(/\n {2}Source: +https:\/\/github\.com\/[\s\S]+\n {2}Licence: +\S/)
    const files = readdirSync(new URL(`${name}/`, FOLDER))
    expect(files.includes('LICENSE') || section.includes('Apache License 2.0')).toBe(true)
    expect(files.filter(one => one !== 'LICENSE').sort()).toEqual(Object.keys(refusals[name]).sort())
    if (!section.includes('all others')) for (const one of Object.keys(refusals[name])) expect(section).toContain(`  ${one} `)
  }
})
