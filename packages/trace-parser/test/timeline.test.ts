import { gzipSync } from 'node:zlib'
import { describe, expect, it, test } from 'vitest'
import { type Limits, readProfile, readTrace, type TraceFile } from '../src/index.ts'
import { FORETRAIN, foretrainEvents, tensorFlowEvents } from './support/traceEvents.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)

/** A file that comes in pieces of so many bytes. */
function file(content: string | Uint8Array, pieceBytes = Number.POSITIVE_INFINITY, name = 'run.json'): TraceFile {
  const bytes = typeof content === 'string' ? utf8(content) : content
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
  }
  return { name, bytes: pieces() }
}

const refusal = (content: string | Uint8Array, limits?: Partial<Limits>) =>
  readTrace(file(content), limits).then(
    () => 'accepted',
    error => {
      expect(error.name).toBe('TraceError')
      expect(error.message).toMatch(/^run\.json: [^\n]*$/)
      return (error.message as string).slice('run.json: '.length)
    }
  )

const document = (events: readonly unknown[], otherData: unknown = FORETRAIN) => JSON.stringify({ otherData, traceEvents: events })
const plain = (events: readonly unknown[]) => JSON.stringify({ traceEvents: events })
/** The refusal of a document of one's own with one event changed. */
const refusalOf = (change: (event: ReturnType<typeof foretrainEvents>[number]) => void, index = 1) => {
  const events = foretrainEvents()
  change(events[index])
  return refusal(document(events))
}

describe('a timeline of foretrain', () => {
  it.each([1, 7, 64, 1e9])('gives the step as it was, in pieces of %i bytes', async pieceBytes => {
    const { profile, files } = await readProfile([file(document(foretrainEvents()), pieceBytes)])
    expect(files).toMatchObject([{ format: 'foretrain timeline', steps: 1 }])
    expect(profile.operations.map(({ kind, name, type, bytes, dependencies }) => [kind, name, type, bytes, dependencies])).toEqual([
      ['pull', 'w/read', 'RecvTensor', 4000, []],
      ['compute', 'grad', 'MatMul', 0, [0]],
      ['push', 'grad', 'RecvTensor', 4000, [1]],
      ['update', 'apply', 'ApplyGradientDescent', 0, [2]]
    ])
    expect(profile.steps[0].durationUs).toEqual([0, 200.125, 0, 30])
    expect(profile.steps[0].startUs).toEqual([10, 100, 300.125, 400])
    expect(profile.steps[0].endUs).toEqual([90, 300.125, 380, 430])
    expect(profile.counts).toMatchObject({ records: 8, used: 4, ignored: { 'event that is drawn beside the operations': 3 } })
    expect(profile.warnings.map(({ code }) => code)).toEqual(['few-steps'])
  })

  it('as gzip, told by content', async () => {
    const { files } = await readProfile([file(gzipSync(document(foretrainEvents())), 100, 'anything')])
    expect(files).toMatchObject([{ format: 'foretrain timeline (gzip)', steps: 1 }])
  })

  it('takes whole steps and counts the others', async () => {
    const events = [...foretrainEvents(0), ...foretrainEvents(1).slice(0, 3), ...foretrainEvents(2)]
    const { profile } = await readProfile([file(document(events))])
    expect(profile.steps.map(({ trace }) => trace)).toEqual(['run.json#1', 'run.json#2'])
    expect(profile.counts.ignored['operation of a step that is not whole']).toBe(2)
    expect(profile.warnings.find(({ code }) => code === 'lost-events')).toMatchObject({ count: 2 })
    expect(await refusal(document(foretrainEvents().slice(0, 3)))).toMatch(
      /^a timeline of foretrain without a whole step \(1 step in part\)/
    )
  })

  it('of several workers is refused as any trace of several is', async () => {
    const events = [...foretrainEvents(), ...foretrainEvents().map(event => ({ ...event, args: { ...event.args, worker: 1 } }))]
    await expect(readProfile([file(document(events))])).rejects.toThrow(/2 workers in one trace/)
  })

  test.each<[string, Promise<string>, RegExp]>([
    [
      'a number below 0',
      refusalOf(({ args }) => Object.assign(args, { id: -1 })),
      /^args\.id of -1 instead of a whole number from 0 to 3 at byte \d+;/
    ],
    ['a number as text', refusalOf(({ args }) => Object.assign(args, { id: '0' })), /^args\.id of "0" instead of a whole number/],
    [
      'beyond 2^53',
      refusalOf(({ args }) => Object.assign(args, { bytes: 2 ** 60 })),
      /^args\.bytes of 1152921504606847000 instead of a number from 0 to 1099511627776/
    ],
    ['no bytes', refusalOf(({ args }) => Object.assign(args, { bytes: undefined })), /^args\.bytes of nothing/],
    ['a time without an end', refusalOf(({ args }) => Object.assign(args, { endUs: 1e300 })), /^args\.endUs of 1e\+300/],
    [
      'dependencies that are none',
      refusalOf(({ args }) => Object.assign(args, { dependencies: { length: 1 } })),
      /^args\.dependencies that is no list/
    ],
    [
      'dependencies on nothing',
      refusalOf(({ args }) => Object.assign(args, { dependencies: [4] })),
      /^an entry of args\.dependencies of 4/
    ],
    ['an operation twice', refusalOf(({ args }) => Object.assign(args, { id: 1 })), /^operation 1 a second time in its step/],
    ['a server too many', refusalOf(({ args }) => Object.assign(args, { server: 1e9 })), /^args\.server of 1000000000/],
    ['no name', refusalOf(({ args }) => Object.assign(args, { name: '' })), /^args\.name that is no name/],
    [
      'operations of nothing',
      refusal(document([], { ...FORETRAIN, operations: 1e9 })),
      /^otherData\.operations is 1000000000; expected/
    ]
  ])('%s', async (_, refused, message) => {
    expect(await refused).toMatch(message)
  })

  it('with a cycle is refused', async () => {
    const events = foretrainEvents()
    events[1].args.dependencies = [3]
    await expect(readProfile([file(document(events))])).rejects.toThrow(/the graph has a cycle/)
  })

  it('whose description comes too late is refused', async () => {
    const text = JSON.stringify({ traceEvents: foretrainEvents(), otherData: FORETRAIN })
    expect(await refusal(text)).toMatch(/^otherData of a timeline of foretrain behind its events/)
  })
})

describe("a timeline of TensorFlow's timeline.py", () => {
  const records = async (content: string) => (await readTrace(file(content))).steps[0].devices.flatMap(device => device.records)

  it('gives operations by device, with type and inputs', async () => {
    const { steps, format } = await readTrace(file(plain(tensorFlowEvents())))
    expect(format).toBe('TensorFlow timeline')
    expect(steps[0].devices.map(({ device }) => device)).toEqual([
      '/job:worker/replica:0/task:0/cpu:0',
      '/job:ps/replica:0/task:0/cpu:0'
    ])
    expect(steps[0].devices[0].records.map(({ label, startUs, endUs }) => [label, startUs, endUs])).toEqual([
      ['_SOURCE = NoOp()', 1496956793224680, 1496956793224702],
      ['grad = MatMul(w/read_S11, x, ^init)', 1496956793224900, 1496956793224950]
    ])
    expect(steps[0].ignored).toEqual({ 'event that is no operation': 2 })
  })

  it('without transfers is no distributed step', async () => {
    await expect(readProfile([file(plain(tensorFlowEvents()))])).rejects.toThrow(/no transfers recorded between tasks/)
  })

  it('with transfers is refused once, with what is missing and the remedy', async () => {
    const transfer = {
      name: 'RecvTensor',
      args: { name: 'RecvTensor', op: 'RecvTensor' },
      pid: 1,
      ts: 1496956793224700,
      ph: 'X',
      dur: 90
    }
    expect(await refusal(plain([...tensorFlowEvents(), transfer, transfer]))).toBe(
      '2 transfers (RecvTensor) without tensor, size and peer, which TensorFlow leaves out of its timeline JSON; the size of 1 tensor is not known: w/read; give the RunMetadata that the timeline was made of (run_metadata.SerializeToString()), or that of another step beside the timeline, or the sizes: --sizes FILE.csv, columns tensor,bytes'
    )
  })

  it.each<[string, (text: string) => string]>([
    ['as a list', text => text.slice(text.indexOf('['), -1)],
    ['without its closing bracket', text => text.slice(text.indexOf('['), -2)],
    ['with a comma behind the last event', text => `${text.slice(text.indexOf('['), -2)},`],
    ['as an object without its closing brackets', text => text.slice(0, -2)],
    ['behind a byte order mark, with blanks', text => `\ufeff \n${text} \n`],
    ['behind other fields', text => `{"a": [1, {"b": "]}\\"\\\\"}], "c": -1e5, "d": null, ${text.slice(1)}`]
  ])('%s', async (_, shape) => {
    const text = plain(tensorFlowEvents())
    expect(await records(shape(text))).toEqual(await records(text))
  })

  it('takes numbers as text, begin and end, and processes named by text', async () => {
    const device = '/job:worker/replica:0/task:0/device:CPU:0 Compute'
    const [first, second] = await records(
      JSON.stringify([
        { ph: 'M', name: 'process_name', pid: 'w', args: { name: device } },
        { ph: 'B', name: 'outer', pid: 'w', tid: 1, ts: '100', args: { name: 'outer', op: 'A' } },
        { ph: 'B', name: 'inner', pid: 'w', tid: 1, ts: 110, args: { name: 'inner' } },
        { ph: 'E', pid: 'w', tid: 1, ts: 120 },
        { ph: 'E', pid: 'w', tid: 1, ts: 130, args: { input0: 'x' } }
      ])
    )
    expect([first, second].map(({ label, startUs, endUs }) => [label, startUs, endUs])).toEqual([
      ['inner = inner()', 110, 120],
      ['outer = A(x)', 100, 130]
    ])
  })

  it('times that begin at 0 are moved, so that none looks like "no start"', async () => {
    const events = tensorFlowEvents().map(event =>
      'ts' in event ? { ...event, ts: (event.ts as number) - 1496956793224680 } : event
    )
    expect((await records(plain(events))).map(({ startUs }) => startUs)).toEqual([1, 221, 321])
  })

  it('counts what is unusable, and says so', async () => {
    const odd = [
      ...[7, null, [], 'text'],
      { ph: 'X', pid: 1, ts: 5, args: { name: 'no duration' } },
      { ph: 'X', pid: 1, ts: 'soon', dur: 1, args: { name: 'no time' } },
      { ph: 'X', pid: 1, ts: 5, dur: 1, args: {} },
      { ph: 'X', pid: 99, ts: 5, dur: 1, args: { name: 'nowhere' } },
      { ph: 'B', pid: 1, tid: 1, ts: 5, args: { name: 'never ends' } },
      { ph: 'E', pid: 1, tid: 2, ts: 5 }
    ]
    const { steps } = await readTrace(file(plain([...tensorFlowEvents(), ...odd])))
    expect(steps[0].ignored).toEqual({
      'begin without an end or end without a begin': 2,
      'event of a process that is no device': 1,
      'event that is no object': 4,
      'event that is no operation': 2,
      'event without a time or a duration': 2,
      'event without the name of an operation': 1
    })
  })
})

describe('other timelines are refused, and named', () => {
  it.each([
    [
      'no events',
      '{"traceEvents": []}',
      /^this is a timeline \(Chrome trace JSON\) without operations \(0 events, none of them complete\)/
    ],
    [
      'a browser',
      JSON.stringify([{ ph: 'X', pid: 1, ts: 1, dur: 1, name: 'paint' }]),
      /without operations of TensorFlow \(1 event; processes: none named\)/
    ],
    ['counters only', JSON.stringify([{ ph: 'C', ts: 1, name: 'a' }]), /1 event, none of them complete/]
  ])('%s', async (_, content, message) => {
    expect(await refusal(content)).toMatch(message)
  })
})

describe('damage and malice', () => {
  const good = plain(tensorFlowEvents())
  it.each<[string, string, RegExp]>([
    ['NaN', good.replace('"dur":22', '"dur":NaN'), /^no valid JSON \(.*\) at byte \d+; expected a timeline/],
    ['an event cut off', good.slice(0, -30), /^cut off within what begins at byte \d+ at byte \d+;/],
    ['a field cut off', '{"traceEvents":[{"ph":"X"}],"a', /^cut off within what begins at byte 28 at byte 30;/],
    ['no comma', '{"traceEvents":[{"ph":"X"} {"ph":"X"}]}', /^unexpected "{" at byte 27;/],
    ['two commas', '[{"ph":"X"},,{"ph":"X"}]', /^unexpected "," at byte 12;/],
    ['a stray bracket', '[{"ph":"X"}]]', /^unexpected "\]" at byte 12;/],
    ['two documents', '{"traceEvents":[]}{', /^unexpected "{" at byte 18;/],
    ['the wrong bracket', '{"traceEvents":[{"ph":"X"}}', /^unexpected "}" at byte 26;/],
    ['mixed brackets', '[{"ph":"X","args":[}}]', /^no valid JSON/],
    ['deep nesting', `[{"ph":"X","args":${'['.repeat(200)}`, /^more than 100 levels of nesting at byte 117;/],
    ['deep nesting beside the events', `{"a":${'['.repeat(1e5)},"traceEvents":[`, /^(this is a JSON text|more than 100 levels)/],
    ['control characters', `[{"ph":"X","name":"a\nb"}]`, /^no valid JSON/]
  ])('%s', async (_, content, message) => {
    expect(await refusal(content)).toMatch(message)
  })

  it('"__proto__" is a key like others', async () => {
    const text = good.replace('"args":{', '"__proto__":{"ts":1},"args":{"__proto__":{"name":"evil"},"constructor":1,')
    await readTrace(file(text))
    expect(({} as Record<string, unknown>).name).toBeUndefined()
    const nested = plain([
      ...tensorFlowEvents(),
      JSON.parse('{"__proto__":{"ph":"X","pid":1,"ts":1,"dur":1,"args":{"name":"evil"}}}')
    ])
    expect((await readTrace(file(nested))).steps[0].devices[0].records).toHaveLength(2)
  })

  it('times beyond 2^53 are read, and left out as broken by extraction', async () => {
    const events = foretrainEvents()
    Object.assign(events[2], { ts: 1.997804597071647e16 })
    await expect(readProfile([file(document(events))])).rejects.toThrow(/^run\.json: /)
  })

  it('a gzip file cut off anywhere is refused', async () => {
    const whole = gzipSync(document(foretrainEvents()))
    for (let length = 20; length < whole.length; length += 41) {
      expect(await refusal(whole.subarray(0, length))).toMatch(/damaged or cut-off gzip file/)
    }
  })

  it('a failing source keeps its own error, packed or not', async () => {
    for (const content of [utf8(document(foretrainEvents())), gzipSync(document(foretrainEvents()))]) {
      const failing = async function* () {
        yield content.subarray(0, content.length - 5)
        throw new RangeError('disk gone')
      }
      await expect(readTrace({ name: 'run.json', bytes: failing() })).rejects.toThrow(new RangeError('disk gone'))
    }
  })

  it('limits bound the file, what gzip unpacks to, one event, and the records', async () => {
    const text = document(foretrainEvents())
    expect(await refusal(text, { maxTimelineBytes: 100 })).toMatch(/^larger than the limit of 100 bytes; write fewer steps/)
    expect(await refusal(gzipSync(text.padEnd(1e6)), { maxTimelineBytes: 5000 })).toMatch(
      /^gzip file unpacks to more than the limit of 5000 bytes/
    )
    expect(await refusal(text, { maxRecords: 3 })).toMatch(/^more records than the limit allows/)
    expect(await refusal(`[{"ph":"X","name":"${'a'.repeat(17 * 2 ** 20)}"}]`)).toMatch(
      /^an element of more than 16777216 bytes at byte 1;/
    )
  })
})

test('what is no record costs no memory', async () => {
  const filler = utf8(`${JSON.stringify({ ph: 'C', name: 'x'.repeat(1000), ts: 1, args: { a: 1 } })},\n`.repeat(1000))
  const [head, tail] = document(foretrainEvents()).split('[{')
  async function* bytes() {
    yield utf8(`${head}[`)
    for (let i = 0; i < 200; i++) yield filler
    yield utf8(`{${tail}`)
  }
  const before = process.memoryUsage().rss
  const { files } = await readProfile([{ name: 'large.json', bytes: bytes() }])
  expect(files[0].bytes).toBeGreaterThan(200e6)
  expect(process.memoryUsage().rss - before).toBeLessThan(150e6)
})

test('ends that name their begins from the outermost on take no longer for it', async () => {
  const names = Array.from({ length: 50_000 }, (_, i) => `"ts":${i},"name":"${i}"`)
  const events = ['B', 'E'].flatMap(phase => names.map(name => `{"ph":"${phase}",${name}}`))
  const text = `[${events.join()}]`
  const { user } = process.cpuUsage()
  expect(await refusal(text)).toMatch(/^this is a timeline \(Chrome trace JSON\) without operations of TensorFlow \(100000 events/)
  expect((process.cpuUsage().user - user) / 1e6).toBeLessThan(text.length / 1e6)
})
