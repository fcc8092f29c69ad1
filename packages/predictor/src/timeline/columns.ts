import type { Profile } from '@foretrain/trace-parser'
import { QuestionError } from '../question.ts'
import type { Sink } from './arrange.ts'
import { arranged } from './arranged.ts'
import { Growing } from './growing.ts'
import { type Host, hostsOf } from './hosts.ts'
import type { PlayedStep, Run } from './play.ts'
import { type Slice, sliceKinds } from './slices.ts'
import { type Track, trackName } from './tracks.ts'

/** A track of a timeline. Slices of one lane do not overlap. */
export interface TimelineLane {
  /** Index into `hosts`. */
  host: number
  /** "pull from server 0", "compute (2)". */
  name: string
}

/** How many there are of something of a host: streams on a server's link, operations that wait. */
export interface TimelineCounter {
  /** Index into `hosts`. */
  host: number
  /** "link out, streams". */
  name: string
  /** Ascending: from when on there are as many. */
  atUs: Float64Array
  value: Uint32Array
}

/**
 * A simulated window as columns: slice i is row i of each. Slices of lane l are those from `laneStart[l]` up to `laneStart[l + 1]`, by ascending
 * starts. Times are µs since the run began, rounded to nanoseconds.
 */
export interface TimelineColumns {
  startUs: Float64Array
  durationUs: Float64Array
  /** Index into `sliceKinds`. */
  kind: Uint8Array
  /** Index into `operations`; -1 for a whole step. */
  operation: Int32Array
  /** Index into `steps`. */
  step: Uint32Array
  /** Of a transfer, on the wire and in its parsing; else 0. */
  bytes: Float64Array
  /** What the operation waited, ready, for its slot or its connection; of waits themselves, gaps and parsing 0. */
  waitedUs: Float64Array
  /** One more than lanes. */
  laneStart: Uint32Array
  /** As they stand below each other. */
  lanes: TimelineLane[]
  /** Traced workers, then all servers. */
  hosts: Array<{ name: string; kind: 'worker' | 'server' }>
  counters: TimelineCounter[]
  /** Steps that slices belong to. */
  steps: {
    worker: Uint32Array
    /** Ordinal of the worker's step. */
    ordinal: Uint32Array
    startUs: Float64Array
    endUs: Float64Array
  }
  operations: {
    name: string[]
    /** "Conv2D". */
    type: string[]
    /** Of the variable; -1 for compute. */
    server: Int32Array
    /** Operation o waits for `dependencies` from `dependencyStart[o]` up to `dependencyStart[o + 1]`. */
    dependencyStart: Uint32Array
    dependencies: Uint32Array
  }
}

/** @throws QuestionError when the window has more than `mostSlices` */
export async function columnsOf(profile: Profile, run: Run, mostSlices: number): Promise<TimelineColumns> {
  const columns = new Columns(run, mostSlices)
  for await (const _ of arranged(profile, run, columns));
  return { ...columns.done(), operations: operationColumns(profile) }
}

type OfRun = Omit<TimelineColumns, 'operations'>

const codeOfKind = new Map(sliceKinds.map((kind, code) => [kind, code]))

/** Takes a timeline slice by slice, in the order of time, and has it lane by lane in the end. */
class Columns implements Sink {
  private readonly hosts: Host[]
  private readonly hostOf: Map<number, number>
  private readonly tracks: Track[] = []
  private readonly counters = new Map<
    string,
    { host: number; name: string; atUs: Growing<Float64Array>; value: Growing<Uint32Array> }
  >()
  private readonly steps = new Map<PlayedStep, number>()
  /** Tracks are numbered from 1 in the order of their first slices. */
  private readonly thread = new Growing(Uint32Array)
  private readonly startUs = new Growing(Float64Array)
  private readonly durationUs = new Growing(Float64Array)
  private readonly kind = new Growing(Uint8Array)
  private readonly operation = new Growing(Int32Array)
  private readonly step = new Growing(Uint32Array)
  private readonly bytes = new Growing(Float64Array)
  private readonly waitedUs = new Growing(Float64Array)

  constructor(
    run: Run,
    private readonly mostSlices: number
  ) {
    this.hosts = hostsOf(run)
    this.hostOf = new Map(this.hosts.map(({ process }, host) => [process, host]))
  }

  track(track: Track): void {
    this.tracks.push(track)
  }

  slice({ kind, startNs, endNs, operation, of, bytes, waitedNs }: Slice, { thread }: Track): void {
    if (this.thread.length >= this.mostSlices)
      throw new QuestionError(
        `the window has more than ${this.mostSlices} slices: ask for a shorter one, or for fewer traced workers`
      )
    this.thread.push(thread)
    this.startUs.push(startNs / 1000)
    this.durationUs.push((endNs - startNs) / 1000)
    this.kind.push(codeOfKind.get(kind) as number)
    this.operation.push(operation)
    this.step.push(this.numberOf(of))
    this.bytes.push(bytes)
    this.waitedUs.push(waitedNs / 1000)
  }

  count(process: number, name: string, atNs: number, value: number): void {
    const key = `${process} ${name}`
    let counter = this.counters.get(key)
    if (counter === undefined) {
      counter = { host: this.hostOf.get(process) as number, name, atUs: new Growing(Float64Array), value: new Growing(Uint32Array) }
      this.counters.set(key, counter)
    }
    counter.atUs.push(atNs / 1000)
    counter.value.push(value)
  }

  done(): OfRun {
    const tracks = this.tracks
      .map(track => ({ track, host: this.hostOf.get(track.resource.process) as number }))
      .sort((a, b) => a.host - b.host || a.track.resource.rank - b.track.resource.rank || a.track.lane - b.track.lane)
    const laneOf = new Uint32Array(tracks.length + 1)
    tracks.forEach(({ track }, lane) => {
      laneOf[track.thread] = lane
    })
    const { laneStart, order } = byLane(this.thread.taken(), laneOf)
    const steps = [...this.steps.keys()]
    return {
      startUs: this.startUs.taken(order),
      durationUs: this.durationUs.taken(order),
      kind: this.kind.taken(order),
      operation: this.operation.taken(order),
      step: this.step.taken(order),
      bytes: this.bytes.taken(order),
      waitedUs: this.waitedUs.taken(order),
      laneStart,
      lanes: tracks.map(({ track, host }) => ({ host, name: trackName(track) })),
      hosts: this.hosts.map(({ name, kind }) => ({ name, kind })),
      counters: [...this.counters.values()].map(({ atUs, value, ...counter }) => ({
        ...counter,
        atUs: atUs.taken(),
        value: value.taken()
      })),
      steps: {
        worker: Uint32Array.from(steps, ({ worker }) => worker),
        ordinal: Uint32Array.from(steps, ({ step }) => step),
        startUs: Float64Array.from(steps, ({ startUs }) => startUs),
        endUs: Float64Array.from(steps, ({ endUs }) => endUs)
      }
    }
  }

  private numberOf(step: PlayedStep): number {
    const known = this.steps.get(step)
    if (known !== undefined) return known
    this.steps.set(step, this.steps.size)
    return this.steps.size - 1
  }
}

/** Slices lane by lane, each lane's in the order that they had. `order[i]` is the former place of slice i. */
function byLane(thread: Uint32Array, laneOf: Uint32Array): { laneStart: Uint32Array; order: Uint32Array } {
  const laneStart = new Uint32Array(laneOf.length)
  for (const number of thread) laneStart[laneOf[number] + 1]++
  for (let lane = 1; lane < laneStart.length; lane++) laneStart[lane] += laneStart[lane - 1]
  const next = laneStart.slice()
  const order = new Uint32Array(thread.length)
  thread.forEach((number, slice) => {
    order[next[laneOf[number]]++] = slice
  })
  return { laneStart, order }
}

function operationColumns({ operations }: Profile): TimelineColumns['operations'] {
  const dependencyStart = new Uint32Array(operations.length + 1)
  operations.forEach(({ dependencies }, id) => {
    dependencyStart[id + 1] = dependencyStart[id] + dependencies.length
  })
  return {
    name: operations.map(({ name }) => name),
    type: operations.map(({ type }) => type),
    server: Int32Array.from(operations, ({ kind, server }) => (kind === 'compute' ? -1 : server)),
    dependencyStart,
    dependencies: Uint32Array.from(operations.flatMap(({ dependencies }) => dependencies))
  }
}
