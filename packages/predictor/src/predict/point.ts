import type { Cluster, Core } from '@foretrain/core-wasm'
import { closedFormBaselines } from '../baselines/baselines.ts'
import { boundsOf, type Capacities } from '../bounds.ts'
import { walkContext } from '../criticalPath.ts'
import { defaults } from '../defaults.ts'
import { roundLimits, stepsPerRound } from '../mode.ts'
import { serverBytesOf } from '../placement/balance.ts'
import { nameOfPolicy } from '../policies/policyOf.ts'
import type { Question } from '../question.ts'
import type { Point } from '../schema.ts'
import { clusterOf, type SetUp } from '../setUp.ts'
import type { Pacer } from '../simulate/pacer.ts'
import { summarise } from '../statistics/quantile.ts'
import { describeTransport } from '../transport.ts'
import { bandHalfWidth } from './band.ts'
import { bandwidthText } from './bandwidth.ts'
import { breakdownOf } from './breakdown.ts'
import { elasticitiesOf } from './elasticity.ts'
import { computeSpeedOf, groupsOf, replicasOf } from './groups.ts'
import { type Measured, quickMean } from './measure.ts'
import { stalenessOf } from './staleness.ts'

/**
 * With equal sharing the phases between workers stay as they began, so throughput differs from run to run rather than within one: many short
 * runs tell the mean of a few workers. Many workers have all phases at once.
 */
const baselineReplicationsOfMany = 1
const baselineReplications = 2
const baselineReplicationsOfFew = 8
const manyWorkers = 16

/**
 * @param alone the same cluster with its first worker only
 * @param aloneRates [W] throughput of each worker when it is alone, steps per second
 */
export async function pointOf(
  core: Core,
  question: Question,
  set: SetUp,
  measured: Measured,
  alone: Measured,
  aloneRates: readonly number[],
  pacer: Pacer
): Promise<Point> {
  const { scenario, replications, mean, halfWidth } = measured
  const workers = scenario.cluster.workers.length
  const overheadUs = scenario.cluster.stepOverheadUs
  const elasticities = await elasticitiesOf(core, measured, pacer)
  const cycles = summarise(replications.flatMap(run => run.cycleUs))
  const perRound = stepsPerRound(scenario.cluster)
  const limits = roundLimits(scenario.cluster, aloneRates)
  const capacities: Capacities = {
    workers,
    aloneUs: (workers / aloneRates.reduce((sum, rate) => sum + rate, 0)) * 1e6,
    goodputBytesPerUs: set.path.goodputBytesPerUs,
    serverBytesPerUs: set.hosts?.serverBytesPerUs,
    serverCores: set.serverCores,
    ...(perRound !== undefined && limits && { rounds: { ...limits, stepsPerRound: perRound } }),
    ...(set.colocate && { colocatedRates: aloneRates.map(perSecond => perSecond / 1e6) })
  }
  const band = bandHalfWidth(
    halfWidth / mean,
    elasticities,
    { count: question.profile.steps.length, computeStandardError: set.demands.computeStandardError },
    workers
  )
  const batchSize = question.batchSize ?? 1
  const [first] = scenario.cluster.workers
  const ownPath = {
    ...set.path,
    latencyUs: first.latencyUs,
    aloneBytesPerUs: ownRate(set, scenario.cluster),
    ...(set.colocate && { serverAtHome: 0 })
  }
  const walked = walkContext(set.profile, set.ordered, ownPath, first.computeScale)
  const perWorker = Array.from({ length: workers }, (_, w) => average(replications.map(run => run.perWorkerPerUs[w])) * 1e6)
  const groups = groupsOf(question.hosts, perWorker)
  const computeSpeed = computeSpeedOf(question, workers)
  return {
    workers,
    servers: set.servers,
    mode: question.mode ?? 'async',
    policy: nameOfPolicy(question),
    bandwidth: bandwidthText(question.bandwidthBitsPerSecond),
    batchSize,
    stepsPerSecond: {
      mean,
      ci95: [Math.max(0, mean - halfWidth), mean + halfWidth],
      band95: [mean * Math.max(0, 1 - band), mean * (1 + band)]
    },
    examplesPerSecond: batchesPerSecond(question.hosts, mean, perWorker) * batchSize,
    ...(perRound !== undefined && { roundsPerSecond: mean / perRound }),
    speedup: mean / alone.mean,
    efficiency: mean / alone.mean / workers,
    perWorker,
    ...(computeSpeed !== undefined && { computeSpeed }),
    ...(groups && { groups }),
    ...(set.servers > 1 && { serverBytes: serverBytesOf(set.demands) }),
    stepMs: { mean: cycles.mean / 1000, p50: cycles.p50 / 1000, p95: cycles.p95 / 1000 },
    bottleneck: elasticities.bottleneck,
    utilisation: Object.fromEntries(elasticities.reports.map(report => [report.name, report.utilisation])),
    breakdownMs: breakdownOf(walked, replications[0], cycles.mean, overheadUs),
    staleness: stalenessOf(replications.flatMap(run => run.staleness)),
    bounds: boundsOf(set.demands, capacities),
    baselines: {
      ...closedFormBaselines(set.demands, capacities),
      equalSharing: await equalSharing(core, set, measured, pacer)
    }
  }
}

/** Throughput if connections shared links equally and without windows, as simulators of networks take it for granted. */
async function equalSharing(core: Core, set: SetUp, { scenario, plan }: Measured, pacer: Pacer): Promise<number> {
  const workers = scenario.cluster.workers.length
  const path = { ...set.path, windowBytes: Number.POSITIVE_INFINITY, firstTurns: undefined }
  const cluster = clusterOf(set, workers, describeTransport('simple', path, set.network))
  const short = { ...plan, warmUp: Math.ceil(plan.warmUp / 3), measured: Math.ceil(plan.measured / 3) }
  const ofMore = workers > manyWorkers ? baselineReplicationsOfMany : baselineReplications
  const replications = workers <= defaults.fewWorkers.value ? baselineReplicationsOfFew : ofMore
  return quickMean(core, { ...scenario, job: set.compiled.job, cluster }, short, replications, pacer)
}

/** Worker-steps per second, each counted as many times as its worker has replicas. */
export function batchesPerSecond(hosts: Question['hosts'], mean: number, perWorker: readonly number[]): number {
  const replicas = perWorker.map((_, worker) => replicasOf(hosts, worker))
  if (replicas.every(count => count === replicas[0])) return mean * replicas[0]
  return perWorker.reduce((sum, rate, worker) => sum + rate * replicas[worker], 0)
}

/** What worker 0 gets from each server when nobody else is there; undefined where that is the same for all. */
function ownRate({ hosts, colocate }: SetUp, cluster: Cluster): ((server: number) => number) | undefined {
  if (hosts === undefined && !colocate) return undefined
  const { workers, servers, loopbackBytesPerUs = Number.POSITIVE_INFINITY } = cluster
  return server =>
    colocate && server === 0 ? loopbackBytesPerUs : Math.min(workers[0].inBytesPerUs, servers[server].outBytesPerUs)
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
