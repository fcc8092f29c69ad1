/**
 * Completes the transfers of TensorFlow's timelines, of which the file has the times alone. What is received at a task is named by the inputs of
 * its operations (`w/read_S11`), where it comes from by the task that ran `w/read`; which of the times is whose follows from when it is first
 * needed. Sizes come from traces of the same job that record them, or from a table.
 */

import { EVENT_REASONS } from '../eventReasons.ts'
import { taskOf } from '../extract/devices.ts'
import { inputNode, parseOperationLabel, parseTransferLabel } from '../extract/labels.ts'
import { type RawRecord, type RawStep, TraceError } from '../rawStep.ts'
import { counted, short, some } from '../text.ts'

/** Bytes by name of a tensor or variable. */
export type SizeTable = ReadonlyMap<string, number>

/** What is known of tensors beside a step itself. */
interface Known {
  /** By name, from traces of the same job. */
  recorded: Map<string, number>
  /** Task that sends a tensor, from the same. */
  sources: Map<string, string>
  given: SizeTable
  /** Names of the table that were of use. */
  used: Set<string>
}

interface Executed {
  task: string
  device: string
  type: string
  inputs: string[]
  startUs: number
}

/** A tensor that operations of a task wait for. */
interface Awaited {
  tensor: string
  /** The number that tells several of one tensor apart. */
  number: number
  /** Start of the first operation that has it as input. */
  neededUs: number
  consumers: Executed[]
}

/** Receiving nodes: `X_S<n>`, from another task. */
const RECEIVED = /^(.+)_S(\d{1,9})$/s
/** `X_G<n>` and `X/_<n>`: from another device of the task. */
const LOCAL = /^(.+)(?:_G|\/_)\d{1,9}$/s
/** Operations that hand on the value of a variable. */
const READ = /^(?:Identity|ReadVariableOp|_?VarHandle\w*|Snapshot)$/
/** Operations that update all of a variable by a gradient of its size. */
const DENSE_UPDATE = /^(?:Resource)?(?:Apply|Assign(?:Add|Sub)?(?:VariableOp)?$)/

/**
 * Fills in tensor, size and peer of the transfers of timelines, in place. Transfers that nothing is known to wait for are taken out and counted.
 *
 * @param given sizes of tensors or variables, for those that no other trace records
 * @returns names of `given` that were of no use
 * @throws TraceError when the size or the sender of a tensor cannot be known: names the tensors and the remedy
 */
export function completeTransfers(steps: readonly RawStep[], given: SizeTable = new Map()): string[] {
  const bare = steps.filter(({ hasBareTransfers }) => hasBareTransfers)
  const known: Known = { recorded: new Map(), sources: new Map(), given, used: new Set() }
  if (bare.length > 0) for (const step of steps) if (!step.hasBareTransfers) noteRecorded(step, known)
  for (const step of bare) completeStep(step, known)
  return [...given.keys()].filter(name => !known.used.has(name))
}

function noteRecorded({ devices }: RawStep, { recorded, sources }: Known): void {
  for (const { records } of devices) {
    for (const { name, label, outputBytes } of records) {
      const transfer = name === 'RecvTensor' ? parseTransferLabel(label) : undefined
      if (transfer === undefined) continue
      const exact = outputBytes > 0 || (outputBytes === 0 && transfer.bytes === 0)
      recorded.set(transfer.tensor, exact ? outputBytes : transfer.bytes)
      sources.set(`${taskOf(transfer.destination)}\n${transfer.tensor}`, transfer.source)
    }
  }
}

function completeStep(step: RawStep, known: Known): void {
  const executed = new Map<string, Executed>()
  const receivedBy = new Map<string, Array<{ record: RawRecord; device: string }>>()
  for (const { device, records } of step.devices) {
    const task = taskOf(device)
    for (const record of records) {
      if (record.name === 'RecvTensor') {
        const list = receivedBy.get(task)
        if (list === undefined) receivedBy.set(task, [{ record, device }])
        else list.push({ record, device })
      } else if (task !== '') {
        executed.set(record.name, {
          task,
          device,
          startUs: record.startUs,
          ...parseOperationLabel(record.name, record.label)
        })
      }
    }
  }
  const awaited = awaitedBy(executed)
  const problems = new Problems(step)
  let unmatched = 0
  for (const [task, received] of receivedBy) {
    const others = [...new Set([...executed.values()].map(each => each.task))].filter(other => other !== task)
    for (const [{ record, device }, wanted] of match(received, awaited.get(task) ?? [])) {
      if (wanted === undefined) {
        record.label = DROPPED
        unmatched++
        continue
      }
      const { tensor, number } = wanted
      const bytes = bytesOf(wanted, executed, known)
      const source =
        executed.get(tensor)?.device ?? known.sources.get(`${task}\n${tensor}`) ?? (others.length === 1 ? others[0] : undefined)
      if (bytes === undefined) problems.sizeless.add(tensor)
      else if (source === undefined) problems.homeless.add(tensor)
      else {
        record.label = `[${bytes}B] edge_${number}_${tensor} from ${source} to ${device}`
        record.outputBytes = bytes
        step.matchedTransfers = (step.matchedTransfers ?? 0) + 1
      }
    }
  }
  problems.refuse([...receivedBy.values()].reduce((sum, list) => sum + list.length, 0))
  step.hasBareTransfers = false
  if (unmatched === 0) return
  for (const device of step.devices) device.records = device.records.filter(({ label }) => label !== DROPPED)
  step.ignored = { ...step.ignored, [EVENT_REASONS.unmatched]: unmatched }
}

/** No label of TensorFlow. */
const DROPPED = '\0'

class Problems {
  readonly sizeless = new Set<string>()
  /** Of no known sender. */
  readonly homeless = new Set<string>()
  constructor(private readonly step: RawStep) {}

  refuse(transfers: number): void {
    if (this.sizeless.size === 0 && this.homeless.size === 0) return
    const what =
      this.sizeless.size > 0
        ? `the size of ${counted(this.sizeless.size, 'tensor')} is not known: ${some([...this.sizeless])}`
        : `the sender of ${counted(this.homeless.size, 'tensor')} is not known: ${some([...this.homeless])}`
    throw new TraceError(
      `${short(this.step.trace)}: ${counted(transfers, 'transfer')} (RecvTensor) without tensor, size and peer, which TensorFlow leaves out of its timeline JSON; ${what}; give the RunMetadata that the timeline was made of (run_metadata.SerializeToString()), or that of another step beside the timeline${this.sizeless.size > 0 ? ', or the sizes: --sizes FILE.csv, columns tensor,bytes' : ''}`
    )
  }
}

/** What each task receives from others, as the inputs of its operations name it. */
function awaitedBy(executed: ReadonlyMap<string, Executed>): Map<string, Awaited[]> {
  const byTask = new Map<string, Map<string, Awaited>>()
  for (const operation of executed.values()) {
    for (const input of operation.inputs) {
      const match = RECEIVED.exec(withoutLocal(inputNode(input)))
      // An operation by that very name has received it already.
      if (match === null || executed.has(match[0])) continue
      const tensor = withoutLocal(match[1])
      if (executed.get(tensor)?.task === operation.task) continue
      let awaited = byTask.get(operation.task)
      if (awaited === undefined) {
        awaited = new Map()
        byTask.set(operation.task, awaited)
      }
      const known = awaited.get(match[0])
      if (known === undefined) {
        awaited.set(match[0], { tensor, number: Number(match[2]), neededUs: operation.startUs, consumers: [operation] })
      } else {
        known.neededUs = Math.min(known.neededUs, operation.startUs)
        known.consumers.push(operation)
      }
    }
  }
  return new Map([...byTask].map(([task, awaited]) => [task, [...awaited.values()]]))
}

function withoutLocal(name: string): string {
  let rest = name
  for (let match = LOCAL.exec(rest); match !== null; match = LOCAL.exec(rest)) rest = match[1]
  return rest
}

/**
 * Which received tensor is which: in the order of their ends, each is the one that is needed first of those not needed before it had come. If
 * any assignment fits, so does this one. Where clocks or lost records leave some over, they go by order.
 */
function match<R extends { record: RawRecord }>(received: readonly R[], awaited: readonly Awaited[]): Map<R, Awaited | undefined> {
  const byEnd = [...received].sort((a, b) => a.record.endUs - b.record.endUs)
  const byNeed = [...awaited].sort((a, b) => a.neededUs - b.neededUs)
  const matched = new Map<R, Awaited | undefined>()
  const skipped: Awaited[] = []
  let next = 0
  for (const one of byEnd) {
    while (next < byNeed.length && byNeed[next].neededUs < one.record.endUs) skipped.push(byNeed[next++])
    matched.set(one, next < byNeed.length ? byNeed[next++] : undefined)
  }
  for (const one of byEnd) if (matched.get(one) === undefined) matched.set(one, skipped.shift())
  return matched
}

/** The size of a tensor: recorded or given under its own name, else that of its variable; nothing at all where it only says that something is done. */
function bytesOf({ tensor, consumers }: Awaited, executed: ReadonlyMap<string, Executed>, known: Known): number | undefined {
  const own = lookUp(tensor, known)
  if (own !== undefined) return own
  for (const variable of variablesBehind(tensor, consumers, executed)) {
    const bytes = lookUp(variable, known)
    if (bytes !== undefined) return bytes
  }
  // A control edge between tasks arrives as an Identity of an empty constant (AddDummyConst and AddControlTrigger in graph_partition.cc).
  const isSignal = executed.get(tensor)?.type === 'NoOp' || executed.has(`${tensor}/ctrl`)
  return isSignal ? 0 : undefined
}

function lookUp(name: string, { recorded, given, used }: Known): number | undefined {
  const bytes = given.get(name)
  if (bytes !== undefined) used.add(name)
  return recorded.get(name) ?? bytes
}

/** Names under which the variable of a pulled value or of a pushed gradient may be known: itself, and what reads it. */
function variablesBehind(tensor: string, consumers: readonly Executed[], executed: ReadonlyMap<string, Executed>): string[] {
  const variables: string[] = []
  const sender = executed.get(tensor)
  if (sender !== undefined && READ.test(sender.type) && sender.inputs.length > 0) variables.push(inputNode(sender.inputs[0]))
  else if (tensor.endsWith('/read')) variables.push(tensor.slice(0, -'/read'.length))
  for (const { type, inputs } of consumers) if (DENSE_UPDATE.test(type) && inputs.length > 0) variables.push(inputNode(inputs[0]))
  return variables.flatMap(variable => [variable, `${variable}/read`, `${variable}/Read/ReadVariableOp`])
}
