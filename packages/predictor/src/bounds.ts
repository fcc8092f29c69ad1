import { type HostDemand, hostDemands, mostSteps } from './colocation.ts'
import type { Demands } from './demands.ts'
import type { RoundLimits } from './mode.ts'
import type { Point } from './schema.ts'
import { closedNetworkThroughput } from './statistics/mva.ts'

/** What the bounds and the simpler models need to know of a cluster. */
export interface Capacities {
  workers: number
  /** Cycle of one worker alone in the same cluster, µs. Of unequal workers: of one with their mean rate. */
  aloneUs: number
  goodputBytesPerUs: number
  /** Of each server, where they differ. */
  serverBytesPerUs?: readonly number[]
  serverCores: number
  /** Where workers move in rounds. */
  rounds?: RoundLimits & { stepsPerRound: number }
  /** With servers on workers' hosts: steps per µs of each worker alone. The links are then those of the hosts. */
  colocatedRates?: readonly number[]
}

/** Throughput is at most each of these, steps per second (docs/method.md §7). What a step does not use bounds nothing: the largest number. */
export function boundsOf(demands: Demands, capacities: Capacities): Point['bounds'] {
  const { workers, aloneUs, serverCores, rounds, colocatedRates } = capacities
  const updateUs = Math.max(...demands.updateUs) * (rounds?.updateShare ?? 1)
  const link = (bytes: Float64Array) => Math.min(...Array.from(bytes, (of, server) => perSecond(linkRate(capacities, server), of)))
  return {
    compute: rounds?.computePerSecond ?? (workers / aloneUs) * 1e6,
    ...(colocatedRates
      ? hostBounds(demands, capacities, colocatedRates)
      : { pullLink: link(demands.pullBytes), pushLink: link(demands.pushBytes) }),
    serverCpu: perSecond(serverCores, Math.max(updateUs, ...demands.messageUs))
  }
}

/** What carries the pulls of a server carries its host's pushes as well: the links out of the hosts, and those into them. */
function hostBounds(
  demands: Demands,
  rates: LinkRates,
  aloneRates: readonly number[]
): Pick<Point['bounds'], 'pullLink' | 'pushLink'> {
  const { out, in: into } = hostDemands(demands)
  const least = (list: HostDemand[]) =>
    Math.min(...list.map((demand, host) => mostSteps(linkRate(rates, host), host, demand, aloneRates))) * 1e6
  return { pullLink: least(out), pushLink: least(into) }
}

function perSecond(capacityPerUs: number, demand: number): number {
  const stepsPerUs = demand > 0 ? capacityPerUs / demand : Number.POSITIVE_INFINITY
  return Math.min(stepsPerUs * 1e6, Number.MAX_VALUE)
}

type LinkRates = Pick<Capacities, 'goodputBytesPerUs' | 'serverBytesPerUs'>

function linkRate({ goodputBytesPerUs, serverBytesPerUs }: LinkRates, server: number): number {
  return serverBytesPerUs?.[server] ?? goodputBytesPerUs
}

/** Time for which one step keeps each server's link in one direction busy, µs. */
export function linkTimesUs(bytes: Float64Array, rates: LinkRates): number[] {
  return Array.from(bytes, (of, server) => of / linkRate(rates, server))
}

/**
 * The closed queueing network of docs/method.md §7: every server's pull link, push link and cores are stations, the rest of the one-worker
 * cycle is think time. Several cores are one station that is as many times faster; the rest of the service is spent thinking (Seidmann).
 *
 * Where workers move in rounds all come to each station at once, so a round is the think time and what each station needs for all of them, one station
 * after the other.
 *
 * @returns steps per second
 */
export function queueingThroughput(demands: Demands, capacities: Capacities): number {
  const { workers, aloneUs, serverCores, rounds, colocatedRates } = capacities
  const links = [...linkTimesUs(demands.pullBytes, capacities), ...linkTimesUs(demands.pushBytes, capacities)]
  const cpus = [...demands.updateUs, ...demands.messageUs].map(us => us / serverCores)
  const stationsUs = [...links, ...cpus]
  const servedUs = stationsUs.reduce((sum, us) => sum + us, 0)
  // A transfer between two servers' hosts is served by two links at once: so much less is thought, if need be less than nothing.
  const thinkUs = colocatedRates ? aloneUs - servedUs : Math.max(0, aloneUs - servedUs)
  if (rounds) return (rounds.stepsPerRound / (thinkUs + workers * servedUs)) * 1e6
  return closedNetworkThroughput(stationsUs, thinkUs, workers) * 1e6
}
