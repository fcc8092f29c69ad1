import { meanInterval } from '../statistics/studentT.ts'

/** Relative difference to a reference with the half-width of its 95 % interval. */
export interface Gain {
  mean: number
  halfWidth: number
}

/**
 * Gain of one policy over another, from replications that share their random numbers. g = mean x / mean y − 1; its interval is Student's t of
 * the paired residuals x − (1 + g)·y, over mean y (the ratio estimator; Cochran, "Sampling Techniques", 6.4). What both have in common drops
 * out of the residuals: equal runs give 0 ± 0.
 *
 * @param rates of the policy, one a replication; at least two
 * @param reference rates of the reference in the same replications
 */
export function pairedGain(rates: readonly number[], reference: readonly number[]): Gain {
  const rate = meanInterval(rates).mean
  const base = meanInterval(reference).mean
  const ratio = rate / base
  const residuals = rates.map((value, replication) => value - ratio * reference[replication])
  return { mean: ratio - 1, halfWidth: meanInterval(residuals).halfWidth / base }
}

/** Whether the interval leaves 0 out. */
export function isTold({ mean, halfWidth }: Gain): boolean {
  return Math.abs(mean) > halfWidth
}
