import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { describe, expect, it } from 'vitest'
import { type Limits, readProfile, readTrace, TraceError } from '../src/index.ts'
import { failureOf } from './support/profile.ts'
import { encode, file, ran, received, SERVER, step, WORKER } from './support/runMetadata.ts'

const fixture = (name: string) => new Uint8Array(readFileSync(new URL(`fixtures/${name}`, import.meta.url)))
const text = (content: string) => new TextEncoder().encode(content)

async function refusal(bytes: Uint8Array, limits?: Partial<Limits>): Promise<string> {
  try {
    await readTrace(file(bytes), limits)
  } catch (error) {
    expect(error).toBeInstanceOf(TraceError)
    expect((error as TraceError).message).toMatch(/^step\.pb: [^\n\r]+$/)
    return (error as TraceError).message.slice('step.pb: '.length)
  }
  throw new Error('expected a TraceError')
}

describe('RunMetadata', () => {
  it('is told by content, plain or gzip, in chunks of any size', async () => {
    const plain = await readTrace(file(step(), 'picture.png'))
    const packed = gzipSync(step())
    const gzip = await readTrace(file(packed, 'picture.png', 7))
    expect(plain.format).toBe('RunMetadata')
    expect(gzip.format).toBe('RunMetadata (gzip)')
    expect(gzip.steps).toEqual(plain.steps)
    expect(plain.bytes).toBe(step().length)
    expect(gzip.bytes).toBe(packed.length)
    expect(plain.steps[0].devices.map(({ device, records }) => [device, records.length])).toEqual([
      [WORKER, 2],
      [SERVER, 2],
      [WORKER, 5],
      [SERVER, 8]
    ])
  })

  it('of a single machine (TensorFlow 1.x) is read, and has no profile', async () => {
    const bytes = fixture('public/tensorflow/profiler_run_meta.bin')
    const { steps } = await readTrace(file(bytes))
    expect(steps[0].devices.map(({ device, records }) => `${device} ${records.length}`)).toEqual([
      '/job:localhost/replica:0/task:0/gpu:0 6',
      '/job:localhost/replica:0/task:0/cpu:0 2',
      '/gpu:0/stream:all 21',
      '/gpu:0/stream:12 21',
      '/gpu:0/memcpy 2',
      '/gpu:0/stream:7 1',
      '/gpu:0/stream:14 1'
    ])
    expect(await failureOf([file(bytes)])).toMatch(
      /^step\.pb: no transfers recorded between tasks \(devices of \/job:localhost\/replica:0\/task:0\)/
    )
  })

  it('without step_stats is refused', async () => {
    const graphOnly = encode([], [{ name: 'a', op: 'NoOp', device: WORKER }]).subarray(2)
    expect(await refusal(graphOnly)).toBe(
      'RunMetadata with no step_stats; run the step with RunOptions(trace_level=RunOptions.FULL_TRACE)'
    )
  })

  it('keeps sizes of output 0 only, and what is missing as -1', async () => {
    const { steps } = await readTrace(
      file(encode([{ device: WORKER, records: [ran('a', 'NoOp', [], 1, 1), ran('b', 'NoOp', [], 1, 1, { bytes: 12 })] }]))
    )
    expect(steps[0].devices[0].records.map(({ outputBytes }) => outputBytes)).toEqual([-1, 12])
  })
})

describe('what is something else is refused, and named', () => {
  const opLog = () => {
    const writer = new BinaryWriter()
    for (const name of ['conv1/weights', 'Variable', 'w']) {
      writer.tag(1, WireType.LengthDelimited).fork()
      writer.tag(1, WireType.LengthDelimited).string(name).tag(2, WireType.Varint).int64(100)
      writer.join()
    }
    return writer.finish()
  }
  const events = () => {
    const record = [0x09, 0, 0, 0, 0, 0, 0, 0, 0, 0x1a, 3, 1, 2, 3]
    return Uint8Array.from([record.length, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, ...record, 1, 2, 3, 4])
  }
  const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13])

  it.each([
    ['nothing', new Uint8Array(0), /^empty file \(0 bytes\)/],
    ['nothing in gzip', gzipSync(new Uint8Array(0)), /^gzip file of nothing/],
    ['JSON', text('{"a": 1}'), /^this is a JSON text/],
    ['a timeline', text('{"traceEvents": []}'), /^this is a timeline/],
    ['a single bracket', text('['), /^this is a JSON text of a single "\["/],
    ['a saved profile', text('{"schema":"foretrain/profile@1"}'), /^this is a saved profile/],
    ['an empty zip', Uint8Array.from([0x50, 0x4b, 5, 6, ...new Array(18).fill(0)]), /^this is an empty ZIP archive/],
    ['text', text('hello'), /^this is a text starting "hello"/],
    ['a picture', png, /^this is a PNG picture/],
    ['gzip in gzip', gzipSync(gzipSync(step())), /^this is a gzip file within a gzip file/],
    [
      'an event file with another checksum',
      events(),
      /^damaged event file: the length of event 1 at byte 0 does not fit its checksum/
    ],
    ['an OpLog', opLog(), /^this is an OpLog of tfprof/],
    ['random bytes', Uint8Array.from({ length: 1000 }, (_, i) => (i * 7919 + 13) % 251), /^not a RunMetadata protobuf/]
  ])('%s', async (_, bytes, message) => {
    expect(await refusal(bytes)).toMatch(message)
  })
})

it('many comment signs in a row are told from text format at once', async () => {
  expect(await refusal(text('# '.repeat(2000)))).toMatch(/^this is a text starting/)
})

describe('damage', () => {
  it('a protobuf cut off anywhere is refused with the offset', async () => {
    const whole = step()
    for (let length = 1; length < whole.length; length++) {
      expect(await refusal(whole.subarray(0, length))).toMatch(/at byte \d+ of \d+|^empty|no step_stats|^this is a text/)
    }
  })

  it('a gzip file cut off anywhere is refused', async () => {
    const whole = gzipSync(step())
    for (let length = 3; length < whole.length; length += 17)
      expect(await refusal(whole.subarray(0, length))).toMatch(/^damaged or cut-off gzip file/)
  })

  it('a gzip file of several members is read as one, where the platform can', async () => {
    const [begin, rest] = [step().subarray(0, 40), step().subarray(40)]
    const { steps } = await readTrace(file(Buffer.concat([gzipSync(begin), gzipSync(rest)]), 'x'))
    expect(steps).toEqual((await readTrace(file(step(), 'x'))).steps)
  })

  it('a gzip file with a wrong checksum is refused', async () => {
    const whole = gzipSync(step())
    whole[whole.length - 6] ^= 1
    expect(await refusal(whole)).toMatch(/^damaged or cut-off gzip file/)
  })

  it.each([
    ['a group', [0x0b], 'field 1 of RunMetadata with wire type 3'],
    ['a number for a message', [0x08, 1], 'field 1 of RunMetadata with wire type 0 instead of 2'],
    ['field number 0', [0x02, 0], 'field number 0'],
    ['a length beyond the file', [0x0a, 0x7f, 0x00], 'a field of 127 bytes where 1 are left'],
    ['an endless number', [0x78, ...new Array(12).fill(0xff)], 'a number of more than 64 bits'],
    ['a device without a slash', [0x0a, 5, 0x0a, 3, 0x0a, 1, 0x03], 'a device named "\u0003"']
  ])('%s', async (_, bytes, found) => {
    expect(await refusal(Uint8Array.from(bytes))).toContain(found)
  })

  it('a failing source keeps its own error', async () => {
    const failing = async function* () {
      yield step().subarray(0, 10)
      throw new RangeError('disk gone')
    }
    await expect(readTrace({ name: 'step.pb', bytes: failing() })).rejects.toThrow(new RangeError('disk gone'))
  })
})

describe('limits', () => {
  it('bound the file', async () => {
    expect(await refusal(step(), { maxFileBytes: 100 })).toMatch(/^larger than the limit of 100 bytes/)
  })

  it('bound what gzip unpacks to, before it is all there', async () => {
    const bomb = gzipSync(new Uint8Array(64 * 1024 * 1024))
    const before = process.memoryUsage().arrayBuffers
    expect(await refusal(bomb, { maxUnpackedBytes: 1_000_000 })).toMatch(/unpacks to more than the limit of 1000000 bytes/)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * 1024 * 1024)
  })

  it('bound the records of a file, and of all files together', async () => {
    expect(await refusal(step(), { maxRecords: 16 })).toMatch(/^more records than the limit allows/)
    expect((await readTrace(file(step()), { maxRecords: 17 })).steps).toHaveLength(1)
    expect(await failureOf([file(step()), file(step(), 'b.pb')], { limits: { maxRecords: 20 } })).toMatch(/^b\.pb: more records/)
  })
})

describe('messages', () => {
  it('hold names as they are, cut short', async () => {
    const nasty = 'a\n\u001b[31mb\u2028'.repeat(100)
    const bytes = encode([
      { device: WORKER, records: [ran('x', 'NoOp', [], 1, 1), received(`edge_1_${nasty}`, WORKER, WORKER, 1, 1, 4)] }
    ])
    const { message } = await readProfile([file(bytes, nasty)]).then(
      () => expect.fail('expected a TraceError'),
      error => error as TraceError
    )
    expect(message).toMatch(/no transfers recorded/)
    expect(message.startsWith('a\n\u001b[31mb\u2028')).toBe(true)
    expect(message.length).toBeLessThan(500)
  })
})
