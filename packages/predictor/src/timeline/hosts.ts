import type { Run } from './play.ts'
import type { Resource } from './tracks.ts'

/** Beyond so many, operations that wait at once are not drawn one by one: the counter beside them shows how many there are. */
const MOST_WAITING_LANES = 4

/** The tracks of a worker. */
export interface WorkerTracks {
  process: number
  step: Resource
  compute: Station
  /** Compute too short to occupy a slot. */
  short: Resource
  parse: Station
  /** By server. */
  pull: Station[]
  push: Station[]
}

/** The tracks of a server. */
export interface ServerTracks {
  process: number
  update: Station
  /** Updates too short to occupy a slot. */
  short: Resource
  parse: Station
}

/** Something that operations wait for. */
export interface Station {
  work: Resource
  waiting: Resource
}

/** Processes are numbered from 1: workers first, then servers. */
export function workerTracks(worker: number, servers: number): WorkerTracks {
  const process = worker + 1
  let rank = 0
  const resource = (name: string, mostLanes = Number.POSITIVE_INFINITY): Resource => ({ process, name, rank: ++rank, mostLanes })
  const station = (name: string): Station => ({ work: resource(name), waiting: resource(`${name}, waiting`, MOST_WAITING_LANES) })
  const perServer = (name: (server: number) => string) => Array.from({ length: servers }, (_, server) => station(name(server)))
  return {
    process,
    step: resource('step'),
    pull: perServer(server => `pull from server ${server}`),
    parse: station('parse'),
    compute: station('compute'),
    short: resource('short compute'),
    push: perServer(server => `push to server ${server}`)
  }
}

export function serverTracks(server: number, workers: number): ServerTracks {
  const process = workers + server + 1
  let rank = 0
  const resource = (name: string, mostLanes = Number.POSITIVE_INFINITY): Resource => ({ process, name, rank: ++rank, mostLanes })
  const station = (name: string): Station => ({ work: resource(name), waiting: resource(`${name}, waiting`, MOST_WAITING_LANES) })
  return { process, parse: station('parse'), update: station('update'), short: resource('short update') }
}

export interface Host {
  /** Where its tracks are. */
  process: number
  name: string
  kind: 'worker' | 'server'
}

/** The hosts that a timeline shows, in their order: the traced workers and all servers. Processes are numbered from 1, all workers before the servers. */
export function hostsOf({ cluster, traced }: Pick<Run, 'cluster' | 'traced'>): Host[] {
  const workers = cluster.workers.length
  return [
    ...traced.map(worker => ({ process: worker + 1, name: `worker ${worker}`, kind: 'worker' as const })),
    ...cluster.servers.map((_, server) => ({ process: workers + server + 1, name: `server ${server}`, kind: 'server' as const }))
  ]
}
