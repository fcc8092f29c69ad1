import type { Cluster, ServerHost, WorkerHost } from '../../src/job.ts'

export interface ClusterSpec extends Partial<Omit<Cluster, 'workers' | 'servers'>> {
  /** How many defaults, or what differs from the default of each. */
  workers?: number | readonly Partial<WorkerHost>[]
  servers?: number | readonly Partial<ServerHost>[]
}

const defaultWorker: WorkerHost = { outBytesPerUs: Infinity, inBytesPerUs: Infinity, computeScale: 1, latencyUs: 0 }
const defaultServer: ServerHost = { outBytesPerUs: Infinity, inBytesPerUs: Infinity, updateScale: 1 }

function hosts<Host>(spec: number | readonly Partial<Host>[] | undefined, defaults: Host): Host[] {
  const list = typeof spec === 'object' ? spec : Array.from({ length: spec ?? 1 }, () => ({}))
  return list.map(differences => ({ ...defaults, ...differences }))
}

/** By default one worker and one server, infinite links, no windows and no costs: a test names only what it is about. */
export function cluster(spec: ClusterSpec = {}): Cluster {
  return {
    computeSlots: 1,
    updateSlots: 1,
    workerParse: { slots: 10, perByteUs: 0, fixedUs: 0 },
    serverParse: { slots: 10, perByteUs: 0, fixedUs: 0 },
    turns: { first: Infinity, later: Infinity },
    stepOverheadUs: 0,
    ackFraction: 0,
    ...spec,
    workers: hosts(spec.workers, defaultWorker),
    servers: hosts(spec.servers, defaultServer)
  }
}
