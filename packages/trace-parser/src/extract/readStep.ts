import { PROFILE_LIMITS } from '../limits.ts'
import type { RawRecord, RawStep } from '../rawStep.ts'
import { type Device, parseDevice, taskOf } from './devices.ts'
import { parseTransferLabel, type TransferLabel } from './labels.ts'
import { REASONS, type Tally } from './tally.ts'

/** The executions of one node in one step. Times are absolute µs of the task's own clock. */
interface ExecutedNode {
  task: string
  name: string
  label: string
  scheduledUs: number
  startUs: number
  endUs: number
  /** Sum over executions (loops), or over a GPU operation's kernels. */
  durationUs: number
  executions: number
  /** Records that went into it. */
  records: number
}

/** One RecvTensor record. */
export interface RecordedTransfer extends TransferLabel {
  /** A mixed-clock value: the sender's, clamped into the receiver's (grpc_remote_worker.cc). */
  startUs: number
  /** Receiver's clock. */
  endUs: number
}

/** Records of one step, by node, before it is known which operations all steps share. */
export interface StepTable {
  trace: string
  raw: RawStep
  /** By `operationKey`. */
  nodes: Map<string, ExecutedNode>
  transfers: RecordedTransfer[]
  /** Executed nodes whose times are unusable: they still say how the graph hangs together. By `operationKey`, with the label. */
  timeless: Map<string, string>
  /** First start and last end of all valid records of a task, on its own clock. */
  firstUs: Map<string, number>
  lastUs: Map<string, number>
  kernels: Map<string, Kernel>
  /** Valid records, anchors and lanes included; those of `nodes`, `kernels` and `transfers` are not yet accounted for. */
  pending: number
}

interface Kernel {
  task: string
  startUs: number
  endUs: number
  durationUs: number
  records: number
}

/** A record farther from the middle of its task's step is a broken time (tensorpack/tensorpack#819), not a long step. */
const OUTLIER_US = 3_600_000_000
/** Unless the middle half of the records is as far apart by the tenth part: then all are, and the unit is mistaken. */
const OUTLIER_SPREADS = 10

/** Where the records of a clock lie, µs. */
interface Middle {
  us: number
  /** Farther away is broken. */
  reachUs: number
}

export function operationKey(task: string, name: string): string {
  return `${task}\n${name}`
}

/** Sorts one step's records by node and transfer; unusable ones go to the tally. */
export function readStep(raw: RawStep, tally: Tally, devices: Map<string, Device | undefined>): StepTable {
  const table: StepTable = {
    trace: raw.trace,
    raw,
    nodes: new Map(),
    transfers: [],
    timeless: new Map(),
    firstUs: new Map(),
    lastUs: new Map(),
    kernels: new Map(),
    pending: 0
  }
  for (const [reason, count] of Object.entries(raw.ignored ?? {})) {
    tally.records += count
    tally.ignore(reason, count)
  }
  const middles = middlesOf(raw, devices)
  const seenTransfers = new Set<string>()
  const withAllStreams = gpusWithAllStreams(raw, devices)
  for (const { device: deviceName, records } of raw.devices) {
    const device = lookUp(deviceName, devices)
    tally.records += records.length
    if (device === undefined || (device.task === '' && device.lane === 'host')) {
      tally.ignore(REASONS.noTask, records.length)
    } else if (device.lane === 'memcpy' || (device.lane === 'stream' && withAllStreams.has(gpuOf(device)))) {
      tally.ignore(REASONS.copies, records.length)
    } else {
      const middle = middles.get(clockOf(device)) ?? { us: 0, reachUs: OUTLIER_US }
      for (const record of records) readRecord(record, device, middle, table, tally, seenTransfers)
    }
  }
  return table
}

/** Whether time passes between the first start and the last end on some clock. Without it there is nothing to replay. */
export function lastsSomeTime({ firstUs, lastUs }: StepTable): boolean {
  return [...firstUs].some(([task, first]) => (lastUs.get(task) ?? first) > first)
}

/** Devices of a step read once by name: there are few names and many steps. */
export function lookUp(name: string, devices: Map<string, Device | undefined>): Device | undefined {
  if (!devices.has(name)) devices.set(name, parseDevice(name))
  return devices.get(name)
}

/** A lane's GPU: "/job:worker/…/device:GPU:0" of ".../device:GPU:0/stream:7". */
function gpuOf({ canonical }: Device): string {
  return canonical.slice(0, canonical.lastIndexOf('/'))
}

/** GPUs with a lane of all kernels: their single streams repeat it. */
function gpusWithAllStreams(raw: RawStep, devices: Map<string, Device | undefined>): Set<string> {
  const gpus = new Set<string>()
  for (const { device: name } of raw.devices) {
    const device = lookUp(name, devices)
    if (device?.lane === 'kernels') gpus.add(gpuOf(device))
  }
  return gpus
}

/** Kernels of a GPU may be on a clock of their own (tensorflow/tensorflow#72156). */
function clockOf(device: Device): string {
  return device.lane === 'host' ? device.task : gpuOf(device)
}

/** By the starts of each clock's records: their median, and the reach that their quartiles allow. */
function middlesOf(raw: RawStep, devices: Map<string, Device | undefined>): Map<string, Middle> {
  const starts = new Map<string, number[]>()
  for (const { device: name, records } of raw.devices) {
    const device = lookUp(name, devices)
    if (device === undefined) continue
    const clock = clockOf(device)
    let list = starts.get(clock)
    if (list === undefined) {
      list = []
      starts.set(clock, list)
    }
    for (const { startUs } of records) if (startUs > 0) list.push(startUs)
  }
  const middles = new Map<string, Middle>()
  for (const [clock, list] of starts) {
    if (list.length === 0) continue
    const sorted = Float64Array.from(list).sort()
    const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]
    const spreadUs = at(3 / 4) - at(1 / 4)
    middles.set(clock, { us: sorted[sorted.length >> 1], reachUs: Math.max(OUTLIER_US, OUTLIER_SPREADS * spreadUs) })
  }
  return middles
}

function faultOf(record: RawRecord, { us: middleUs, reachUs }: Middle): string | undefined {
  const { startUs, endUs } = record
  if (!Number.isFinite(startUs) || !Number.isFinite(endUs) || !Number.isFinite(record.scheduledUs)) return REASONS.outOfRange
  if (startUs <= 0) return REASONS.noStart
  if (endUs < startUs) return REASONS.negative
  if (Math.abs(startUs - middleUs) > reachUs || endUs - middleUs > reachUs) return REASONS.clockOutlier
  return undefined
}

function readRecord(
  record: RawRecord,
  device: Device,
  middle: Middle,
  table: StepTable,
  tally: Tally,
  seenTransfers: Set<string>
): void {
  const fault = faultOf(record, middle)
  if (fault !== undefined) {
    tally.ignore(fault)
    if (record.name !== 'RecvTensor' && device.lane === 'host')
      table.timeless.set(operationKey(device.task, record.name), record.label)
    return
  }
  if (device.lane !== 'host') {
    readKernel(record, device, table)
    return
  }
  if (record.name === 'RecvTensor') {
    readTransfer(record, table, tally, seenTransfers)
    return
  }
  widen(table, device.task, record.startUs, record.endUs)
  // _SOURCE and _SINK frame a partition: they tell when it began and do nothing.
  if (record.name === '_SOURCE' || record.name === '_SINK') tally.ignore(REASONS.anchor)
  else readExecution(record, device.task, table, tally)
}

function readExecution(record: RawRecord, task: string, table: StepTable, tally: Tally): void {
  const { name, label, startUs, endUs } = record
  const scheduledUs = record.scheduledUs > 0 ? Math.min(record.scheduledUs, startUs) : startUs
  const key = operationKey(task, name)
  const known = table.nodes.get(key)
  if (known === undefined) {
    table.nodes.set(key, { task, name, label, scheduledUs, startUs, endUs, durationUs: endUs - startUs, executions: 1, records: 1 })
  } else if (known.startUs === startUs && known.endUs === endUs && known.label === label) {
    tally.ignore(REASONS.duplicate)
    return
  } else {
    known.scheduledUs = Math.min(known.scheduledUs, scheduledUs)
    known.startUs = Math.min(known.startUs, startUs)
    known.endUs = Math.max(known.endUs, endUs)
    known.durationUs += endUs - startUs
    known.executions++
    known.records++
  }
  table.pending++
}

function readTransfer(record: RawRecord, table: StepTable, tally: Tally, seen: Set<string>): void {
  const label = parseTransferLabel(record.label)
  const source = label === undefined ? '' : taskOf(label.source)
  const destination = label === undefined ? '' : taskOf(label.destination)
  if (label === undefined || source === '' || destination === '') {
    tally.ignore(REASONS.unreadable)
    return
  }
  const identity = `${record.startUs} ${record.endUs} ${record.label}`
  if (seen.has(identity)) {
    tally.ignore(REASONS.duplicate)
    return
  }
  seen.add(identity)
  if (source === destination) {
    tally.ignore(REASONS.local)
    return
  }
  // requested_bytes is exact; zero beside a label that names a size is a field that was not filled in, and more than any tensor has is broken.
  const { outputBytes } = record
  const exact = outputBytes === 0 ? label.bytes === 0 : outputBytes > 0 && outputBytes <= PROFILE_LIMITS.bytes
  table.transfers.push({
    edge: label.edge,
    tensor: label.tensor,
    source,
    destination,
    bytes: exact ? outputBytes : label.bytes,
    rounded: !exact && label.rounded,
    startUs: record.startUs,
    endUs: record.endUs
  })
  table.pending++
  widen(table, destination, record.startUs, record.endUs)
}

/** Kernels are named "node:Type", and a node may launch several. */
function readKernel(record: RawRecord, device: Device, table: StepTable): void {
  const colon = record.name.lastIndexOf(':')
  const key = `${device.task}\n${colon > 0 ? record.name.slice(0, colon) : record.name}`
  const durationUs = record.endUs - record.startUs
  const known = table.kernels.get(key)
  if (known === undefined) {
    table.kernels.set(key, { task: device.task, startUs: record.startUs, endUs: record.endUs, durationUs, records: 1 })
  } else {
    known.startUs = Math.min(known.startUs, record.startUs)
    known.endUs = Math.max(known.endUs, record.endUs)
    known.durationUs += durationUs
    known.records++
  }
  table.pending++
}

function widen(table: StepTable, task: string, startUs: number, endUs: number): void {
  table.firstUs.set(task, Math.min(table.firstUs.get(task) ?? Number.POSITIVE_INFINITY, startUs))
  table.lastUs.set(task, Math.max(table.lastUs.get(task) ?? Number.NEGATIVE_INFINITY, endUs))
}

/**
 * Gives each operation of a GPU the time of its kernels: what the host records of it is only the launch. Kernels of a lane without
 * a task belong to the worker. Returns how many kernels are on a clock of their own and were left out.
 */
export function applyKernels(table: StepTable, worker: string, tally: Tally): number {
  let onOtherClock = 0
  for (const [key, kernel] of table.kernels) {
    const name = key.slice(key.indexOf('\n') + 1)
    const node = table.nodes.get(operationKey(kernel.task === '' ? worker : kernel.task, name))
    table.pending -= kernel.records
    if (node === undefined) tally.ignore(REASONS.kernel, kernel.records)
    else if (Math.abs(kernel.startUs - node.startUs) > OUTLIER_US) {
      tally.ignore(REASONS.gpuClock, kernel.records)
      onOtherClock += kernel.records
    } else {
      node.startUs = kernel.startUs
      node.endUs = Math.max(kernel.endUs, node.startUs)
      node.durationUs = kernel.durationUs
      node.records += kernel.records
      table.pending += kernel.records
      widen(table, node.task, node.startUs, node.endUs)
    }
  }
  return onOtherClock
}
