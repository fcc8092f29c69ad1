import type { Core } from '@foretrain/core-wasm'
import { defaults } from '../defaults.ts'
import { type Resource, resourcesOf } from '../resources.ts'
import type { Pacer } from '../simulate/pacer.ts'
import { type Measured, quickMean, stepsPerSecond } from './measure.ts'

/** Replications in which a raised resource is compared with the unraised one, with the same random numbers. */
const comparedReplications = 2
/** When no single resource reaches this, the two directions of a link may hide each other. */
const telling = 0.3

export interface ResourceReport {
  name: string
  utilisation: number
  /** Relative gain in throughput over the relative raise of the capacity, about 0 to 1. */
  elasticity: number
}

export interface Elasticities {
  reports: ResourceReport[]
  /** The largest of all, over pairs of link directions too. */
  bottleneck: { resource: string; elasticity: number }
  /** Gain from raising every link, about. */
  links: number
  compute: number
}

/**
 * How much of a tenth more capacity arrives as throughput, for each resource. One that is idle nearly all the time is not simulated
 * again: it can gain no more than the share of time that it is busy, and is given as 0.
 */
export async function elasticitiesOf(core: Core, measured: Measured, pacer: Pacer): Promise<Elasticities> {
  const { scenario, plan, replications } = measured
  const compared = Math.min(comparedReplications, replications.length)
  const base = mean(replications.slice(0, compared).map(stepsPerSecond))
  const report = async (resource: Resource): Promise<ResourceReport> => {
    const utilisation = mean(replications.map(run => resource.utilisation(run.statistics)))
    if (utilisation < defaults.idleUtilisation.value) return { name: resource.name, utilisation, elasticity: 0 }
    const raise = defaults.capacityRaise.value
    const raised = { ...scenario, cluster: resource.raised(scenario.cluster, 1 + raise) }
    return {
      name: resource.name,
      utilisation,
      elasticity: ((await quickMean(core, raised, plan, compared, pacer)) / base - 1) / raise
    }
  }
  const { single, duplex } = resourcesOf(scenario.cluster)
  const reports: ResourceReport[] = []
  for (const resource of single) reports.push(await report(resource))
  const pairs: ResourceReport[] = []
  if (largest(reports).elasticity < telling) for (const resource of duplex) pairs.push(await report(resource))
  const { name, elasticity } = largest([...reports, ...pairs])
  const gain = (of: readonly ResourceReport[]) => of.reduce((sum, one) => sum + Math.max(0, one.elasticity), 0)
  return {
    reports,
    bottleneck: { resource: name, elasticity },
    links: Math.max(gain(reports.filter(one => one.name.endsWith(' link'))), gain(pairs)),
    compute: Math.max(0, reports[0].elasticity)
  }
}

function largest(reports: readonly ResourceReport[]): ResourceReport {
  return reports.reduce((most, one) => (one.elasticity > most.elasticity ? one : most))
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
