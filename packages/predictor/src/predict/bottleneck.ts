import type { Cluster, Core } from '@foretrain/core-wasm'
import { defaults } from '../defaults.ts'
import { type Resource, resourcesOf } from '../resources.ts'
import type { Pacer } from '../simulate/pacer.ts'
import { elasticitiesOf } from './elasticity.ts'
import { gainOf } from './gain.ts'
import type { Measured } from './measure.ts'

/** More than `predict` raises a capacity by: what that brings stands out from chance in a single run. */
const raise = 0.25
/** A smaller elasticity is taken for chance. */
const chance = 0.1
/** Two directions of a link are busy alike when their utilisations differ by less, as a share of the larger one: then each hides the other. */
const alike = 0.02
/** Without what is busy for this share of time no other resource can have an elasticity of more than a fifth. */
const saturated = 1 / (1 + 0.2 * raise)
/** And not of more than a half without what is busy for this share. */
const nearlySaturated = 1 / (1 + 0.5 * raise)
/** Resources of each server: its link's two directions and its cores. */
const kinds = 3

/** Of two resources at most one has more; a direction of a link that has is named alone. */
const half = 0.5

interface Candidate {
  resource: Resource
  utilisation: number
}

interface Found {
  candidate: Candidate
  elasticity: number
}

/**
 * The name of the bottleneck, as `elasticitiesOf` finds it, from a run or two in place of a dozen. Of each kind of resource only the busiest
 * can be it; the likeliest is raised first; and as elasticities of different resources sum up to 1 at most, the search ends when no other can
 * have more. Where two resources are about as good it may name the other one. Of a resource that is busy for a share u of the time, more than 1/u
 * of the throughput cannot be had without it: where u is close to 1 it is the bottleneck, and nothing needs to be run.
 *
 * @param measured its first replication is what raised clusters are compared with, on the same random numbers
 */
export async function quickBottleneck(core: Core, measured: Measured, pacer: Pacer): Promise<string> {
  const { cluster } = measured.scenario
  const { single, duplex } = resourcesOf(cluster)
  const [compute, ...ofServers] = single.map(resource => candidateOf(resource, measured))
  const [out, into, cpu] = Array.from({ length: kinds }, (_, kind) => busiest(ofServers.filter((_, i) => i % kinds === kind)))
  const both = busiest(duplex.map(resource => candidateOf(resource, measured)))

  const known = isUniform(cluster) ? saturatedOf(compute, [out, into], both, cpu) : undefined
  if (known) return known.resource.name
  // Phases between few workers drift apart, so that a single run tells little, and their runs are short.
  if (cluster.workers.length <= defaults.fewWorkers.value) return (await elasticitiesOf(core, measured, pacer)).bottleneck.resource

  const raised = async (candidate: Candidate): Promise<Found> => {
    const { resource, utilisation } = candidate
    if (utilisation < defaults.idleUtilisation.value) return { candidate, elasticity: 0 }
    const gain = await gainOf(core, measured, resource.raised(cluster, 1 + raise), 0, pacer)
    return { candidate, elasticity: gain / raise }
  }
  const raisedLink = async (): Promise<Found> => {
    const [busier, other] = out.utilisation >= into.utilisation ? [out, into] : [into, out]
    const one = await raised(busier)
    if (one.elasticity >= half) return one
    // Each direction may hide what the other would bring.
    const together = await raised(both)
    const areAlike = busier.utilisation - other.utilisation < alike * busier.utilisation
    if (areAlike || together.elasticity < half) return larger(one, together)
    const rest = await raised(other)
    return rest.elasticity >= half ? rest : together
  }

  // A worker with several slots is held up by one that is always busy.
  const likeliest = [
    { load: compute.utilisation * cluster.computeSlots, find: () => raised(compute) },
    { load: both.utilisation, find: raisedLink },
    { load: cpu.utilisation, find: () => raised(cpu) }
  ].sort((a, b) => b.load - a.load)
  let most: Found = { candidate: compute, elasticity: 0 }
  let left = 1
  for (const { find } of likeliest) {
    const found = await find()
    most = larger(most, found)
    left -= Math.max(0, found.elasticity)
    if (most.elasticity >= left) break
  }
  return (most.elasticity < chance ? busiest([compute, ...ofServers]) : most.candidate).resource.name
}

/**
 * Whether busy shares tell what is full: a connection that has a server's link for itself fills it, and workers compute alike, so that the mean of their
 * busy shares is that of each.
 */
function isUniform({ servers, workers, colocate, flowBytesPerUs = Number.POSITIVE_INFINITY }: Cluster): boolean {
  const [{ outBytesPerUs, inBytesPerUs }] = servers
  const [{ computeScale }] = workers
  const isAlike = (worker: Cluster['workers'][number]) => worker.computeScale === computeScale && worker.straggler === undefined
  const isFilled = (worker: Cluster['workers'][number]) =>
    Math.min(worker.inBytesPerUs, flowBytesPerUs) >= outBytesPerUs && Math.min(worker.outBytesPerUs, flowBytesPerUs) >= inBytesPerUs
  // A worker that pulls from several servers fills its own link first.
  return servers.length === 1 && !colocate && workers.every(worker => isFilled(worker) && isAlike(worker))
}

/** What needs no run: the one kind of resource that is always busy. */
function saturatedOf(compute: Candidate, directions: Candidate[], both: Candidate, cpu: Candidate): Candidate | undefined {
  const isSaturated = ({ utilisation }: Candidate) => utilisation >= saturated
  const link =
    directions.find(isSaturated) &&
    (directions.every(({ utilisation }) => utilisation >= nearlySaturated) ? both : busiest(directions))
  const found = [...(link ? [link] : []), ...[compute, cpu].filter(isSaturated)]
  return found.length === 1 ? found[0] : undefined
}

function larger(one: Found, other: Found): Found {
  return other.elasticity > one.elasticity ? other : one
}

function candidateOf(resource: Resource, { replications }: Measured): Candidate {
  const sum = replications.reduce((busy, run) => busy + resource.utilisation(run.statistics), 0)
  return { resource, utilisation: sum / replications.length }
}

/** The first of the busiest. */
function busiest(candidates: readonly Candidate[]): Candidate {
  return candidates.reduce((most, one) => (one.utilisation > most.utilisation ? one : most))
}
