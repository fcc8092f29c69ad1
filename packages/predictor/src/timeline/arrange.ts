import type { Change, Drawn, Placed, Slice } from './slices.ts'
import { type Track, Tracks } from './tracks.ts'

/** Takes an arranged timeline: each track before its first slice, slices in the order of their starts. */
export interface Sink {
  track(track: Track): void
  slice(slice: Slice, track: Track): void
  /** How many there are of something of a host from a time on. */
  count(process: number, counter: string, atNs: number, value: number): void
}

/** Puts what is drawn in the order of time and onto tracks. */
export class Arrangement {
  /** Not yet passed on, in no order. */
  private waiting: Drawn[] = []
  private readonly tracks: Tracks
  private readonly counters = new Map<string, Counter>()
  /** Counters that changed at the time being passed on: only what they end up at counts. */
  private readonly changed = new Set<Counter>()
  private nowNs = Number.NEGATIVE_INFINITY

  constructor(private readonly sink: Sink) {
    this.tracks = new Tracks(track => sink.track(track))
  }

  add(drawn: readonly Drawn[]): void {
    for (const item of drawn) this.waiting.push(item)
  }

  /** Passes on what begins before a time, up to which nothing will be added any more. */
  flush(beforeNs: number): void {
    const due: Drawn[] = []
    const later: Drawn[] = []
    for (const item of this.waiting) (startOf(item) < beforeNs ? due : later).push(item)
    this.waiting = later
    due.sort((a, b) => startOf(a) - startOf(b) || endOf(a) - endOf(b))
    for (const item of due) {
      const atNs = startOf(item)
      if (atNs > this.nowNs) this.passCounts()
      this.nowNs = atNs
      if (item.kind === 'change') this.change(item)
      else this.place(item)
    }
    this.passCounts()
  }

  private place({ resource, slices }: Placed): void {
    const track = this.tracks.place(resource, slices[0].startNs, slices[slices.length - 1].endNs)
    if (track === undefined) return
    for (const slice of slices) this.sink.slice(slice, track)
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

  private passCounts(): void {
    for (const { process, name, value } of this.changed) this.sink.count(process, name, this.nowNs, value)
    this.changed.clear()
  }
}

interface Counter {
  process: number
  name: string
  value: number
}

function startOf(item: Drawn): number {
  return item.kind === 'change' ? item.atNs : item.slices[0].startNs
}

function endOf(item: Drawn): number {
  return item.kind === 'change' ? item.atNs : item.slices[item.slices.length - 1].endNs
}
