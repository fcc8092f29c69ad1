import type { Cluster } from '@foretrain/core-wasm'
import { groupIndexOf, groupOf, type Hosts } from './hosts.ts'

/** Hosts with what their nominal rates carry. */
export interface HostRates {
  hosts: Hosts
  /** [groups] payload of a worker's NIC, bytes per µs. */
  groupBytesPerUs: number[]
  /** Payload of each listed server's NIC; undefined where servers are not listed. */
  serverBytesPerUs?: number[]
}

/** @param rateOf payload of a nominal rate, bytes per µs; undefined is the rate of the whole cluster */
export function hostRates(hosts: Hosts, rateOf: (bitsPerSecond: number | undefined) => number): HostRates {
  return {
    hosts,
    groupBytesPerUs: hosts.workers.map(({ bandwidthBitsPerSecond }) => rateOf(bandwidthBitsPerSecond)),
    serverBytesPerUs: hosts.servers?.map(({ bandwidthBitsPerSecond }) => rateOf(bandwidthBitsPerSecond))
  }
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
