/**
 * Reads a RunMetadata, or the StepStats of one, in protobuf's text format (`str(run_metadata)`, `text_format.MessageToString`, `.pbtxt`). The
 * fields are those of the binary importer (runMetadata.ts); all others are passed over.
 */

import type { RawDevice, RawNode, RawStep } from '../rawStep.ts'
import { short } from '../text.ts'
import { type Budget, refuseEmptyStep, spend } from './budget.ts'
import { addOutput, bytesOfOutput, emptyStats, type NodeStats, recordOf } from './nodeStats.ts'
import { TextFormat } from './textFormat.ts'

type Scope =
  | 'RunMetadata'
  | 'StepStats'
  | 'DeviceStepStats'
  | 'NodeExecStats'
  | 'NodeOutput'
  | 'TensorDescription'
  | 'AllocationDescription'
  | 'GraphDef'
  | 'NodeDef'
  | 'AttrEntry'
  | 'AttrValue'
  | 'other'

/** Which message a field of a message is; fields that are not here are of no use. */
const MESSAGES: Partial<Record<Scope, ReadonlyMap<string, Scope>>> = {
  RunMetadata: new Map([
    ['step_stats', 'StepStats'],
    ['partition_graphs', 'GraphDef']
  ]),
  StepStats: new Map([['dev_stats', 'DeviceStepStats']]),
  DeviceStepStats: new Map([['node_stats', 'NodeExecStats']]),
  NodeExecStats: new Map([['output', 'NodeOutput']]),
  NodeOutput: new Map([['tensor_description', 'TensorDescription']]),
  TensorDescription: new Map([['allocation_description', 'AllocationDescription']]),
  GraphDef: new Map([['node', 'NodeDef']]),
  NodeDef: new Map([['attr', 'AttrEntry']]),
  AttrEntry: new Map([['value', 'AttrValue']])
}

/** Fields of a NodeExecStats that are whole numbers. */
const NUMBERS: ReadonlyMap<string, Exclude<keyof NodeStats, 'name' | 'label' | 'outputBytes'>> = new Map([
  ['all_start_micros', 'allStartUs'],
  ['op_start_rel_micros', 'opStartRelUs'],
  ['op_end_rel_micros', 'opEndRelUs'],
  ['all_end_rel_micros', 'allEndRelUs'],
  ['scheduled_micros', 'scheduledUs'],
  ['all_start_nanos', 'allStartNs'],
  ['op_start_rel_nanos', 'opStartRelNs'],
  ['op_end_rel_nanos', 'opEndRelNs'],
  ['all_end_rel_nanos', 'allEndRelNs'],
  ['scheduled_nanos', 'scheduledNs']
])

const WANTED: Partial<Record<Scope, ReadonlySet<string>>> = {
  DeviceStepStats: new Set(['device']),
  NodeExecStats: new Set(['node_name', 'timeline_label', ...NUMBERS.keys()]),
  NodeOutput: new Set(['slot']),
  AllocationDescription: new Set(['requested_bytes']),
  NodeDef: new Set(['name', 'op', 'input', 'device']),
  AttrEntry: new Set(['key']),
  AttrValue: new Set(['s', 'b'])
}

const ATTRIBUTES = new Map<string, 'tensorName' | 'sendDevice' | 'recvDevice' | 'clientTerminated'>([
  ['tensor_name', 'tensorName'],
  ['send_device', 'sendDevice'],
  ['recv_device', 'recvDevice'],
  ['client_terminated', 'clientTerminated']
])

/** Fields by which a StepStats and a RunMetadata begin. */
const ROOTS = new Map<string, Scope>([
  ['dev_stats', 'StepStats'],
  ...['step_stats', 'cost_graph', 'partition_graphs', 'function_graphs', 'session_metadata'].map((field): [string, Scope] => [
    field,
    'RunMetadata'
  ])
])

class StepBuilder {
  readonly step: RawStep
  hasStepStats = false
  readonly text: TextFormat
  /** The messages that are open; the root's kind is known by its first field. */
  private readonly scopes: Scope[] = []
  private device: RawDevice = { device: '', records: [] }
  private deviceOffset = 0
  private stats: NodeStats = emptyStats()
  private slot = 0
  private outputBytes = -1
  private node: RawNode = emptyNode()
  private attribute = ''

  constructor(
    private readonly file: string,
    private readonly budget: Budget
  ) {
    this.step = { trace: file, devices: [], nodes: [] }
    this.text = new TextFormat(file, {
      open: (field, offset) => this.open(field, offset),
      close: () => this.close(),
      scalar: (field, value, offset) => this.scalar(field, value, offset),
      wants: field => WANTED[this.scope()]?.has(field) ?? false
    })
  }

  private scope(): Scope {
    return this.scopes.at(-1) ?? 'other'
  }

  private open(field: string, offset: number): void {
    if (this.scopes.length === 0) {
      const root = ROOTS.get(field)
      if (root === undefined) this.text.fail(`field "${short(field)}", which neither has`, offset)
      this.scopes.push(root)
    }
    const scope = MESSAGES[this.scope()]?.get(field) ?? 'other'
    this.scopes.push(scope)
    if (scope === 'StepStats') this.hasStepStats = true
    else if (scope === 'DeviceStepStats') {
      this.hasStepStats = true
      this.device = { device: '', records: [] }
      this.deviceOffset = offset
    } else if (scope === 'NodeExecStats') {
      spend(this.file, this.budget)
      this.stats = emptyStats()
    } else if (scope === 'NodeOutput') {
      this.slot = 0
      this.outputBytes = -1
    } else if (scope === 'AllocationDescription') this.outputBytes = 0
    else if (scope === 'NodeDef') {
      spend(this.file, this.budget)
      this.node = emptyNode()
    } else if (scope === 'AttrEntry') this.attribute = ''
  }

  private close(): void {
    const scope = this.scopes.pop()
    if (scope === 'DeviceStepStats') {
      if (!this.device.device.startsWith('/')) this.text.fail(`a device named "${short(this.device.device)}"`, this.deviceOffset)
      // It costs memory as a record does.
      if (this.device.records.length === 0) spend(this.file, this.budget)
      this.step.devices.push(this.device)
    } else if (scope === 'NodeExecStats') this.device.records.push(recordOf(this.stats))
    else if (scope === 'NodeOutput') addOutput(this.stats, bytesOfOutput(this.slot, this.outputBytes))
    else if (scope === 'NodeDef') this.step.nodes.push(this.node)
  }

  private scalar(field: string, value: string, offset: number): void {
    switch (this.scope()) {
      case 'DeviceStepStats':
        this.device.device = value
        break
      case 'NodeExecStats':
        if (field === 'node_name') this.stats.name = value
        else if (field === 'timeline_label') this.stats.label = value
        else this.stats[NUMBERS.get(field)!] = this.whole(field, value, offset)
        break
      case 'NodeOutput':
        this.slot = this.whole(field, value, offset)
        break
      case 'AllocationDescription':
        this.outputBytes = this.whole(field, value, offset)
        break
      case 'NodeDef':
        if (field === 'input') this.node.inputs.push(value)
        else this.node[field as 'name' | 'op' | 'device'] = value
        break
      case 'AttrEntry':
        this.attribute = value
        break
      case 'AttrValue':
        this.takeAttribute(field, value)
        break
    }
  }

  private takeAttribute(field: string, value: string): void {
    const attribute = ATTRIBUTES.get(this.attribute)
    if (attribute === 'clientTerminated') {
      if (field === 'b') this.node.clientTerminated = value === 'true' || value === 't' || value === '1'
    } else if (attribute !== undefined && field === 's') this.node[attribute] = value
  }

  /** A whole number, decimal, hexadecimal or octal; beyond 2^53 the nearest double. */
  private whole(field: string, value: string, offset: number): number {
    const [sign, digits] = value.startsWith('-') ? [-1, value.slice(1)] : [1, value]
    if (/^0[xX][0-9a-fA-F]{1,16}$/.test(digits)) return sign * Number(digits)
    if (/^0[0-7]{1,22}$/.test(digits)) return sign * Number.parseInt(digits, 8)
    if (/^\d{1,20}$/.test(digits)) return sign * Number(digits)
    return this.text.fail(`${field} of "${short(value)}" instead of a whole number`, offset)
  }
}

function emptyNode(): RawNode {
  return { name: '', op: '', device: '', inputs: [], tensorName: '', sendDevice: '', recvDevice: '', clientTerminated: false }
}

/**
 * The one step of a text.
 *
 * @throws TraceError when it is no such message, is cut off, holds no step_stats, or more records than `budget` has left
 */
export async function readRunMetadataText(file: string, bytes: AsyncIterable<Uint8Array>, budget: Budget): Promise<RawStep> {
  const builder = new StepBuilder(file, budget)
  for await (const chunk of bytes) builder.text.push(chunk)
  builder.text.end()
  refuseEmptyStep(builder.step, builder.hasStepStats)
  return builder.step
}
