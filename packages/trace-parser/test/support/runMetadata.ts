/**
 * Writes small RunMetadata protobufs field by field (numbers of step_stats.proto and graph.proto), so that each defect of a trace is a few
 * lines of a test.
 */

import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import type { TraceFile } from '../../src/index.ts'

export const WORKER = '/job:worker/replica:0/task:0/device:CPU:0'
export const SERVER = '/job:ps/replica:0/task:0/device:CPU:0'
export const SERVER_1 = '/job:ps/replica:0/task:1/device:CPU:0'

/** Absolute µs of the fixtures' first step. */
export const ORIGIN_US = 1_796_015_160_000_000

export interface RecordFixture {
  name: string
  label?: string
  /** µs after the origin. */
  start?: number
  duration?: number
  /** Before the start; default: at the start. */
  scheduled?: number
  bytes?: number
  /** Values as they go to the wire instead of those derived from `start` and `duration`. */
  raw?: { allStart?: number | bigint; allEndRel?: number | bigint; opEndRel?: number; allStartNs?: bigint; allEndRelNs?: number }
}

export interface DeviceFixture {
  device: string
  records: RecordFixture[]
}

export interface NodeFixture {
  name: string
  op: string
  device: string
  inputs?: string[]
  tensor?: string
  from?: string
  to?: string
  clientTerminated?: boolean
}

/** An executed operation: "name = Type(inputs)". */
export function ran(
  name: string,
  type: string,
  inputs: string[],
  start: number,
  duration: number,
  more: Partial<RecordFixture> = {}
): RecordFixture {
  return { name, label: `${name} = ${type}(${inputs.join(', ')})`, start, duration, ...more }
}

/** A RecvTensor as TensorFlow 1.15 and later log it. */
export function received(
  tensor: string,
  from: string,
  to: string,
  start: number,
  duration: number,
  bytes: number,
  more: Partial<RecordFixture> = {}
): RecordFixture {
  const size = bytes < 104858 ? `${bytes}B` : `${(bytes / 1048576).toFixed(1)}MB`
  return { name: 'RecvTensor', label: `[${size}] [1.000000Mb/s] ${tensor} from ${from} to ${to}`, start, duration, bytes, ...more }
}

/** The bytes of a RunMetadata. */
export function encode(devices: DeviceFixture[], nodes: NodeFixture[] = [], originUs = ORIGIN_US): Uint8Array {
  const writer = new BinaryWriter()
  writer.tag(1, WireType.LengthDelimited).fork()
  for (const { device, records } of devices) {
    writer.tag(1, WireType.LengthDelimited).fork()
    writer.tag(1, WireType.LengthDelimited).string(device)
    for (const record of records) {
      writer.tag(2, WireType.LengthDelimited).fork()
      encodeRecord(writer, record, originUs)
      writer.join()
    }
    writer.join()
  }
  writer.join()
  if (nodes.length > 0) {
    writer.tag(3, WireType.LengthDelimited).fork()
    for (const node of nodes) {
      writer.tag(1, WireType.LengthDelimited).fork()
      encodeNode(writer, node)
      writer.join()
    }
    writer.join()
  }
  return writer.finish()
}

function encodeRecord(writer: BinaryWriter, record: RecordFixture, originUs: number): void {
  const { name, label, start = 0, duration = 0, scheduled = start, bytes, raw = {} } = record
  writer.tag(1, WireType.LengthDelimited).string(name)
  writer.tag(2, WireType.Varint).int64(raw.allStart ?? originUs + start)
  writer.tag(4, WireType.Varint).int64(raw.opEndRel ?? duration)
  writer.tag(5, WireType.Varint).int64(raw.allEndRel ?? duration)
  if (bytes !== undefined) {
    writer.tag(7, WireType.LengthDelimited).fork()
    writer.tag(3, WireType.LengthDelimited).fork()
    writer.tag(1, WireType.Varint).int32(1)
    writer.tag(4, WireType.LengthDelimited).fork()
    writer.tag(1, WireType.Varint).int64(bytes)
    writer.tag(3, WireType.LengthDelimited).string('cpu')
    writer.join().join().join()
  }
  if (label !== undefined) writer.tag(8, WireType.LengthDelimited).string(label)
  if (name !== 'RecvTensor') writer.tag(9, WireType.Varint).int64(originUs + scheduled)
  if (raw.allStartNs !== undefined) writer.tag(13, WireType.Varint).int64(raw.allStartNs)
  if (raw.allEndRelNs !== undefined) writer.tag(16, WireType.Varint).int64(raw.allEndRelNs)
}

function encodeNode(
  writer: BinaryWriter,
  { name, op, device, inputs = [], tensor, from, to, clientTerminated }: NodeFixture
): void {
  writer.tag(1, WireType.LengthDelimited).string(name)
  writer.tag(2, WireType.LengthDelimited).string(op)
  for (const input of inputs) writer.tag(3, WireType.LengthDelimited).string(input)
  writer.tag(4, WireType.LengthDelimited).string(device)
  for (const [key, value] of [
    ['tensor_name', tensor],
    ['send_device', from],
    ['recv_device', to]
  ] as const) {
    if (value === undefined) continue
    writer.tag(5, WireType.LengthDelimited).fork()
    writer.tag(1, WireType.LengthDelimited).string(key)
    writer.tag(2, WireType.LengthDelimited).fork().tag(2, WireType.LengthDelimited).string(value).join()
    writer.join()
  }
  if (clientTerminated === true) {
    writer.tag(5, WireType.LengthDelimited).fork()
    writer.tag(1, WireType.LengthDelimited).string('client_terminated')
    writer.tag(2, WireType.LengthDelimited).fork().tag(5, WireType.Varint).bool(true).join()
    writer.join()
  }
}

/** Bytes as a file, in chunks of `chunkBytes`. */
export function file(bytes: Uint8Array, name = 'step.pb', chunkBytes = 65_536): TraceFile {
  return { name, bytes: chunks(bytes, chunkBytes) }
}

async function* chunks(bytes: Uint8Array, chunkBytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
}

export interface StepFixture {
  /** Added to all server times: how far the servers' clocks are ahead. */
  skew?: number
  worker?: string
  server?: string
  /** Changes the records of a device before they are written. */
  edit?(records: RecordFixture[], device: string): RecordFixture[]
  nodes?: NodeFixture[]
  extra?: DeviceFixture[]
  originUs?: number
  /** First edge number: it may differ from step to step. */
  firstEdge?: number
}

/**
 * A step of two layers on one worker and one server, µs:
 *
 *     server   a, b (variables) a/read 10–12  b/read 12–14            update_a 560–565  update_b 660–670
 *     pull     a/read 14–100   b/read 15–200
 *     compute  one(a) 100–300          two(one, b) 300–400   grad_a(two) 400–450  grad_b(grad_a) 450–500
 *     push                                                   grad_a 450–560  grad_b 500–660
 *
 * The records stand in two entries a device, as TensorFlow writes them: transfers first, executed operations after.
 */
export function stepDevices(fixture: StepFixture = {}): DeviceFixture[] {
  const { skew = 0, worker = WORKER, server = SERVER, edit = records => records, firstEdge = 10 } = fixture
  // A RecvTensor's start is the later of the request, on the receiver's clock, and the sending, on the sender's (grpc_remote_worker.cc).
  const clamped = (record: RecordFixture, request: number, sending: number, receiver: number): RecordFixture => {
    const end = (record.start ?? 0) + (record.duration ?? 0) + receiver
    const start = Math.min(Math.max(request, sending), end - 1)
    return { ...record, start, duration: end - start }
  }
  const pull = (record: RecordFixture) => clamped(record, 5, (record.start ?? 0) + skew, 0)
  const push = (record: RecordFixture) => clamped(record, 5 + skew, record.start ?? 0, skew)
  const late = (record: RecordFixture): RecordFixture => ({
    ...record,
    start: (record.start ?? 0) + skew,
    scheduled: (record.scheduled ?? record.start ?? 0) + skew
  })
  const pulls = [
    received(`edge_${firstEdge}_a/read`, server, worker, 14, 86, 4000),
    received(`edge_${firstEdge + 1}_b/read`, server, worker, 15, 185, 8_000_000)
  ]
  const computes = [
    ran('_SOURCE', 'NoOp', [], 0, 1),
    ran('one', 'Conv2D', ['a/read_S1'], 100, 200),
    ran('two', 'MatMul', ['one', 'b/read_S3'], 300, 100),
    ran('grad_a', 'Grad', ['two:1'], 400, 50),
    ran('grad_b', 'Grad', ['two', '^grad_a'], 450, 50)
  ]
  const pushes = [
    received(`edge_${firstEdge + 2}_grad_a`, worker, server, 450, 110, 4000),
    received(`edge_${firstEdge + 3}_grad_b`, worker, server, 500, 160, 8_000_000)
  ]
  const updates = [
    ran('_SOURCE', 'NoOp', [], 5, 1),
    ran('a', 'VariableV2', [], 8, 1),
    ran('b', 'VariableV2', [], 9, 1),
    ran('rate', 'Const', [], 9, 1),
    ran('a/read', 'Identity', ['a'], 10, 2),
    ran('b/read', 'Identity', ['b'], 12, 2),
    ran('update_a', 'ApplyGradientDescent', ['a', 'rate', 'grad_a_S5'], 560, 5),
    ran('update_b', 'ApplyGradientDescent', ['b', 'rate', 'grad_b_S7'], 660, 10)
  ]
  return [
    { device: worker, records: edit(pulls.map(pull), worker) },
    { device: server, records: edit(pushes.map(push), server) },
    { device: worker, records: edit(computes, worker) },
    { device: server, records: edit(updates.map(late), server) },
    ...(fixture.extra ?? [])
  ]
}

/** The same as a RunMetadata. */
export function step(fixture: StepFixture = {}): Uint8Array {
  return encode(stepDevices(fixture), fixture.nodes, fixture.originUs)
}

/** The same step `count` times, a second apart. */
export function steps(count: number, fixture: (index: number) => StepFixture = () => ({})): TraceFile[] {
  return Array.from({ length: count }, (_, i) => file(step({ originUs: ORIGIN_US + i * 1_000_000, ...fixture(i) }), `step_${i}.pb`))
}
