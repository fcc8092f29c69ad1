import type { Cluster } from '@foretrain/core-wasm'
import { groupIndexOf, groupOf, type Hosts } from './hosts.ts'

/** Hosts with what their nominal rates carry. */
export interface HostRates {
  hosts: Hosts
  /** [groups] payload of a worker's NIC, bytes per µs. */
  groupBytesPerUs: number[]
  /** [groups] payload of the link that the group's workers share; Infinity without one. */
  uplinkBytesPerUs: number[]
  /** Payload of each listed server's NIC, on a worker's host of that worker's; undefined where servers are neither listed nor there. */
  serverBytesPerUs?: number[]
}

/**
 * The simulator has links of hosts, none of switches. A link that all workers share on their way to one server is exactly a slower link of that
 * server; to several servers it is taken in equal parts, one a server. One that some workers share is taken in equal parts, one for each of these
 * workers in the cluster: right while all are busy, too little for one that could have it alone.
 *
 * @param servers number of servers
 * @param rateOf payload of a nominal rate, bytes per µs; undefined is the rate of the whole cluster
 * @param colocated number of servers, when they are on the hosts of workers: those have one NIC, which is the worker's whatever the server's list says
 */
export function hostRates(
  hosts: Hosts,
  servers: number,
  rateOf: (bitsPerSecond: number | undefined) => number,
  colocated?: number
): HostRates {
  const groupBytesPerUs = hosts.workers.map(({ bandwidthBitsPerSecond }) => rateOf(bandwidthBitsPerSecond))
  const uplinkBytesPerUs = hosts.workers.map(({ uplinkBitsPerSecond }) =>
    uplinkBitsPerSecond === undefined ? Number.POSITIVE_INFINITY : rateOf(uplinkBitsPerSecond)
  )
  if (colocated === undefined && hosts.workers.length === 1 && uplinkBytesPerUs[0] < Number.POSITIVE_INFINITY) {
    const part = uplinkBytesPerUs[0] / servers
    const serverRates = Array.from({ length: servers }, (_, k) =>
      Math.min(part, rateOf(hosts.servers?.[k]?.bandwidthBitsPerSecond))
    )
    return { hosts, groupBytesPerUs, uplinkBytesPerUs: [Number.POSITIVE_INFINITY], serverBytesPerUs: serverRates }
  }
  const serverBytesPerUs =
    colocated === undefined
      ? hosts.servers?.map(({ bandwidthBitsPerSecond }) => rateOf(bandwidthBitsPerSecond))
      : Array.from({ length: colocated }, (_, worker) => groupBytesPerUs[groupIndexOf(hosts, worker)])
  return { hosts, groupBytesPerUs, uplinkBytesPerUs, serverBytesPerUs }
}

/**
 * The cluster of equal hosts with what differs between them.
 *
 * @param sameCores all servers have those of `equal`, whatever their list says
 */
export function clusterOfHosts(equal: Cluster, rates: HostRates | undefined, sameCores: boolean): Cluster {
  if (rates === undefined) return equal
  const { hosts, groupBytesPerUs, uplinkBytesPerUs, serverBytesPerUs } = rates
  const present = hosts.workers.map(() => 0)
  for (const worker of equal.workers.keys()) present[groupIndexOf(hosts, worker)]++
  return {
    ...equal,
    workers: equal.workers.map((host, worker) => {
      const { speed = 1, latencyUs = host.latencyUs, straggler = host.straggler } = groupOf(hosts, worker)
      const group = groupIndexOf(hosts, worker)
      const bytesPerUs = Math.min(groupBytesPerUs[group], uplinkBytesPerUs[group] / present[group])
      return {
        ...host,
        outBytesPerUs: bytesPerUs,
        inBytesPerUs: bytesPerUs,
        latencyUs,
        computeScale: host.computeScale / speed,
        ...(straggler && { straggler })
      }
    }),
    servers: equal.servers.map((host, server) => {
      const bytesPerUs = serverBytesPerUs?.[server] ?? host.outBytesPerUs
      const cores = hosts.servers?.[server]?.cores
      return { ...host, outBytesPerUs: bytesPerUs, inBytesPerUs: bytesPerUs, ...(!sameCores && cores && { updateSlots: cores }) }
    })
  }
}
