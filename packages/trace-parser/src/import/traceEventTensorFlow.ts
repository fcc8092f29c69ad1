import { EVENT_REASONS } from '../eventReasons.ts'
import { type RawDevice, type RawRecord, type RawStep, TraceError } from '../rawStep.ts'
import { counted, short, some } from '../text.ts'
import { type Budget, spend } from './budget.ts'
import { refusalOf, XSPACE_TRACE } from './sniff/others.ts'
import { type CompleteEvent, type EventReader, text } from './traceEvent.ts'

/** What timeline.py puts behind the name of a device. */
const COMPUTE = / Compute$/
/** What the profiler's trace viewer calls its processes: hosts, and devices without a task. */
const XSPACE_PROCESS = /^\/(?:host:|device:(?:CPU|GPU|TPU|CUSTOM):\d+(?: |$))/
const INPUT = 'input'
const NUMBERED_INPUT = /^input(\d{1,6})$/
/** Times of this many µs around 0 count from a start of their own, not from 1970; extraction takes 0 for "no start". */
const RELATIVE_US = 1e12

interface Recorded {
  process: string
  record: RawRecord
}

/**
 * A timeline of TensorFlow (python/client/timeline.py): operations with name, type and inputs, by device. It keeps the times of transfers, and
 * nothing else of them: timelineTransfers.ts completes them.
 */
export class TensorFlowTimeline {
  readonly format = 'TensorFlow timeline'
  private readonly records: Recorded[] = []
  private hasTransfers = false

  constructor(
    private readonly file: string,
    private readonly reader: EventReader,
    private readonly budget: Budget
  ) {}

  event({ name: eventName, startUs, endUs, process, args }: CompleteEvent): void {
    const name = text(args.name)
    if (name === '') {
      this.reader.ignore(EVENT_REASONS.unnamed)
      return
    }
    spend(this.file, this.budget)
    const isTransfer = name === 'RecvTensor'
    if (isTransfer) this.hasTransfers = true
    const label = isTransfer ? '' : `${name} = ${text(args.op) || eventName}(${inputsOf(args).join(', ')})`
    this.records.push({ process, record: { name, label, scheduledUs: 0, startUs, endUs, outputBytes: -1 } })
  }

  /** @throws TraceError when no process is a device */
  steps(): RawStep[] {
    const { file, reader } = this
    const devices = new Map<string, RawDevice>()
    let firstUs = Number.POSITIVE_INFINITY
    for (const { process, record } of this.records) {
      const device = (reader.processNames.get(process) ?? process).replace(COMPUTE, '')
      if (!device.startsWith('/')) {
        reader.ignore(EVENT_REASONS.notOfTheProcess)
        continue
      }
      const known = devices.get(device)
      if (known === undefined) devices.set(device, { device, records: [record] })
      else known.records.push(record)
      firstUs = Math.min(firstUs, record.startUs)
    }
    refuseOthers(file, reader, devices.size > 0)
    if (firstUs <= 0 && firstUs > -RELATIVE_US) {
      for (const { records } of devices.values()) {
        for (const record of records) {
          record.startUs += 1 - firstUs
          record.endUs += 1 - firstUs
        }
      }
    }
    return [
      {
        trace: file,
        devices: [...devices.values()],
        nodes: [],
        ignored: reader.ignored,
        ...(this.hasTransfers && { hasBareTransfers: true })
      }
    ]
  }
}

/** @throws TraceError for a timeline that is not of TensorFlow's timeline.py, as the names of its processes show */
export function refuseOthers(file: string, reader: EventReader, hasDevices: boolean): void {
  const names = [...reader.processNames.values()]
  if (names.some(name => XSPACE_PROCESS.test(name)) && !names.some(name => COMPUTE.test(name) || name.startsWith('/job:')))
    throw new TraceError(`${short(file)}: ${refusalOf(XSPACE_TRACE)}`)
  if (hasDevices) return
  throw new TraceError(
    `${short(file)}: this is a timeline (Chrome trace JSON) without operations of TensorFlow (${counted(reader.events, 'event')}; processes: ${some(names) || 'none named'}); processes are expected to be named as in "/job:worker/replica:0/task:0/device:CPU:0 Compute"`
  )
}

/** "input0", "input1", … in the order of their numbers. */
function inputsOf(args: Record<string, unknown>): string[] {
  const inputs: string[] = []
  let count = 0
  for (const key in args) if (key.startsWith(INPUT)) count++
  // They are numbered without gaps, as far as is known.
  for (let i = 0; i < count; i++) {
    const input = args[INPUT + i]
    if (typeof input !== 'string') return sparseInputsOf(args)
    inputs.push(input)
  }
  return inputs
}

function sparseInputsOf(args: Record<string, unknown>): string[] {
  const inputs: Array<[number, string]> = []
  for (const [key, value] of Object.entries(args)) {
    const match = NUMBERED_INPUT.exec(key)
    if (match !== null && typeof value === 'string') inputs.push([Number(match[1]), value])
  }
  return inputs.sort(([a], [b]) => a - b).map(([, name]) => name)
}
