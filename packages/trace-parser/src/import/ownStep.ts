/**
 * A step of a timeline that foretrain wrote, as TensorFlow would have recorded it: operations and RecvTensor records by device, and a partition
 * graph from which extraction gets the dependencies as they were.
 */

import type { OperationKind } from '../profile.ts'
import type { RawDevice, RawNode, RawRecord, RawStep } from '../rawStep.ts'

export const OWN_KINDS: readonly OperationKind[] = ['compute', 'update', 'pull', 'push']

export interface OwnOperation {
  kind: OperationKind
  name: string
  type: string
  server: number
  /** Numbers of operations. */
  dependencies: number[]
  /** Of a transfer. */
  bytes: number
  /** Of a transfer: when it was ready and when it was complete. µs since the run began. */
  startUs: number
  endUs: number
}

export interface OwnStep {
  worker: number
  step: number
  /** NaN when the file does not say it. */
  startUs: number
  /** By number. */
  operations: Map<number, OwnOperation>
}

/** Simulated time begins at 0, which in a record means "no start". */
const ORIGIN_US = 1_000_000

/** @param withGraph one step's graph serves all steps */
export function rawStepOf(trace: string, step: OwnStep, withGraph: boolean): RawStep {
  const worker = `/job:worker/replica:0/task:${step.worker}/device:CPU:0`
  const server = (index: number) => `/job:ps/replica:0/task:${index}/device:CPU:0`
  const devices = new Map<string, RawDevice>()
  const add = (device: string, record: RawRecord) => {
    const known = devices.get(device)
    if (known === undefined) devices.set(device, { device, records: [record] })
    else known.records.push(record)
  }
  if (!Number.isNaN(step.startUs)) {
    // The anchor says when the step began; the first operation may be released later.
    add(worker, recordOf('_SOURCE', '', step.startUs, step.startUs))
  }
  const operations = [...step.operations].sort(([a], [b]) => a - b)
  for (const [id, { kind, name, server: index, bytes, startUs, endUs }] of operations) {
    if (kind === 'compute') add(worker, recordOf(name, '', startUs, endUs))
    else if (kind === 'update') add(server(index), recordOf(name, '', startUs, endUs))
    else {
      const [source, destination] = kind === 'pull' ? [server(index), worker] : [worker, server(index)]
      const label = `[${bytes}B] ${edgeOf(id, name)} from ${source} to ${destination}`
      add(destination, { ...recordOf('RecvTensor', label, startUs, endUs), outputBytes: bytes })
    }
  }
  const nodes = withGraph ? graphOf(step.operations, worker, server) : []
  return { trace, devices: [...devices.values()], nodes, isGraphExact: true }
}

function recordOf(name: string, label: string, startUs: number, endUs: number): RawRecord {
  return { name, label, scheduledUs: 0, startUs: ORIGIN_US + startUs, endUs: ORIGIN_US + endUs, outputBytes: -1 }
}

/** Several transfers of one tensor are told apart by their number. */
function edgeOf(id: number, name: string): string {
  return `edge_${id}_${name}`
}

function graphOf(operations: ReadonlyMap<number, OwnOperation>, worker: string, server: (index: number) => string): RawNode[] {
  const nodes: RawNode[] = []
  /** Where the result of an operation is at hand, and under which name. */
  const results = new Map<number, { device: string; node: string }>()
  for (const [id, { kind, name, server: index }] of operations) {
    if (kind === 'compute') results.set(id, { device: worker, node: name })
    else if (kind === 'update') results.set(id, { device: server(index), node: name })
    else results.set(id, { device: kind === 'pull' ? worker : server(index), node: `_recv/${id}` })
  }
  const bridges = new Map<string, string>()
  /** A result on another host without a transfer that is modelled: two nodes that meet and carry nothing. */
  const bridge = (id: number, to: string): string => {
    const { device, node } = results.get(id)!
    const known = bridges.get(`${id} ${to}`)
    if (known !== undefined) return known
    const name = `_bridge/${bridges.size}`
    bridges.set(`${id} ${to}`, name)
    const meeting = { tensorName: name, sendDevice: device, recvDevice: to, clientTerminated: true }
    nodes.push({ name: `${name}/send`, op: '_Send', device, inputs: [node], ...meeting })
    nodes.push({ name, op: '_Recv', device: to, inputs: [], ...meeting })
    return name
  }
  const inputsAt = (device: string, dependencies: readonly number[]) =>
    dependencies.flatMap(id => {
      const result = results.get(id)
      if (result === undefined) return []
      return [result.device === device ? result.node : bridge(id, device)]
    })
  for (const [id, { kind, name, type, server: index, dependencies }] of operations) {
    const own = results.get(id)!
    if (kind === 'compute' || kind === 'update') {
      const inputs = inputsAt(own.device, dependencies)
      nodes.push({ name, op: type, device: own.device, inputs, ...noTransfer })
      continue
    }
    const source = kind === 'pull' ? server(index) : worker
    const meeting = { tensorName: edgeOf(id, name), sendDevice: source, recvDevice: own.device, clientTerminated: false }
    nodes.push({ name: `_send/${id}`, op: '_Send', device: source, inputs: inputsAt(source, dependencies), ...meeting })
    nodes.push({ name: own.node, op: '_Recv', device: own.device, inputs: [], ...meeting })
  }
  return nodes
}

const noTransfer = { tensorName: '', sendDevice: '', recvDevice: '', clientTerminated: false }
