import {
  type Cluster,
  type Core,
  type Job,
  type LogEntry,
  type RunOptions,
  Simulation,
  type Statistics,
  type StepRecords
} from '@foretrain/core-wasm'
import { defaults } from '../defaults.ts'
import type { Demands } from '../demands.ts'
import { mserTruncation } from '../statistics/mser.ts'
import { reported } from './memory.ts'
import type { Pacer } from './pacer.ts'
import { progressOf } from './progress.ts'
import { stepsInWindow } from './window.ts'

/** Stretches of equally many steps into which the measured ones are cut, to see where the start-up ends. */
const batches = 16

/** Steps of every worker, about, that are added at most until worker 0 has completed one. */
const mostExtraRounds = 64

/** Everything that decides a run but the replication's number. */
export interface Scenario {
  job: Job
  cluster: Cluster
  /** Of the job. */
  demands: Demands
  seed: number
  /** Workers begin independently and uniformly within this span: one step of this cluster. */
  phaseSpanUs: number
}

/** Steps of the whole cluster to run. */
export interface Plan {
  warmUp: number
  measured: number
  /** Whether MSER may cut more than the warm-up. */
  truncate: boolean
}

/** A completed step with all its operations. */
export interface LoggedStep {
  template: number
  startUs: number
  log: LogEntry[]
}

export interface Replication {
  /** Worker-steps per µs of the whole cluster, and of each worker. */
  stepsPerUs: number
  perWorkerPerUs: Float64Array
  /** Of each stretch that was measured. */
  batchStepsPerUs: number[]
  /** From a step's begin to the next one's, of the measured steps. */
  cycleUs: number[]
  staleness: number[]
  /** Since the end of the warm-up. */
  statistics: Statistics
  /** The last steps of worker 0, if they were wanted; at least one, though it may have ended after what was measured. */
  lastSteps: LoggedStep[]
}

/** docs/method.md §6: 6 warm-up steps a worker and max(64, 8·W) measured ones, or exactly ⌈N/5⌉ and N a worker when N is fixed. */
export function planFor(workers: number, fixedSteps: number | undefined): Plan {
  if (fixedSteps !== undefined)
    return { warmUp: workers * Math.ceil(fixedSteps / 5), measured: workers * fixedSteps, truncate: false }
  const { warmUpSteps, fewestMeasuredSteps, measuredStepsPerWorker } = defaults
  const measured = Math.max(fewestMeasuredSteps.value, measuredStepsPerWorker.value * workers)
  return { warmUp: warmUpSteps.value * workers, measured, truncate: true }
}

/**
 * One run. Two replications of a scenario differ in the phases of workers and the order of templates.
 *
 * @param loggedSteps how many of worker 0's last steps are wanted
 */
export async function runReplication(
  core: Core,
  scenario: Scenario,
  plan: Plan,
  replication: number,
  pacer: Pacer,
  loggedSteps = 0
): Promise<Replication> {
  const { job, cluster, demands, seed, phaseSpanUs } = scenario
  const progress = progressOf(cluster, demands)
  const log = { logWorkers: loggedSteps > 0 ? 1 : 0, logSteps: loggedSteps }
  const simulation = newSimulation(core, job, cluster, { seed, replication, phaseSpanUs, ...log })
  const runTo = async (steps: number) => {
    while (simulation.run(steps, pacer.stretch) === 'paused') await pacer.breathe(pacer.stretch)
  }
  try {
    await runTo(plan.warmUp)
    simulation.resetStatistics()
    const edges: Edge[] = [{ steps: plan.warmUp, progress: 0, elapsedUs: 0 }]
    let statistics = simulation.statistics()
    for (let batch = 1; batch <= batches; batch++) {
      const steps = plan.warmUp + Math.round((plan.measured * batch) / batches)
      await runTo(steps)
      statistics = simulation.statistics()
      edges.push({ steps, progress: progress?.(statistics) ?? steps - plan.warmUp, elapsedUs: statistics.elapsedUs })
    }
    await pacer.breathe(statistics.events)
    const rates = ratesBetween(edges)
    const cut = plan.truncate ? mserTruncation(rates, 1) : 0
    const from = edges[cut]
    const to = edges[batches]
    const stepsPerUs = (to.progress - from.progress) / (to.elapsedUs - from.elapsedUs)
    const records = simulation.records()
    const steps = stepsInWindow(records, cluster.workers.length, from.steps, cluster.stepOverheadUs)
    // Worker 0 is the one whose steps are looked into; in a short run it may have begun last.
    let known = records
    for (let round = 1; loggedSteps > 0 && round <= mostExtraRounds && !known.worker.includes(0); round++) {
      await runTo(plan.warmUp + plan.measured + round * cluster.workers.length)
      known = simulation.records()
    }
    return {
      stepsPerUs,
      perWorkerPerUs: steps.shareOfWorker.map(share => share * stepsPerUs),
      batchStepsPerUs: rates.slice(cut),
      cycleUs: steps.cycleUs,
      staleness: steps.staleness,
      statistics,
      lastSteps: lastStepsOfFirstWorker(known, simulation.log(), loggedSteps)
    }
  } catch (error) {
    throw reported(error, cluster.workers.length)
  } finally {
    simulation.free()
  }
}

function lastStepsOfFirstWorker({ worker, template, startUs }: StepRecords, log: readonly LogEntry[], most: number): LoggedStep[] {
  const own = Array.from(worker.keys()).filter(index => worker[index] === 0)
  const from = Math.max(0, own.length - most)
  const steps = own.slice(from).map((index): LoggedStep => ({ template: template[index], startUs: startUs[index], log: [] }))
  for (const entry of log) steps[entry.step - from]?.log.push(entry)
  return steps
}

function newSimulation(core: Core, job: Job, cluster: Cluster, options: RunOptions): Simulation {
  try {
    return new Simulation(core, job, cluster, options)
  } catch (error) {
    throw reported(error, cluster.workers.length)
  }
}

interface Edge {
  /** Completed since the start of the run. */
  steps: number
  /** Since the end of the warm-up. */
  progress: number
  elapsedUs: number
}

/** Steps per µs of each stretch; 0 for one in which no time passed. */
function ratesBetween(edges: readonly Edge[]): number[] {
  const rates: number[] = []
  for (let i = 1; i < edges.length; i++) {
    const spanUs = edges[i].elapsedUs - edges[i - 1].elapsedUs
    rates.push(spanUs > 0 ? (edges[i].progress - edges[i - 1].progress) / spanUs : 0)
  }
  return rates
}
