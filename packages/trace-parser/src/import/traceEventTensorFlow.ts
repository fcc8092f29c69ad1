import { EVENT_REASONS } from '../eventReasons.ts'
import { type ImportedFile, type RawDevice, type RawRecord, TraceError } from '../rawStep.ts'
import { counted, short, some } from '../text.ts'
import { type Budget, spend } from './runMetadata.ts'
import { type CompleteEvent, type EventReader, text } from './traceEvent.ts'

/** What timeline.py puts behind the name of a device. */
const COMPUTE = / Compute$/
const INPUT = /^input(\d{1,6})$/
/** Times of this many µs around 0 count from a start of their own, not from 1970; extraction takes 0 for "no start". */
const RELATIVE_US = 1e12

interface Recorded {
  process: string
  record: RawRecord
}

/**
 * A timeline of TensorFlow (python/client/timeline.py): operations with name, type and inputs, by device. It keeps the times of transfers, and
 * nothing else of them.
 */
export class TensorFlowTimeline {
  readonly format = 'TensorFlow timeline'
  private readonly records: Recorded[] = []
  private transfers = 0

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
    if (name === 'RecvTensor') this.transfers++
    const type = text(args.op) || eventName
    this.records.push({
      process,
      record: { name, label: `${name} = ${type}(${inputsOf(args).join(', ')})`, scheduledUs: 0, startUs, endUs, outputBytes: -1 }
    })
  }

  /** @throws TraceError when no process is a device, or there are transfers, of which nothing but the time is known */
  steps(): ImportedFile['steps'] {
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
    if (devices.size === 0) {
      throw new TraceError(
        `${short(file)}: this is a timeline (Chrome trace JSON) without operations of TensorFlow (${counted(reader.events, 'event')}; processes: ${some([...reader.processNames.values()]) || 'none named'}); processes are expected to be named as in "/job:worker/replica:0/task:0/device:CPU:0 Compute"`
      )
    }
    if (this.transfers > 0) {
      throw new TraceError(
        `${short(file)}: ${counted(this.transfers, 'transfer')} (RecvTensor) without tensor, size and peer, which TensorFlow leaves out of its timeline JSON; give the RunMetadata that the timeline was made of (run_metadata.SerializeToString())`
      )
    }
    if (firstUs <= 0 && firstUs > -RELATIVE_US) {
      for (const { records } of devices.values()) {
        for (const record of records) {
          record.startUs += 1 - firstUs
          record.endUs += 1 - firstUs
        }
      }
    }
    return [{ trace: file, devices: [...devices.values()], nodes: [], ignored: reader.ignored }]
  }
}

/** "input0", "input1", … in the order of their numbers. */
function inputsOf(args: Record<string, unknown>): string[] {
  const inputs: Array<[number, string]> = []
  for (const [key, value] of Object.entries(args)) {
    const match = INPUT.exec(key)
    if (match !== null && typeof value === 'string') inputs.push([Number(match[1]), value])
  }
  return inputs.sort(([a], [b]) => a - b).map(([, name]) => name)
}
