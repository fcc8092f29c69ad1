import { type Cluster, type Job, type LogEntry, OperationKind } from '@foretrain/core-wasm'
import type { Profile } from '@foretrain/trace-parser'
import { type ServerTracks, type Station, serverTracks, type WorkerTracks, workerTracks } from './hosts.ts'
import { isTransfer, labelsOf, type OperationLabel } from './labels.ts'
import type { PlayedStep } from './play.ts'
import type { Resource } from './tracks.ts'

/** One complete event ("X"), without its track. Times are ns since the run began. */
export interface Slice {
  startNs: number
  endNs: number
  name: string
  category: string
  /** A colour name of the Trace Event Format, or none. */
  colour?: string
  /** JSON, without the braces. */
  arguments: string
  /** Flow arrows that leave from this slice and that end in it, by number. */
  flowsOut?: Flow[]
  flowsIn?: Flow[]
}

export interface Flow {
  id: number
  name: string
}

/** What is placed on one lane together, one after the other. */
export interface Placed {
  kind: 'slices'
  resource: Resource
  slices: Slice[]
}

/** A number of things under way changes. */
export interface Change {
  kind: 'change'
  process: number
  counter: string
  atNs: number
  by: number
}

/** Nanoseconds are what the Trace Event Format's three decimals of a µs can hold. */
function nanoseconds(us: number): number {
  return Math.round(us * 1000)
}

/** Turns the operations of a step into what is drawn. */
export class Drawing {
  private readonly labels: OperationLabel[]
  private readonly workers = new Map<number, WorkerTracks>()
  private readonly servers: ServerTracks[]
  private flows = 0

  /** @param job uncontracted: one operation for each of the profile */
  constructor(
    private readonly profile: Profile,
    private readonly job: Job,
    private readonly cluster: Cluster
  ) {
    this.labels = labelsOf(profile)
    this.servers = cluster.servers.map((_, server) => serverTracks(server, cluster.workers.length))
  }

  step(played: PlayedStep): Array<Placed | Change> {
    const drawn: Array<Placed | Change> = []
    const tracks = this.tracksOf(played.worker)
    const { step, template, worker } = played
    const ofStep = `"step":${step},"template":${template},"worker":${worker}`
    drawn.push(
      place(tracks.step, {
        startNs: nanoseconds(played.startUs),
        endNs: nanoseconds(played.endUs),
        name: `step ${step}`,
        category: 'step',
        arguments: ofStep
      })
    )
    /** By operation: where an arrow that leaves it begins, and where one that comes to it ends. */
    const tails: Slice[] = []
    const heads: Slice[] = []
    for (const entry of played.entries) {
      if (isTransfer(this.job.kind[entry.operation])) this.transfer(entry, played, ofStep, tracks, drawn, tails)
      else this.service(entry, played, ofStep, tracks, drawn, heads)
    }
    this.arrows(tails, heads)
    return drawn
  }

  private tracksOf(worker: number): WorkerTracks {
    let tracks = this.workers.get(worker)
    if (tracks === undefined) {
      tracks = workerTracks(worker, this.cluster.servers.length)
      this.workers.set(worker, tracks)
    }
    return tracks
  }

  /** Compute or an update, with what it waited for its slot and the recorded idle time in front of it. */
  private service(
    entry: LogEntry,
    { template, worker }: PlayedStep,
    ofStep: string,
    tracks: WorkerTracks,
    drawn: Array<Placed | Change>,
    heads: Slice[]
  ): void {
    const { operation, readyUs, startUs, endUs } = entry
    const label = this.labels[operation]
    const { kind, server } = this.profile.operations[operation]
    const isShort = this.job.kind[operation] === OperationKind.delay
    const host = kind === 'compute' ? tracks : this.servers[server]
    const station = kind === 'compute' ? tracks.compute : this.servers[server].update
    const scale = isShort
      ? 1
      : kind === 'compute'
        ? this.cluster.workers[worker].computeScale
        : this.cluster.servers[server].updateScale
    const gapUs = scale * this.profile.steps[template].gapUs[operation]
    this.wait(station, readyUs, startUs, label.name, ofStep, drawn)
    const beginsNs = nanoseconds(startUs + gapUs)
    const work: Slice = {
      startNs: beginsNs,
      endNs: Math.max(beginsNs, nanoseconds(endUs)),
      name: label.name,
      category: kind,
      arguments: `${label.arguments},${ofStep}${waited(startUs - readyUs)}`
    }
    heads[operation] = work
    const slices = [work]
    if (nanoseconds(startUs) < beginsNs)
      slices.unshift({ ...gapSlice, startNs: nanoseconds(startUs), endNs: beginsNs, arguments: `${label.nameArgument},${ofStep}` })
    drawn.push({ kind: 'slices', resource: isShort ? host.short : station.work, slices })
  }

  /** A transfer: the wait for its connection, the bytes on the wire, the wait for the receiver, its parsing. */
  private transfer(
    entry: LogEntry,
    { template, worker }: PlayedStep,
    ofStep: string,
    tracks: WorkerTracks,
    drawn: Array<Placed | Change>,
    tails: Slice[]
  ): void {
    const { operation, readyUs, startUs, wireEndUs, endUs } = entry
    const { job, cluster } = this
    const label = this.labels[operation]
    const isPull = job.kind[operation] === OperationKind.pull
    const server = job.server[operation]
    const connection = isPull ? tracks.pull[server] : tracks.push[server]
    const bytes = job.amount[template * job.operations + operation]
    this.wait(connection, readyUs, startUs, label.name, ofStep, drawn)
    const times = `"bytes":${bytes},"readyUs":${nanoseconds(readyUs) / 1000},"endUs":${nanoseconds(endUs) / 1000}`
    const wire: Slice = {
      startNs: nanoseconds(startUs),
      endNs: nanoseconds(wireEndUs),
      name: label.name,
      category: isPull ? 'pull' : 'push',
      arguments: `${label.arguments},${ofStep},${times}${waited(startUs - readyUs)}`
    }
    drawn.push(place(connection.work, wire))
    const isAtHome = cluster.colocate === true && server === worker
    const counter = isPull ? 'link out, streams' : 'link in, streams'
    // Within a host no link is used.
    if (!isAtHome) count(this.servers[server].process, counter, wire.startNs, wire.endNs, drawn)

    const { perByteUs, fixedUs } = isPull ? cluster.workerParse : cluster.serverParse
    const serviceUs = perByteUs * bytes + fixedUs
    tails[operation] = wire
    if (!(serviceUs > 0)) return
    const receiver = isPull ? tracks.parse : this.servers[server].parse
    const arrivalUs = wireEndUs + (isAtHome ? 0 : cluster.workers[worker].latencyUs)
    this.wait(receiver, arrivalUs, endUs - serviceUs, label.name, ofStep, drawn)
    const parse: Slice = {
      startNs: nanoseconds(endUs - serviceUs),
      endNs: nanoseconds(endUs),
      name: label.name,
      category: 'parse',
      colour: 'rail_load',
      arguments: `${label.nameArgument},"bytes":${bytes},${ofStep}`
    }
    tails[operation] = parse
    drawn.push(place(receiver.work, parse))
  }

  private wait(
    station: Station,
    sinceUs: number,
    untilUs: number,
    name: string,
    ofStep: string,
    drawn: Array<Placed | Change>
  ): void {
    const startNs = nanoseconds(sinceUs)
    const endNs = nanoseconds(untilUs)
    if (endNs <= startNs) return
    const text = `"name":${JSON.stringify(name)},${ofStep}`
    drawn.push(place(station.waiting, { startNs, endNs, name: 'wait', category: 'wait', colour: 'grey', arguments: text }))
    count(station.work.process, station.waiting.name, startNs, endNs, drawn)
  }

  /** From each push to the updates that apply it, and from each pull to the compute that is the first to use it. */
  private arrows(tails: readonly Slice[], heads: readonly Slice[]): void {
    const firstUse: number[] = []
    const { operations } = this.profile
    heads.forEach((head, to) => {
      for (const from of operations[to].dependencies) {
        if (tails[from] === undefined) continue
        if (operations[from].kind === 'push' && operations[to].kind === 'update') this.arrow(tails[from], head, 'apply')
        const first = heads[firstUse[from]]
        if (operations[from].kind === 'pull' && (first === undefined || head.startNs < first.startNs)) firstUse[from] = to
      }
    })
    firstUse.forEach((to, from) => {
      this.arrow(tails[from], heads[to], 'first use')
    })
  }

  private arrow(from: Slice, to: Slice, name: string): void {
    const flow = { id: ++this.flows, name }
    from.flowsOut = [...(from.flowsOut ?? []), flow]
    to.flowsIn = [...(to.flowsIn ?? []), flow]
  }
}

const gapSlice = { name: 'recorded gap', category: 'gap', colour: 'white' } as const

function place(resource: Resource, slice: Slice): Placed {
  return { kind: 'slices', resource, slices: [slice] }
}

function count(process: number, counter: string, startNs: number, endNs: number, drawn: Array<Placed | Change>): void {
  drawn.push({ kind: 'change', process, counter, atNs: startNs, by: 1 }, { kind: 'change', process, counter, atNs: endNs, by: -1 })
}

function waited(us: number): string {
  const ns = nanoseconds(us)
  return ns > 0 ? `,"waitUs":${ns / 1000}` : ''
}
