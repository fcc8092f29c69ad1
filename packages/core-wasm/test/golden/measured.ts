import type { Cluster } from '../../src/job.ts'
import { cluster } from '../support/cluster.ts'
import { job } from '../support/job.ts'
import { entryOf, type Simulate } from '../support/outcome.ts'

/**
 * The measured path (docs/method.md §10): TensorFlow 2.21, two network namespaces on a busy machine with two cores, 1 Gbit/s token bucket of 256 KiB.
 * Goodput is 1448/1514 of the line rate. Parsing costs 4·10⁻⁵ µs a byte; fixed cost and latency together are 0.2 to 0.5 ms: the middle.
 */
export const GOODPUT_BYTES_PER_US = 119.55
export const BURST_BYTES = 262_144
const FIXED_US = 350
const link = { outBytesPerUs: GOODPUT_BYTES_PER_US, inBytesPerUs: GOODPUT_BYTES_PER_US }

const measuredPath = (windowBytes: number): Cluster =>
  cluster({
    servers: [link],
    burstBytes: BURST_BYTES,
    turns: { first: windowBytes, later: windowBytes },
    workerParse: { slots: 10, perByteUs: 4e-5, fixedUs: FIXED_US },
    serverParse: { slots: 10, perByteUs: 4e-5, fixedUs: FIXED_US }
  })

/** Pulls of `sizes`, all ready at `startUs`, in this order: when each is complete. */
export function pullEndsUs(simulate: Simulate, sizes: readonly number[], startUs: number, windowBytes: number): number[] {
  const pulls = job(sizes.map(amount => ({ kind: 'pull', amount, releaseUs: startUs })))
  const outcome = simulate(pulls, measuredPath(windowBytes), { steps: 1 })
  return sizes.map((_, i) => entryOf(outcome, i).endUs)
}
