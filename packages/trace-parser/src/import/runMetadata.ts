/**
 * Decodes TensorFlow's RunMetadata: the fields that extraction needs, nothing else. Field numbers are those of
 * tensorflow/core/protobuf/config.proto (RunMetadata), core/framework/step_stats.proto (StepStats, DeviceStepStats, NodeExecStats,
 * NodeOutput), tensor_description.proto and allocation_description.proto; they have not changed between TensorFlow 1.4 and 2.21.
 */

import type { RawDevice, RawRecord, RawStep } from '../rawStep.ts'
import { short } from '../text.ts'
import { type Budget, refuseEmptyStep, spend } from './budget.ts'
import { addOutput, bytesOfOutput, emptyStats, recordOf } from './nodeStats.ts'
import { readGraph } from './partitionGraph.ts'
import { lengthTag, shape, varintTag, type Wire } from './wire.ts'

const RUN_METADATA = shape('RunMetadata', [], [1, 2, 3, 4, 5])
const STEP_STATS = shape('StepStats', [], [1])
const DEVICE_STEP_STATS = shape('DeviceStepStats', [], [1, 2, 3])
const NODE_EXEC_STATS = shape('NodeExecStats', [2, 3, 4, 5, 9, 10, 13, 14, 15, 16, 17], [1, 6, 7, 8, 11, 12])
const NODE_OUTPUT = shape('NodeOutput', [1], [3])
const TENSOR_DESCRIPTION = shape('TensorDescription', [1], [2, 4])
const ALLOCATION_DESCRIPTION = shape('AllocationDescription', [1, 2, 4, 5, 6], [3])

/**
 * The one step of a RunMetadata, or of the StepStats in it where these stand alone.
 *
 * @throws TraceError when the bytes are no such message, hold no step_stats, or more records than `budget` has left
 */
export function readRunMetadata(name: string, wire: Wire, isStepStats: boolean, budget: Budget): RawStep {
  const step: RawStep = { trace: name, devices: [], nodes: [] }
  const end = wire.length
  if (isStepStats) {
    readStepStats(name, wire, end, step.devices, budget)
    refuseEmptyStep(step, true)
    return step
  }
  let hasStepStats = false
  while (wire.position < end) {
    const tag = wire.tag(end)
    switch (tag) {
      case lengthTag(1):
        hasStepStats = true
        readStepStats(name, wire, wire.end(end), step.devices, budget)
        break
      case lengthTag(3):
        readGraph(wire, wire.end(end), step.nodes, () => spend(name, budget))
        break
      default:
        wire.skip(tag, RUN_METADATA, end)
    }
  }
  refuseEmptyStep(step, hasStepStats)
  return step
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
  // It costs memory as a record does.
  if (device.records.length === 0) spend(name, budget)
  // Every device name has a slash; a protobuf of another kind rarely has one here.
  if (!device.device.startsWith('/')) wire.fail(`a device named "${short(device.device)}"`, at)
  return device
}

function readRecord(wire: Wire, end: number): RawRecord {
  const stats = emptyStats()
  while (wire.position < end) {
    const tag = wire.tag(end)
    switch (tag) {
      case lengthTag(1):
        stats.name = wire.string(end)
        break
      case varintTag(2):
        stats.allStartUs = wire.int64(end)
        break
      case varintTag(3):
        stats.opStartRelUs = wire.int64(end)
        break
      case varintTag(4):
        stats.opEndRelUs = wire.int64(end)
        break
      case varintTag(5):
        stats.allEndRelUs = wire.int64(end)
        break
      case lengthTag(7):
        addOutput(stats, readOutput(wire, wire.end(end)))
        break
      case lengthTag(8):
        stats.label = wire.string(end)
        break
      case varintTag(9):
        stats.scheduledUs = wire.int64(end)
        break
      case varintTag(13):
        stats.allStartNs = wire.int64(end)
        break
      case varintTag(14):
        stats.opStartRelNs = wire.int64(end)
        break
      case varintTag(15):
        stats.opEndRelNs = wire.int64(end)
        break
      case varintTag(16):
        stats.allEndRelNs = wire.int64(end)
        break
      case varintTag(17):
        stats.scheduledNs = wire.int64(end)
        break
      default:
        wire.skip(tag, NODE_EXEC_STATS, end)
    }
  }
  wire.finish(NODE_EXEC_STATS.message, end)
  return recordOf(stats)
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
  return bytesOfOutput(slot, bytes)
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
  return bytes
}
