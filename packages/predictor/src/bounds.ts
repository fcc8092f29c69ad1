import { type HostDemand, hostDemands, mostSteps } from './colocation.ts'
import type { Demands } from './demands.ts'
import type { Point } from './schema.ts'
import { closedNetworkThroughput } from './statistics/mva.ts'

/** What the bounds and the simpler models need to know of a cluster. */
export interface Capacities {
  workers: number
  /** Cycle of one worker alone in the same cluster, µs. Of unequal workers: of one with their mean rate. */
  aloneUs: number
  goodputBytesPerUs: number
  serverCores: number
  /** With servers on workers' hosts: steps per µs of each worker alone. */
  colocatedRates?: readonly number[]
}

/** Throughput is at most each of these, steps per second (docs/method.md §7). What a step does not use bounds nothing: the largest number. */
export function boundsOf(
  demands: Demands,
  { workers, aloneUs, goodputBytesPerUs, serverCores, colocatedRates }: Capacities
): Point['bounds'] {
  return {
    compute: (workers / aloneUs) * 1e6,
    ...(colocatedRates
      ? hostBounds(demands, goodputBytesPerUs, colocatedRates)
      : {
          pullLink: perSecond(goodputBytesPerUs, Math.max(...demands.pullBytes)),
          pushLink: perSecond(goodputBytesPerUs, Math.max(...demands.pushBytes))
        }),
    serverCpu: perSecond(serverCores, Math.max(...demands.updateUs, ...demands.messageUs))
  }
}

/** What carries the pulls of a server carries its host's pushes as well: the links out of the hosts, and those into them. */
function hostBounds(
  demands: Demands,
  goodputBytesPerUs: number,
  rates: readonly number[]
): Pick<Point['bounds'], 'pullLink' | 'pushLink'> {
  const { out, in: into } = hostDemands(demands)
  const least = (list: HostDemand[]) =>
    Math.min(...list.map((demand, host) => mostSteps(goodputBytesPerUs, host, demand, rates))) * 1e6
  return { pullLink: least(out), pushLink: least(into) }
}

function perSecond(capacityPerUs: number, demand: number): number {
  const stepsPerUs = demand > 0 ? capacityPerUs / demand : Number.POSITIVE_INFINITY
  return Math.min(stepsPerUs * 1e6, Number.MAX_VALUE)
}

/**
 * The closed queueing network of docs/method.md §7: every server's pull link, push link and cores are stations, the rest of the one-worker
 * cycle is think time. Several cores are one station that is as many times faster; the rest of the service is spent thinking (Seidmann).
 *
 * @returns steps per second
 */
export function queueingThroughput(
  demands: Demands,
  { workers, aloneUs, goodputBytesPerUs, serverCores, colocatedRates }: Capacities
): number {
  const links = [...demands.pullBytes, ...demands.pushBytes].map(bytes => bytes / goodputBytesPerUs)
  const cpus = [...demands.updateUs, ...demands.messageUs].map(us => us / serverCores)
  const stationsUs = [...links, ...cpus]
  const servedUs = stationsUs.reduce((sum, us) => sum + us, 0)
  // A transfer between two servers' hosts is served by two links at once: so much less is thought, if need be less than nothing.
  const thinkUs = colocatedRates ? aloneUs - servedUs : Math.max(0, aloneUs - servedUs)
  return closedNetworkThroughput(stationsUs, thinkUs, workers) * 1e6
}
