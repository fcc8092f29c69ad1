/**
 * Decodes TensorFlow's RunMetadata: the fields that extraction needs, nothing else. Field numbers are those of
 * tensorflow/core/protobuf/config.proto (RunMetadata), core/framework/step_stats.proto (StepStats, DeviceStepStats, NodeExecStats,
 * NodeOutput), tensor_description.proto and allocation_description.proto; they have not changed between TensorFlow 1.4 and 2.21.
 */

import { type RawDevice, type RawNode, type RawRecord, type RawStep, TraceError } from '../rawStep.ts'
import { short } from '../text.ts'
import { readGraph } from './partitionGraph.ts'
import { lengthTag, shape, varintTag, type Wire } from './wire.ts'

const RUN_METADATA = shape('RunMetadata', [], [1, 2, 3, 4, 5])
const STEP_STATS = shape('StepStats', [], [1])
const DEVICE_STEP_STATS = shape('DeviceStepStats', [], [1, 2, 3])
const NODE_EXEC_STATS = shape('NodeExecStats', [2, 3, 4, 5, 9, 10, 13, 14, 15, 16, 17], [1, 6, 7, 8, 11, 12])
const NODE_OUTPUT = shape('NodeOutput', [1], [3])
const TENSOR_DESCRIPTION = shape('TensorDescription', [1], [2, 4])
const ALLOCATION_DESCRIPTION = shape('AllocationDescription', [1, 2, 4, 5, 6], [3])

/** How many records and nodes may still be read. Shared by the files of a run. */
export interface Budget {
  records: number
}

/**
 * The one step of a RunMetadata.
 *
 * @throws TraceError when the bytes are no RunMetadata, hold no step_stats, or more records than `budget` has left
 */
export function readRunMetadata(name: string, wire: Wire, budget: Budget): RawStep {
  const devices: RawDevice[] = []
  const nodes: RawNode[] = []
  const end = wire.length
  let hasStepStats = false
  while (wire.position < end) {
    const tag = wire.tag(end)
    switch (tag) {
      case lengthTag(1):
        hasStepStats = true
        readStepStats(name, wire, wire.end(end), devices, budget)
        break
      case lengthTag(3):
        readGraph(wire, wire.end(end), nodes, () => spend(name, budget))
        break
      default:
        wire.skip(tag, RUN_METADATA, end)
    }
  }
  if (!hasStepStats || devices.every(device => device.records.length === 0)) {
    throw new TraceError(
      `${short(name)}: RunMetadata with no step_stats${hasStepStats ? ' records' : ''}; run the step with RunOptions(trace_level=RunOptions.FULL_TRACE)`
    )
  }
  return { trace: name, devices, nodes }
}

/** @throws TraceError when nothing is left */
export function spend(name: string, budget: Budget): void {
  if (--budget.records < 0) {
    throw new TraceError(`${short(name)}: more records than the limit allows; give fewer steps, 20 are enough`)
  }
}

function readStepStats(name: string, wire: Wire, end: number, devices: RawDevice[], budget: Budget): void {
  while (wire.position < end) {
    const tag = wire.tag(end)
    if (tag === lengthTag(1)) devices.push(readDevice(name, wire, wire.end(end), budget))
    else wire.skip(tag, STEP_STATS, end)
  }
  wire.finish(STEP_STATS.message, end)
}

function readDevice(name: string, wire: Wire, end: number, budget: Budget): RawDevice {
  const at = wire.position
  const device: RawDevice = { device: '', records: [] }
  while (wire.position < end) {
    const tag = wire.tag(end)
    switch (tag) {
      case lengthTag(1):
        device.device = wire.string(end)
        break
      case lengthTag(2):
        spend(name, budget)
        device.records.push(readRecord(wire, wire.end(end)))
        break
      default:
        wire.skip(tag, DEVICE_STEP_STATS, end)
    }
  }
  wire.finish(DEVICE_STEP_STATS.message, end)
  // Every device name has a slash; a protobuf of another kind rarely has one here.
  if (!device.device.startsWith('/')) wire.fail(`a device named "${short(device.device)}"`, at)
  return device
}

function readRecord(wire: Wire, end: number): RawRecord {
  let name = ''
  let label = ''
  let allStartUs = 0
  let opStartRelUs = 0
  let opEndRelUs = 0
  let allEndRelUs = 0
  let scheduledUs = 0
  let allStartNs = 0
  let opStartRelNs = 0
  let opEndRelNs = 0
  let allEndRelNs = 0
  let scheduledNs = 0
  let outputBytes = -1
  while (wire.position < end) {
    const tag = wire.tag(end)
    switch (tag) {
      case lengthTag(1):
        name = wire.string(end)
        break
      case varintTag(2):
        allStartUs = wire.int64(end)
        break
      case varintTag(3):
        opStartRelUs = wire.int64(end)
        break
      case varintTag(4):
        opEndRelUs = wire.int64(end)
        break
      case varintTag(5):
        allEndRelUs = wire.int64(end)
        break
      case lengthTag(7): {
        const bytes = readOutput(wire, wire.end(end))
        if (bytes >= 0) outputBytes = Math.max(outputBytes, 0) + bytes
        break
      }
      case lengthTag(8):
        label = wire.string(end)
        break
      case varintTag(9):
        scheduledUs = wire.int64(end)
        break
      case varintTag(13):
        allStartNs = wire.int64(end)
        break
      case varintTag(14):
        opStartRelNs = wire.int64(end)
        break
      case varintTag(15):
        opEndRelNs = wire.int64(end)
        break
      case varintTag(16):
        allEndRelNs = wire.int64(end)
        break
      case varintTag(17):
        scheduledNs = wire.int64(end)
        break
      default:
        wire.skip(tag, NODE_EXEC_STATS, end)
    }
  }
  wire.finish(NODE_EXEC_STATS.message, end)
  // Absolute nanoseconds exceed 2^53 and come as doubles of 0.25 µs resolution, which is finer than the µs fields; sums of the two
  // kinds would mix roundings, so a record uses one kind throughout.
  const fine = allStartNs !== 0
  const startOfAllUs = fine ? allStartNs / 1000 : exact(allStartUs)
  const opEndUs = fine ? opEndRelNs / 1000 : exact(opEndRelUs)
  const allEndUs = fine ? allEndRelNs / 1000 : exact(allEndRelUs)
  return {
    name,
    label,
    scheduledUs: fine && scheduledNs !== 0 ? scheduledNs / 1000 : exact(scheduledUs),
    startUs: startOfAllUs + (fine ? opStartRelNs / 1000 : exact(opStartRelUs)),
    // Records that stop at the kernel's end leave all_end_rel at 0.
    endUs: startOfAllUs + (allEndUs === 0 ? opEndUs : allEndUs),
    outputBytes
  }
}

/** NaN for what a double cannot hold exactly: extraction drops and counts such records. */
function exact(value: number): number {
  return Number.isSafeInteger(value) ? value : Number.NaN
}

/** requested_bytes of output 0, -1 of others and where it is not recorded. */
function readOutput(wire: Wire, end: number): number {
  let slot = 0
  let bytes = -1
  while (wire.position < end) {
    const tag = wire.tag(end)
    if (tag === varintTag(1)) slot = wire.int64(end)
    else if (tag === lengthTag(3)) bytes = readTensorDescription(wire, wire.end(end))
    else wire.skip(tag, NODE_OUTPUT, end)
  }
  wire.finish(NODE_OUTPUT.message, end)
  return slot === 0 ? bytes : -1
}

function readTensorDescription(wire: Wire, end: number): number {
  let bytes = -1
  while (wire.position < end) {
    const tag = wire.tag(end)
    if (tag === lengthTag(4)) bytes = readAllocation(wire, wire.end(end))
    else wire.skip(tag, TENSOR_DESCRIPTION, end)
  }
  wire.finish(TENSOR_DESCRIPTION.message, end)
  return bytes
}

function readAllocation(wire: Wire, end: number): number {
  let bytes = 0
  while (wire.position < end) {
    const tag = wire.tag(end)
    if (tag === varintTag(1)) bytes = wire.int64(end)
    else wire.skip(tag, ALLOCATION_DESCRIPTION, end)
  }
  wire.finish(ALLOCATION_DESCRIPTION.message, end)
  return Number.isSafeInteger(bytes) ? bytes : -1
}
