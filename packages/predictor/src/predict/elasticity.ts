import type { Core } from '@foretrain/core-wasm'
import { defaults } from '../defaults.ts'
import { type Resource, resourcesOf } from '../resources.ts'
import type { Pacer } from '../simulate/pacer.ts'
import { gainOf } from './gain.ts'
import type { Measured } from './measure.ts'

/**
 * Replications in which a raised resource is compared with the unraised one, with the same random numbers, until the standard error of the
 * elasticity is small. Phases between a few workers drift apart all the same, and their runs are short and cheap.
 */
const compared = { fewest: 2, most: 2 }
const comparedOfFew = { fewest: 4, most: 16 }
const wantedStandardError = 0.1
/** Standard errors within which an elasticity is taken for chance. */
const chance = 2
/** When no single resource reaches this but for chance, the two directions of a link may hide each other. */
const telling = 0.3

export interface ResourceReport {
  name: string
  utilisation: number
  /** Relative gain in throughput over the relative raise of the capacity, about 0 to 1. */
  elasticity: number
  /** [replication] of which it is the mean; empty where the resource was idle. */
  elasticities: number[]
}

export interface Elasticities {
  reports: ResourceReport[]
  /** The largest of all, over pairs of link directions too; among those that chance does not tell apart, the busiest. */
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
  const { scenario, replications } = measured
  const few = scenario.cluster.workers.length <= defaults.fewWorkers.value
  const { fewest, most: mostRuns } = few ? comparedOfFew : compared
  const runs = Math.min(replications.length, mostRuns)
  const report = async (resource: Resource): Promise<ResourceReport> => {
    const utilisation = mean(replications.map(run => resource.utilisation(run.statistics)))
    if (utilisation < defaults.idleUtilisation.value) return { name: resource.name, utilisation, elasticity: 0, elasticities: [] }
    const raise = defaults.capacityRaise.value
    const raised = resource.raised(scenario.cluster, 1 + raise)
    const elasticities: number[] = []
    for (let replication = 0; replication < runs; replication++) {
      elasticities.push((await gainOf(core, measured, raised, replication, pacer)) / raise)
      if (elasticities.length >= fewest && standardError(elasticities) <= wantedStandardError) break
    }
    return { name: resource.name, utilisation, elasticity: mean(elasticities), elasticities }
  }
  const { single, duplex } = resourcesOf(scenario.cluster)
  const reports: ResourceReport[] = []
  for (const resource of single) reports.push(await report(resource))
  const pairs: ResourceReport[] = []
  const most = largest(reports)
  if (most.elasticity - chance * standardError(most.elasticities) < telling)
    for (const resource of duplex) pairs.push(await report(resource))
  const { name, elasticity } = bottleneckOf([...reports, ...pairs])
  const gain = (of: readonly ResourceReport[]) => of.reduce((sum, one) => sum + Math.max(0, one.elasticity), 0)
  return {
    reports,
    bottleneck: { resource: name, elasticity },
    links: Math.max(gain(reports.filter(one => one.name.endsWith(' link'))), gain(pairs)),
    compute: Math.max(0, reports[0].elasticity)
  }
}

/** The resource of the largest elasticity; where others are as good but for chance, or it is chance itself, the busiest of them. */
export function bottleneckOf(reports: readonly ResourceReport[]): ResourceReport {
  const most = largest(reports)
  const isChance = most.elasticity <= chance * standardError(most.elasticities)
  const tied = reports.filter(one => isChance || one === most || isTied(one, most))
  const busiest = tied.reduce((most, one) => Math.max(most, one.utilisation), 0)
  return largest(tied.filter(one => one.utilisation === busiest))
}

function isTied(one: ResourceReport, most: ResourceReport): boolean {
  const common = one.elasticities.length > 0 ? most.elasticities.slice(0, one.elasticities.length) : most.elasticities
  const differences = common.map((elasticity, i) => elasticity - (one.elasticities[i] ?? 0))
  return mean(differences) <= standardError(differences)
}

/** Of the mean; 0 where a single value does not tell. */
function standardError(values: readonly number[]): number {
  if (values.length < 2) return 0
  const centre = mean(values)
  const squares = values.reduce((sum, value) => sum + (value - centre) ** 2, 0)
  return Math.sqrt(squares / (values.length - 1) / values.length)
}

function largest(reports: readonly ResourceReport[]): ResourceReport {
  return reports.reduce((most, one) => (one.elasticity > most.elasticity ? one : most))
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
