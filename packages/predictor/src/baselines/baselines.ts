import { boundsOf, type Capacities, queueingThroughput } from '../bounds.ts'
import { meanHostDemands } from '../colocation.ts'
import type { Demands } from '../demands.ts'
import type { Point } from '../schema.ts'
import { optimusCurve, optimusThroughput } from './optimus.ts'

/**
 * The simpler models that need no simulation of the cluster: a closed queueing network, the least of the bounds taken as if it were reached
 * (a roofline), and the curve of Optimus. With unequal workers, `aloneUs` is the cycle of a worker of their mean rate. Steps per second.
 */
export function closedFormBaselines(
  demands: Demands,
  capacities: Capacities
): Required<Pick<Point['baselines'], 'queueing' | 'bounds' | 'optimus'>> {
  const { workers, colocatedRates } = capacities
  const ofEqualWorkers = colocatedRates ? meanHostDemands(demands, workers) : demands
  return {
    queueing: queueingThroughput(ofEqualWorkers, capacities),
    bounds: Math.min(...Object.values(boundsOf(demands, capacities))),
    optimus: optimusThroughput(optimusCurve(ofEqualWorkers, capacities), workers)
  }
}
