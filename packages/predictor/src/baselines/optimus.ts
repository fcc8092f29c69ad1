import { type Capacities, linkTimesUs } from '../bounds.ts'
import type { Demands } from '../demands.ts'

/** Coefficients of w / (a + b·w/p + c·w + d·p), all µs, with p servers. */
interface OptimusCurve {
  /** Compute of a step, and what else does not depend on the numbers of workers and servers. */
  a: number
  /** Transfers and updates of a step, if one server held everything. */
  b: number
  /** Grows with the workers, but not with what each server holds: nothing of it shows with one worker. */
  c: number
  /** Grows with the servers. */
  d: number
  servers: number
}

/**
 * The asynchronous speed function of Optimus (Peng et al., EuroSys 2018, section 3.2), as far as one worker tells its coefficients. Optimus fits
 * them to four or more runs of the job; one worker with p servers gives a single number, a + b/p + c + d·p = its cycle. What the
 * derivation in the paper says of each term settles the rest:
 *
 * - b/p is what a step asks of the fullest server: the bytes of its fuller direction at the goodput of a link, and its updates on its cores. The paper adds up both
 *   directions; links here are full duplex, and adding them up would make the curve worse.
 * - c = 0: the cost of a connection to one more worker cannot be seen with one worker.
 * - d = 0: with p fixed, d·p is not to be told from a.
 * - a is the rest of the cycle, so that the curve passes through the one-worker point; 0 where transfers leave nothing.
 */
export function optimusCurve(demands: Demands, capacities: Capacities): OptimusCurve {
  const { aloneUs, serverCores } = capacities
  const pullUs = linkTimesUs(demands.pullBytes, capacities)
  const pushUs = linkTimesUs(demands.pushBytes, capacities)
  const servers = demands.pullBytes.length
  let fullestUs = 0
  for (let server = 0; server < servers; server++) {
    const transferUs = Math.max(pullUs[server], pushUs[server])
    fullestUs = Math.max(fullestUs, transferUs + (demands.updateUs[server] + demands.messageUs[server]) / serverCores)
  }
  const ownUs = Math.min(fullestUs, aloneUs)
  return { a: aloneUs - ownUs, b: ownUs * servers, c: 0, d: 0, servers }
}

/** Throughput with so many workers, steps per second. */
export function optimusThroughput({ a, b, c, d, servers }: OptimusCurve, workers: number): number {
  return (workers / (a + (b * workers) / servers + c * workers + d * servers)) * 1e6
}
