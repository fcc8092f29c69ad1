import { type Cluster, type Job, type LogEntry, OperationKind } from '@foretrain/core-wasm'
import type { Profile } from '@foretrain/trace-parser'
import { type ServerTracks, type Station, serverTracks, type WorkerTracks, workerTracks } from './hosts.ts'
import { isTransfer } from './labels.ts'
import type { PlayedStep } from './play.ts'
import { type Drawn, type Flow, nanoseconds, type Placed, type Slice, type SliceKind } from './slices.ts'
import type { Resource } from './tracks.ts'

/** Turns the operations of a step into what is drawn. */
export class Drawing {
  private readonly workers = new Map<number, WorkerTracks>()
  private readonly servers: ServerTracks[]
  private flows = 0

  /** @param job uncontracted: one operation for each of the profile */
  constructor(
    private readonly profile: Profile,
    private readonly job: Job,
    private readonly cluster: Cluster
  ) {
    this.servers = cluster.servers.map((_, server) => serverTracks(server, cluster.workers.length))
  }

  step(played: PlayedStep): Drawn[] {
    const drawn: Drawn[] = []
    const tracks = this.tracksOf(played.worker)
    drawn.push(place(tracks.step, span('step', -1, played, nanoseconds(played.startUs), nanoseconds(played.endUs))))
    /** By operation: where an arrow that leaves it begins, and where one that comes to it ends. */
    const tails: Slice[] = []
    const heads: Slice[] = []
    for (const entry of played.entries) {
      if (isTransfer(this.job.kind[entry.operation])) this.transfer(entry, played, tracks, drawn, tails)
      else this.service(entry, played, tracks, drawn, heads)
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
  private service(entry: LogEntry, played: PlayedStep, tracks: WorkerTracks, drawn: Drawn[], heads: Slice[]): void {
    const { operation, readyUs, startUs, endUs } = entry
    const { kind, server } = this.profile.operations[operation]
    const isShort = this.job.kind[operation] === OperationKind.delay
    const host = kind === 'compute' ? tracks : this.servers[server]
    const station = kind === 'compute' ? tracks.compute : this.servers[server].update
    const scale = isShort
      ? 1
      : kind === 'compute'
        ? this.cluster.workers[played.worker].computeScale
        : this.cluster.servers[server].updateScale
    const gapUs = scale * this.profile.steps[played.recordedStep].gapUs[operation]
    this.wait(station, entry, played, readyUs, startUs, drawn)
    const startNs = nanoseconds(startUs)
    const beginsNs = nanoseconds(startUs + gapUs)
    const work = span(kind, operation, played, beginsNs, Math.max(beginsNs, nanoseconds(endUs)))
    work.waitedNs = nanoseconds(startUs - readyUs)
    heads[operation] = work
    const slices = startNs < beginsNs ? [span('gap', operation, played, startNs, beginsNs), work] : [work]
    drawn.push({ kind: 'slices', resource: isShort ? host.short : station.work, slices })
  }

  /** A transfer: the wait for its connection, the bytes on the wire, the wait for the receiver, its parsing. */
  private transfer(entry: LogEntry, played: PlayedStep, tracks: WorkerTracks, drawn: Drawn[], tails: Slice[]): void {
    const { operation, readyUs, startUs, wireEndUs, endUs } = entry
    const { template, worker } = played
    const { job, cluster } = this
    const isPull = job.kind[operation] === OperationKind.pull
    const server = job.server[operation]
    const connection = isPull ? tracks.pull[server] : tracks.push[server]
    const bytes = job.amount[template * job.operations + operation]
    this.wait(connection, entry, played, readyUs, startUs, drawn)
    const wire = span(isPull ? 'pull' : 'push', operation, played, nanoseconds(startUs), nanoseconds(wireEndUs))
    wire.bytes = bytes
    wire.waitedNs = nanoseconds(startUs - readyUs)
    wire.transfer = { readyNs: nanoseconds(readyUs), endNs: nanoseconds(endUs) }
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
    this.wait(receiver, entry, played, arrivalUs, endUs - serviceUs, drawn)
    const parse = span('parse', operation, played, nanoseconds(endUs - serviceUs), nanoseconds(endUs))
    parse.bytes = bytes
    tails[operation] = parse
    drawn.push(place(receiver.work, parse))
  }

  private wait(station: Station, { operation }: LogEntry, of: PlayedStep, sinceUs: number, untilUs: number, drawn: Drawn[]): void {
    const startNs = nanoseconds(sinceUs)
    const endNs = nanoseconds(untilUs)
    if (endNs <= startNs) return
    drawn.push(place(station.waiting, span('wait', operation, of, startNs, endNs)))
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

  private arrow(from: Slice, to: Slice, name: Flow['name']): void {
    const flow = { id: ++this.flows, name }
    from.flowsOut = [...(from.flowsOut ?? []), flow]
    to.flowsIn = [...(to.flowsIn ?? []), flow]
  }
}

function span(kind: SliceKind, operation: number, of: PlayedStep, startNs: number, endNs: number): Slice {
  return { kind, startNs, endNs, operation, of, bytes: 0, waitedNs: 0 }
}

function place(resource: Resource, slice: Slice): Placed {
  return { kind: 'slices', resource, slices: [slice] }
}

function count(process: number, counter: string, startNs: number, endNs: number, drawn: Drawn[]): void {
  drawn.push({ kind: 'change', process, counter, atNs: startNs, by: 1 }, { kind: 'change', process, counter, atNs: endNs, by: -1 })
}
