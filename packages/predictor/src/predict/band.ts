import { defaults } from '../defaults.ts'
import { studentT975 } from '../statistics/studentT.ts'

/** Relative sensitivity of throughput to what is uncertain. */
export interface Sensitivities {
  /** d ln X / d ln of the workers' compute speed. */
  compute: number
  /** … of the rate of links, over all of them. */
  links: number
}

/**
 * Relative half-width of the interval in which a measurement should fall: the root of the sum of squares of
 * - the simulation's own interval;
 * - few templates: their mean compute has a standard error, which reaches throughput through its elasticity;
 * - the goodput of the path, likewise;
 * - with several workers, what two runs of one real cluster differ by.
 */
export function bandHalfWidth(
  simulation: number,
  { compute, links }: Sensitivities,
  templates: { count: number; computeStandardError: number },
  workers: number
): number {
  const normal = 1.96
  const meanCompute =
    templates.count > 1 ? studentT975(templates.count - 1) * templates.computeStandardError : normal * defaults.templateSpread.value
  const few = meanCompute * compute
  const goodput = normal * defaults.goodputShare.value * links
  const runs = workers > 1 ? normal * defaults.runToRunShare.value : 0
  return Math.sqrt(simulation ** 2 + few ** 2 + goodput ** 2 + runs ** 2)
}
