/** Equal workers of a cluster. What is not said is as of the whole cluster. */
export interface WorkerGroup {
  count: number
  /** Speed of compute: 0.5 = half as fast as the traced worker. Default 1. */
  speed?: number
  /** Nominal rate of the worker's host, each direction. */
  bandwidthBitsPerSecond?: number
  /** Nominal rate, each direction, of the link of a switch that all workers of the group share on their way to the servers. See sharedUplinks. */
  uplinkBitsPerSecond?: number
  /** One way. */
  latencyUs?: number
  /**
   * Mini-batches that the worker computes at once, one a device, and whose gradients it adds up before it pushes them: as many examples a step, one
   * pull and one push of each variable (in-graph replication). Default 1.
   */
  replicas?: number
  /** A step takes `factor` times as long with this probability. */
  straggler?: { probability: number; factor: number }
}

/** The host of a parameter server. What is not said is as of the whole cluster. */
export interface ServerHost {
  /** Nominal rate, each direction. Default: as of the whole cluster. */
  bandwidthBitsPerSecond?: number
  /** Updates that run at once. Default: as of the whole cluster. */
  cores?: number
}

/** Hosts that differ. */
export interface Hosts {
  /** Worker 0 is the first of the first group; a cluster of fewer workers has the first ones. */
  workers: WorkerGroup[]
  /** By server; a cluster of fewer servers has the first ones. */
  servers?: ServerHost[]
  /** Whether server k is on the host of worker k: their NIC is the worker's, and a bandwidth of the server is not looked at. */
  colocate?: boolean
}

/** Index of the group of a worker. */
export function groupIndexOf({ workers: groups }: Hosts, worker: number): number {
  let before = 0
  for (const [index, { count }] of groups.entries()) {
    before += count
    if (worker < before) return index
  }
  throw new Error(`no group holds worker ${worker}`)
}

export function groupOf(hosts: Hosts | undefined, worker: number): WorkerGroup {
  return hosts === undefined ? { count: 1 } : hosts.workers[groupIndexOf(hosts, worker)]
}

/** Workers in all. */
export function workersOf({ workers: groups }: Hosts): number {
  return groups.reduce((sum, { count }) => sum + count, 0)
}

/** Cores that all listed servers have; undefined when they say none. */
export function coresOf({ servers = [] }: Hosts): number | undefined {
  return servers.find(({ cores }) => cores !== undefined)?.cores
}
