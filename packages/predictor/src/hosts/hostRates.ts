import type { Cluster } from '@foretrain/core-wasm'
import { groupIndexOf, groupOf, type Hosts } from './hosts.ts'

/** Hosts with what their nominal rates carry. */
export interface HostRates {
  hosts: Hosts
  /** [groups] payload of a worker's NIC, bytes per µs. */
  groupBytesPerUs: number[]
  /** Payload of each listed server's NIC, on a worker's host of that worker's; undefined where servers are neither listed nor there. */
  serverBytesPerUs?: number[]
}

/**
 * @param rateOf payload of a nominal rate, bytes per µs; undefined is the rate of the whole cluster
 * @param colocated number of servers, when they are on the hosts of workers: those have one NIC, which is the worker's whatever the server's list says
 */
export function hostRates(hosts: Hosts, rateOf: (bitsPerSecond: number | undefined) => number, colocated?: number): HostRates {
  const groupBytesPerUs = hosts.workers.map(({ bandwidthBitsPerSecond }) => rateOf(bandwidthBitsPerSecond))
  const serverBytesPerUs =
    colocated === undefined
      ? hosts.servers?.map(({ bandwidthBitsPerSecond }) => rateOf(bandwidthBitsPerSecond))
      : Array.from({ length: colocated }, (_, worker) => groupBytesPerUs[groupIndexOf(hosts, worker)])
  return { hosts, groupBytesPerUs, serverBytesPerUs }
}

/** The cluster of equal hosts with what differs between them. */
export function clusterOfHosts(equal: Cluster, rates: HostRates | undefined): Cluster {
  if (rates === undefined) return equal
  const { hosts, groupBytesPerUs, serverBytesPerUs } = rates
  return {
    ...equal,
    workers: equal.workers.map((host, worker) => {
      const { speed = 1, latencyUs = host.latencyUs, straggler = host.straggler } = groupOf(hosts, worker)
      const bytesPerUs = groupBytesPerUs[groupIndexOf(hosts, worker)]
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
      return { ...host, outBytesPerUs: bytesPerUs, inBytesPerUs: bytesPerUs }
    })
  }
}
