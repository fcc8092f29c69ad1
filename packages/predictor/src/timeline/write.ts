import type { Change, Flow, Placed, Slice } from './draw.ts'
import { Tracks } from './tracks.ts'

/** Puts what is drawn in the order of time, onto tracks, and into the text of events. */
export class EventWriter {
  /** Not yet written, in no order. */
  private waiting: Array<Placed | Change> = []
  private events: string[] = []
  private readonly tracks = new Tracks(event => this.events.push(event))
  private readonly counters = new Map<string, Counter>()
  /** Counters that changed at the time being written: only what they end up at is an event. */
  private readonly changed = new Set<Counter>()
  private nowNs = Number.NEGATIVE_INFINITY

  add(drawn: ReadonlyArray<Placed | Change>): void {
    for (const item of drawn) this.waiting.push(item)
  }

  /** Writes what begins before a time, up to which nothing will be added any more. Returns the events' texts. */
  flush(beforeNs: number): string[] {
    const due: Array<Placed | Change> = []
    const later: Array<Placed | Change> = []
    for (const item of this.waiting) (startOf(item) < beforeNs ? due : later).push(item)
    this.waiting = later
    due.sort((a, b) => startOf(a) - startOf(b) || endOf(a) - endOf(b))
    for (const item of due) {
      const atNs = startOf(item)
      if (atNs > this.nowNs) this.writeCounters()
      this.nowNs = atNs
      if (item.kind === 'change') this.change(item)
      else this.place(item)
    }
    this.writeCounters()
    const written = this.events
    this.events = []
    return written
  }

  private place({ resource, slices }: Placed): void {
    const thread = this.tracks.place(resource, slices[0].startNs, slices[slices.length - 1].endNs)
    if (thread === undefined) return
    for (const slice of slices) {
      this.events.push(completeEvent(slice, resource.process, thread))
      for (const flow of slice.flowsOut ?? []) this.events.push(flowEvent('s', flow, slice.startNs, resource.process, thread))
      for (const flow of slice.flowsIn ?? []) this.events.push(flowEvent('f', flow, slice.startNs, resource.process, thread))
    }
  }

  private change({ process, counter: name, by }: Change): void {
    const key = `${process} ${name}`
    let counter = this.counters.get(key)
    if (counter === undefined) {
      counter = { process, name, value: 0 }
      this.counters.set(key, counter)
    }
    counter.value += by
    this.changed.add(counter)
  }

  private writeCounters(): void {
    for (const { process, name, value } of this.changed) {
      this.events.push(
        `{"name":${JSON.stringify(name)},"ph":"C","ts":${this.nowNs / 1000},"pid":${process},"tid":0,"args":{"count":${value}}}`
      )
    }
    this.changed.clear()
  }
}

interface Counter {
  process: number
  name: string
  value: number
}

function startOf(item: Placed | Change): number {
  return item.kind === 'change' ? item.atNs : item.slices[0].startNs
}

function endOf(item: Placed | Change): number {
  return item.kind === 'change' ? item.atNs : item.slices[item.slices.length - 1].endNs
}

function completeEvent(slice: Slice, process: number, thread: number): string {
  const { startNs, endNs, name, category, colour } = slice
  const times = `"ts":${startNs / 1000},"dur":${(endNs - startNs) / 1000}`
  const shown = colour === undefined ? '' : `,"cname":"${colour}"`
  return `{"name":${JSON.stringify(name)},"cat":"${category}","ph":"X",${times},"pid":${process},"tid":${thread}${shown},"args":{${slice.arguments}}}`
}

/** An arrow begins at the start of its slice and binds to the slice that encloses its end. */
function flowEvent(phase: 's' | 'f', { id, name }: Flow, atNs: number, process: number, thread: number): string {
  const binding = phase === 'f' ? ',"bp":"e"' : ''
  return `{"name":"${name}","cat":"flow","ph":"${phase}"${binding},"id":${id},"ts":${atNs / 1000},"pid":${process},"tid":${thread}}`
}
