import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { expect, it, test } from 'vitest'
import { WANTED } from '../src/import/sniff/others.ts'
import { readProfile } from '../src/index.ts'
import { failureOf } from './support/profile.ts'
import { file, step } from './support/runMetadata.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)
const json = (value: unknown) => utf8(JSON.stringify(value))
type Write = (writer: BinaryWriter) => BinaryWriter

const message =
  (field: number, write: Write): Write =>
  writer =>
    write(writer.tag(field, WireType.LengthDelimited).fork()).join()
const text =
  (field: number, value: string): Write =>
  writer =>
    writer.tag(field, WireType.LengthDelimited).string(value)
const number =
  (field: number, value: number): Write =>
  writer =>
    writer.tag(field, WireType.Varint).int64(value)
const both =
  (...parts: Write[]): Write =>
  writer =>
    parts.reduce((written, part) => part(written), writer)
const bytesOf = (write: Write) => write(new BinaryWriter()).finish()

const kineto = {
  schemaVersion: 1,
  deviceProperties: [],
  traceEvents: [{ ph: 'X', cat: 'cpu_op', name: 'aten::add', pid: 1, tid: 1, ts: 1, dur: 2 }]
}
const execution = {
  schema: '1.0.2-chakra.0.0.4',
  pid: 7,
  time: '2023',
  nodes: [{ id: 1, name: '[pytorch|profiler|execution_trace|process]' }]
}
const chakra = { version: '0.0.4', workload_graph: [{ name: 'COMP_NODE_1' }] }
const horovod =
  '[\n{"name":"process_name","ph":"M","pid":0,"args":{"name":"w"}},\n{"name":"NEGOTIATE_ALLREDUCE","ph":"B","pid":0,"ts":1},\n'
const xspaceJson = {
  displayTimeUnit: 'ns',
  traceEvents: [
    { ph: 'M', pid: 701, name: 'process_name', args: { name: '/host:CPU' } },
    { ph: 'X', pid: 701, tid: 1, ts: 1, dur: 2, name: 'TraceContext' }
  ]
}
const browser = [{ ph: 'X', pid: 1, tid: 1, ts: 1, dur: 2, name: 'paint', cat: 'blink' }]

/** What it is, its bytes, how it is named. */
const others: Array<[string, Uint8Array, string]> = [
  ['xplane.pb', bytesOf(message(1, both(number(1, 1), text(2, '/host:CPU')))), 'an XSpace of the TensorFlow profiler (xplane.pb)'],
  ['xplane.pb without numbers', bytesOf(message(1, text(2, '/device:GPU:0'))), 'an XSpace of the TensorFlow profiler (xplane.pb)'],
  [
    'an OpLog',
    bytesOf(message(1, both(text(1, 'conv1/weights'), number(2, 100)))),
    'an OpLog of tfprof: sizes and types, no times'
  ],
  ['graph.pb', bytesOf(message(1, both(text(1, 'x'), text(2, 'Placeholder')))), 'a GraphDef: operations without times'],
  [
    'graph.pbtxt',
    utf8('node {\n  name: "x"\n  op: "Placeholder"\n}\n'),
    'a GraphDef in text format (graph.pbtxt): operations without times'
  ],
  ['model.meta', bytesOf(message(1, message(2, message(1, text(1, 'Add'))))), 'a MetaGraphDef (.meta): operations without times'],
  ['saved_model.pb', bytesOf(both(number(1, 1), message(2, message(1, number(1, 1))))), 'a SavedModel: operations without times'],
  [
    'Chakra, protobuf',
    Uint8Array.of(7, ...bytesOf(text(1, '0.0.4')), 9, ...bytesOf(both(number(1, 3), text(2, 'node3')))),
    'a Chakra execution trace'
  ],
  ['Chakra, JSON', json(chakra), 'a Chakra execution trace (JSON)'],
  ['an execution trace of PyTorch', json(execution), 'an execution trace of PyTorch: operators and tensors, no times'],
  ['Kineto', json(kineto), 'a trace of PyTorch (Kineto)'],
  ['Horovod', utf8(horovod), 'a timeline of Horovod'],
  ['trace.json of the profiler', json(xspaceJson), "a trace of the TensorFlow profiler's trace viewer (trace.json)"],
  ['TrioSim', utf8('OperatorID,OperatorName,Time\n1,conv,2\n'), 'an operator table of TrioSim'],
  ['a RunMetadata as JSON', json({ stepStats: { devStats: [] } }), 'a RunMetadata as JSON'],
  ['a checkpoint', Uint8Array.of(0, 0, 6, 8, 1, 0x1a, 0, 0), 'the index of a TensorFlow checkpoint'],
  ['the list of checkpoints', utf8('model_checkpoint_path: "model.ckpt-1"\n'), 'the list of TensorFlow checkpoints'],
  ['.npy', Uint8Array.of(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0), 'a NumPy array'],
  ['.pkl', Uint8Array.of(0x80, 4, 0x95, 1), 'a Python pickle'],
  ['HTML', utf8('<!DOCTYPE html><html></html>'), 'an HTML page']
]

it.each(others)('%s is refused by name, with what is needed and how to get it', async (_, bytes, what) => {
  const message = await failureOf([file(bytes, 'x')])
  expect(message.startsWith(`x: this is ${what}; `)).toBe(true)
  const isDownload = what === 'an HTML page'
  const isJson = what === 'a RunMetadata as JSON'
  if (!isDownload && !isJson) expect(message.endsWith(WANTED)).toBe(true)
})

test('traces of other programs are refused with what was seen', async () => {
  expect(await failureOf([file(json(browser), 'x')])).toMatch(
    /^x: this is a timeline \(Chrome trace JSON\) without operations of TensorFlow \(1 event; processes: none named\)/
  )
})

test('in a folder they are passed over; nothing but them is refused', async () => {
  const found = (bytes: Uint8Array, name: string) => ({ ...file(bytes, name), foundIn: 'folder' as const })
  const rest = others.filter(([name]) => name !== 'trace.json of the profiler').map(([name, bytes]) => found(bytes, name))
  const { files, passedOver } = await readProfile([...rest, found(step(), 'step')])
  expect(files.map(({ name }) => name)).toEqual(['step'])
  expect(passedOver.map(({ name, what }) => [name, what])).toEqual(
    others.filter(([name]) => name !== 'trace.json of the profiler').map(([name, , what]) => [name, what])
  )
  expect(await failureOf(others.slice(0, 2).map(([name, bytes]) => found(bytes, name)))).toMatch(
    /^no traces in 2 files \(xplane\.pb is an XSpace/
  )
})
