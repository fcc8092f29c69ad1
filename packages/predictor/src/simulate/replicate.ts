import {
  type Cluster,
  type Core,
  type Job,
  type LogEntry,
  Simulation,
  type Statistics,
  type StepRecords
} from '@foretrain/core-wasm'
import { defaults } from '../defaults.ts'
import type { Pacer } from './pacer.ts'
import { measureWindow, type WindowedRun } from './window.ts'

/** Everything that decides a run but the replication's number. */
export interface Scenario {
  job: Job
  cluster: Cluster
  seed: number
  /** Workers begin independently and uniformly within this span: one step. */
  phaseSpanUs: number
}

/** Steps of the whole cluster to run. */
export interface Plan {
  warmUp: number
  measured: number
  /** Whether MSER may cut more than the warm-up. */
  truncate: boolean
}

export interface Replication extends WindowedRun {
  /** Since the end of the warm-up. */
  statistics: Statistics
  records: StepRecords
  /** Operations of worker 0, if they were wanted. */
  log: LogEntry[]
}

/** Method 3.7: 6 warm-up steps a worker and max(64, 8·W) measured ones, or exactly ⌈N/5⌉ and N a worker when N is fixed. */
export function planFor(workers: number, fixedSteps: number | undefined): Plan {
  if (fixedSteps !== undefined)
    return { warmUp: workers * Math.ceil(fixedSteps / 5), measured: workers * fixedSteps, truncate: false }
  const { warmUpSteps, fewestMeasuredSteps, measuredStepsPerWorker } = defaults
  const measured = Math.max(fewestMeasuredSteps.value, measuredStepsPerWorker.value * workers)
  return { warmUp: warmUpSteps.value * workers, measured, truncate: true }
}

/** One run. Two replications of a scenario differ in the phases of workers and the order of templates. */
export async function runReplication(
  core: Core,
  scenario: Scenario,
  plan: Plan,
  replication: number,
  pacer: Pacer,
  logged = false
): Promise<Replication> {
  const { job, cluster, seed, phaseSpanUs } = scenario
  const simulation = new Simulation(core, job, cluster, { seed, replication, phaseSpanUs, logWorkers: logged ? 1 : 0 })
  try {
    while (simulation.run(plan.warmUp, pacer.stretch) === 'paused') await pacer.breathe(pacer.stretch)
    simulation.resetStatistics()
    while (simulation.run(plan.warmUp + plan.measured, pacer.stretch) === 'paused') await pacer.breathe(pacer.stretch)
    const statistics = simulation.statistics()
    const records = simulation.records()
    await pacer.breathe(statistics.events)
    const window = measureWindow(records, cluster.workers.length, plan.warmUp, plan.truncate, cluster.stepOverheadUs)
    return { ...window, statistics, records, log: logged ? simulation.log() : [] }
  } finally {
    simulation.free()
  }
}
