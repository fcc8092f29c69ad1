import type { Cluster, Statistics } from '@foretrain/core-wasm'

/** Something in a cluster that can be the bottleneck. */
export interface Resource {
  name: string
  /** Share of time busy. */
  utilisation(statistics: Statistics): number
  /** The same cluster with this resource's capacity multiplied by `factor`. */
  raised(cluster: Cluster, factor: number): Cluster
}

export interface Resources {
  single: Resource[]
  /** Both directions of each server's link. Where a step needs both alike, each hides the other and only together they matter. */
  duplex: Resource[]
}

type Direction = 'pull' | 'push'

/** All resources of a cluster of which throughput can depend. */
export function resourcesOf(cluster: Cluster): Resources {
  const workers = cluster.workers.length
  const compute: Resource = {
    name: 'worker compute',
    utilisation: ({ computeBusyUs, elapsedUs }) => sum(computeBusyUs) / (workers * cluster.computeSlots * elapsedUs),
    raised: (given, factor) => ({
      ...given,
      workers: given.workers.map(host => ({ ...host, computeScale: host.computeScale / factor }))
    })
  }
  const indices = cluster.servers.map((_, server) => server)
  const linksOf = (server: number): [Resource, Resource] =>
    cluster.colocate ? [hostLink(server, 'out'), hostLink(server, 'in')] : [link(server, 'pull'), link(server, 'push')]
  const nameOfBoth = (server: number) =>
    cluster.colocate ? `host ${server} out and in link` : `server ${server} pull and push link`
  return {
    single: [compute, ...indices.flatMap(server => [...linksOf(server), cpu(cluster, server)])],
    duplex: indices.map(server => both(nameOfBoth(server), ...linksOf(server)))
  }
}

function link(server: number, direction: Direction): Resource {
  return {
    name: `server ${server} ${direction} link`,
    utilisation: ({ pullBusyUs, pushBusyUs, elapsedUs }) => (direction === 'pull' ? pullBusyUs : pushBusyUs)[server] / elapsedUs,
    raised: (given, factor) => raiseLink(given, server, direction, factor)
  }
}

function both(name: string, one: Resource, other: Resource): Resource {
  return {
    name,
    utilisation: statistics => Math.max(one.utilisation(statistics), other.utilisation(statistics)),
    raised: (given, factor) => other.raised(one.raised(given, factor), factor)
  }
}

/**
 * A link is raised at both ends of its connections: with equal NICs in series a faster one alone would change nothing wherever a worker is
 * alone on the link, and the network would never be seen as the bottleneck.
 */
function raiseLink(given: Cluster, server: number, direction: Direction, factor: number): Cluster {
  const pull = direction === 'pull' ? factor : 1
  const push = direction === 'push' ? factor : 1
  return {
    ...given,
    workers: given.workers.map(host => ({
      ...host,
      inBytesPerUs: host.inBytesPerUs * pull,
      outBytesPerUs: host.outBytesPerUs * push
    })),
    servers: given.servers.map((host, index) =>
      index === server ? { ...host, outBytesPerUs: host.outBytesPerUs * pull, inBytesPerUs: host.inBytesPerUs * push } : host
    )
  }
}

/** Of the host of a server and a worker: what leaves it or enters it, pulls and pushes. */
function hostLink(host: number, way: 'out' | 'in'): Resource {
  return {
    name: `host ${host} ${way} link`,
    utilisation: ({ pullBusyUs, pushBusyUs, elapsedUs }) => (way === 'out' ? pullBusyUs : pushBusyUs)[host] / elapsedUs,
    raised: (given, factor) => raiseHostLink(given, host, way, factor)
  }
}

/**
 * At both ends of its connections, as above: what leaves the host enters the others, what enters it has left them. A slower link at the other end is
 * one of its own, and stays as it is.
 */
function raiseHostLink(given: Cluster, host: number, way: 'out' | 'in', factor: number): Cluster {
  const before = way === 'out' ? given.servers[host].outBytesPerUs : given.servers[host].inBytesPerUs
  const atOtherEnd = (bytesPerUs: number) => (bytesPerUs < before ? bytesPerUs : Math.max(bytesPerUs, before * factor))
  const raised = <Host extends { outBytesPerUs: number; inBytesPerUs: number }>(one: Host, index: number): Host => {
    const rate = (index === host) === (way === 'out') ? 'outBytesPerUs' : 'inBytesPerUs'
    return { ...one, [rate]: index === host ? before * factor : atOtherEnd(one[rate]) }
  }
  return { ...given, workers: given.workers.map(raised), servers: given.servers.map(raised) }
}

function cpu(cluster: Cluster, server: number): Resource {
  return {
    name: `server ${server} cpu`,
    utilisation: ({ updateBusyUs, serverCpuBusyUs, elapsedUs }) => {
      const updates = updateBusyUs[server] / (cluster.servers[server].updateSlots ?? cluster.updateSlots)
      if (!cluster.sharedServerCpu) return updates / elapsedUs
      // Messages have slots of their own, as many.
      return Math.max(updates, (serverCpuBusyUs[server] - updateBusyUs[server]) / cluster.serverParse.slots) / elapsedUs
    },
    raised: (given, factor) => ({
      ...given,
      // Costs of messages hold for all servers: where there are several, a raised one helps the others along.
      ...(given.serverMessage && raisedMessages(given, factor)),
      servers: given.servers.map((host, index) => (index === server ? { ...host, updateScale: host.updateScale / factor } : host))
    })
  }
}

function raisedMessages({ serverMessage, serverParse }: Cluster, factor: number): Partial<Cluster> {
  return {
    serverParse: { ...serverParse, perByteUs: serverParse.perByteUs / factor, fixedUs: serverParse.fixedUs / factor },
    serverMessage: serverMessage && {
      ...serverMessage,
      pullPerByteUs: serverMessage.pullPerByteUs / factor,
      pullFixedUs: serverMessage.pullFixedUs / factor
    }
  }
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0)
}
