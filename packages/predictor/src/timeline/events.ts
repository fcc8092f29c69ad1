import type { Profile } from '@foretrain/trace-parser'
import type { Sink } from './arrange.ts'
import { labelsOf, type OperationLabel } from './labels.ts'
import type { Flow, Slice, SliceKind } from './slices.ts'
import { type Track, trackName } from './tracks.ts'

/** Room between the sort indices of two resources. */
const LANES_A_RANK = 10_000

/** Colour names of the Trace Event Format; slices of other kinds are coloured by their names. */
const colours: Partial<Record<SliceKind, string>> = { parse: 'rail_load', wait: 'grey', gap: 'white' }

/** A timeline as the text of events of the Trace Event Format, one a string. */
export class EventText implements Sink {
  private events: string[] = []
  private readonly labels: OperationLabel[]

  constructor(profile: Profile) {
    this.labels = labelsOf(profile)
  }

  /** The events since the last call. */
  take(): string[] {
    const { events } = this
    this.events = []
    return events
  }

  host(process: number, name: string): void {
    this.events.push(
      metadata('process_name', process, 0, { name }),
      metadata('process_sort_index', process, 0, { sort_index: process })
    )
  }

  track(track: Track): void {
    const { resource, thread, lane } = track
    this.events.push(
      metadata('thread_name', resource.process, thread, { name: trackName(track) }),
      metadata('thread_sort_index', resource.process, thread, { sort_index: resource.rank * LANES_A_RANK + lane })
    )
  }

  slice(slice: Slice, { resource: { process }, thread }: Track): void {
    const { kind, startNs, endNs } = slice
    const times = `"ts":${startNs / 1000},"dur":${(endNs - startNs) / 1000}`
    const colour = colours[kind] === undefined ? '' : `,"cname":"${colours[kind]}"`
    this.events.push(
      `{"name":${JSON.stringify(this.nameOf(slice))},"cat":"${kind}","ph":"X",${times},"pid":${process},"tid":${thread}${colour},"args":{${this.argumentsOf(slice)}}}`
    )
    for (const flow of slice.flowsOut ?? []) this.events.push(flowEvent('s', flow, startNs, process, thread))
    for (const flow of slice.flowsIn ?? []) this.events.push(flowEvent('f', flow, startNs, process, thread))
  }

  count(process: number, counter: string, atNs: number, value: number): void {
    this.events.push(
      `{"name":${JSON.stringify(counter)},"ph":"C","ts":${atNs / 1000},"pid":${process},"tid":0,"args":{"count":${value}}}`
    )
  }

  private nameOf({ kind, operation, of }: Slice): string {
    if (kind === 'step') return `step ${of.step}`
    if (kind === 'gap') return 'recorded gap'
    return kind === 'wait' ? 'wait' : this.labels[operation].name
  }

  /** JSON, without the braces. */
  private argumentsOf({ kind, operation, of, bytes, waitedNs, transfer }: Slice): string {
    const ofStep = `"step":${of.step},"template":${of.recordedStep},"worker":${of.worker}`
    if (kind === 'step') return ofStep
    const label = this.labels[operation]
    if (kind === 'gap' || kind === 'wait') return `${label.nameArgument},${ofStep}`
    if (kind === 'parse') return `${label.nameArgument},"bytes":${bytes},${ofStep}`
    const waited = waitedNs > 0 ? `,"waitUs":${waitedNs / 1000}` : ''
    if (transfer === undefined) return `${label.arguments},${ofStep}${waited}`
    const { readyNs, endNs } = transfer
    return `${label.arguments},${ofStep},"bytes":${bytes},"readyUs":${readyNs / 1000},"endUs":${endNs / 1000}${waited}`
  }
}

function metadata(name: string, pid: number, tid: number, args: Record<string, string | number>): string {
  return JSON.stringify({ name, ph: 'M', pid, tid, args })
}

/** An arrow begins at the start of its slice and binds to the slice that encloses its end. */
function flowEvent(phase: 's' | 'f', { id, name }: Flow, atNs: number, process: number, thread: number): string {
  const binding = phase === 'f' ? ',"bp":"e"' : ''
  return `{"name":"${name}","cat":"flow","ph":"${phase}"${binding},"id":${id},"ts":${atNs / 1000},"pid":${process},"tid":${thread}}`
}
