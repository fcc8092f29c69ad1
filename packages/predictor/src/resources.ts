import type { Cluster, Statistics } from '@foretrain/core-wasm'

/** Something in a cluster that can be the bottleneck. */
export interface Resource {
  name: string
  /** Share of time busy. */
  utilisation(statistics: Statistics): number
  /** The same cluster with this resource's capacity multiplied by `factor`. */
  raised(cluster: Cluster, factor: number): Cluster
}

/**
 * All resources of a cluster. A link is raised at both ends of its connections: with equal NICs in series a faster one alone would change
 * nothing wherever a worker is alone on the link, and the network would never be seen as the bottleneck.
 */
export function resourcesOf(cluster: Cluster): Resource[] {
  const workers = cluster.workers.length
  const compute: Resource = {
    name: 'worker compute',
    utilisation: ({ computeBusyUs, elapsedUs }) => sum(computeBusyUs) / (workers * cluster.computeSlots * elapsedUs),
    raised: (given, factor) => ({
      ...given,
      workers: given.workers.map(host => ({ ...host, computeScale: host.computeScale / factor }))
    })
  }
  return [compute, ...cluster.servers.flatMap((_, server) => resourcesOfServer(cluster, server))]
}

function resourcesOfServer(cluster: Cluster, server: number): Resource[] {
  const onServer = (given: Cluster, change: (host: Cluster['servers'][number]) => Cluster['servers'][number]) =>
    given.servers.map((host, index) => (index === server ? change(host) : host))
  return [
    {
      name: `server ${server} pull link`,
      utilisation: ({ pullBusyUs, elapsedUs }) => pullBusyUs[server] / elapsedUs,
      raised: (given, factor) => ({
        ...given,
        workers: given.workers.map(host => ({ ...host, inBytesPerUs: host.inBytesPerUs * factor })),
        servers: onServer(given, host => ({ ...host, outBytesPerUs: host.outBytesPerUs * factor }))
      })
    },
    {
      name: `server ${server} push link`,
      utilisation: ({ pushBusyUs, elapsedUs }) => pushBusyUs[server] / elapsedUs,
      raised: (given, factor) => ({
        ...given,
        workers: given.workers.map(host => ({ ...host, outBytesPerUs: host.outBytesPerUs * factor })),
        servers: onServer(given, host => ({ ...host, inBytesPerUs: host.inBytesPerUs * factor }))
      })
    },
    {
      name: `server ${server} cpu`,
      utilisation: ({ updateBusyUs, elapsedUs }) => updateBusyUs[server] / (cluster.updateSlots * elapsedUs),
      raised: (given, factor) => ({
        ...given,
        servers: onServer(given, host => ({ ...host, updateScale: host.updateScale / factor }))
      })
    }
  ]
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0)
}
