import type { Core } from '@foretrain/core-wasm'
import { defaults } from '../defaults.ts'
import { resourcesOf } from '../resources.ts'
import type { Pacer } from '../simulate/pacer.ts'
import { type Measured, quickMean, stepsPerSecond } from './measure.ts'

/** Replications in which a raised resource is compared with the unraised one, with the same random numbers. */
const comparedReplications = 2

export interface ResourceReport {
  name: string
  utilisation: number
  /** Relative gain in throughput over the relative raise of the capacity, about 0 to 1. */
  elasticity: number
}

/**
 * How much of a tenth more capacity arrives as throughput, for each resource. One that is idle nearly all the time cannot matter and is not
 * simulated again: its elasticity is at most its utilisation, which is given as 0.
 */
export async function resourceReports(core: Core, measured: Measured, pacer: Pacer): Promise<ResourceReport[]> {
  const { scenario, plan, replications } = measured
  const compared = Math.min(comparedReplications, replications.length)
  const base = mean(replications.slice(0, compared).map(stepsPerSecond))
  const reports: ResourceReport[] = []
  for (const resource of resourcesOf(scenario.cluster)) {
    const utilisation = mean(replications.map(run => resource.utilisation(run.statistics)))
    let elasticity = 0
    if (utilisation >= defaults.idleUtilisation.value) {
      const raise = defaults.capacityRaise.value
      const raised = { ...scenario, cluster: resource.raised(scenario.cluster, 1 + raise) }
      elasticity = ((await quickMean(core, raised, plan, compared, pacer)) / base - 1) / raise
    }
    reports.push({ name: resource.name, utilisation, elasticity })
  }
  return reports
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
