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
import { stepsPerRound } from '../mode.ts'
import { mserTruncation } from '../statistics/mser.ts'
import { reported } from './memory.ts'
import type { Pacer } from './pacer.ts'
import { stepsInWindow } from './window.ts'
import { WorkCount, type WorkDone } from './workCount.ts'

/** Stretches of equally many steps into which the measured ones are cut, to see where the start-up ends. */
const batches = 16

/** Steps of every worker, about, that are added at most until worker 0 has completed one. */
const mostExtraRounds = 64

/** Warm-up steps of a worker for each step that another may be ahead of it, and at most. */
const warmUpStepsOfLead = 4
const mostWarmUpStepsOfLead = 400

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
interface LoggedStep {
  template: number
  startUs: number
  /** For other workers: after its last operation or, in ssp, before its start. */
  waitedUs: number
  log: LogEntry[]
}

export interface Replication {
  /** Worker-steps per µs of the whole cluster, and of each worker. */
  stepsPerUs: number
  perWorkerPerUs: Float64Array
  /** Where the stretches begin and end, the first one at the end of the warm-up. */
  edges: Edge[]
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

/**
 * docs/method.md §6: 6 warm-up steps a worker and max(64, 8·W) measured ones, or exactly ⌈N/5⌉ and N a worker when N is fixed; §11: more where
 * workers wait for each other, and a longer warm-up where a bound on staleness is felt only when faster workers have used up their lead.
 */
export function planFor({ workers, mode }: Pick<Cluster, 'workers' | 'mode'>, fixedSteps: number | undefined): Plan {
  const count = workers.length
  if (fixedSteps !== undefined) return { warmUp: count * Math.ceil(fixedSteps / 5), measured: count * fixedSteps, truncate: false }
  const { warmUpSteps, fewestMeasuredSteps, measuredStepsPerWorker, measuredRounds } = defaults
  // One slow step holds up all: runs are longer, and MSER would take a slow begin for a start-up.
  const waits = mode !== undefined && mode.kind !== 'async'
  const perWorker = waits ? measuredRounds : measuredStepsPerWorker
  const measured = Math.max(fewestMeasuredSteps.value, perWorker.value * count)
  const lead = mode?.kind === 'ssp' ? Math.min(warmUpStepsOfLead * mode.staleness, mostWarmUpStepsOfLead) : 0
  return { warmUp: (warmUpSteps.value + lead) * count, measured, truncate: !waits }
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
  const perRound = stepsPerRound(cluster)
  const count = perRound === undefined ? new StepCount(new WorkCount(cluster, demands)) : new RoundCount(perRound)
  // Workers that move in rounds are measured from the end of one to that of another.
  const unit = perRound === undefined ? 1 : cluster.workers.length
  const whole = (steps: number) => unit * Math.ceil(steps / unit)
  const [warmUp, measured] = [whole(plan.warmUp), whole(plan.measured)]
  const stretches = Math.min(batches, Math.ceil(measured / unit))
  const log = { logWorkers: loggedSteps > 0 ? 1 : 0, logSteps: loggedSteps }
  const simulation = newSimulation(core, job, cluster, { seed, replication, phaseSpanUs, ...log })
  let told = 0
  const breathe = (events: number) => {
    const before = told
    told = simulation.completedSteps
    return pacer.breathe(events, told - before)
  }
  const runTo = async (steps: number) => {
    while (simulation.run(steps, pacer.stretch) === 'paused') await breathe(pacer.stretch)
  }
  try {
    await runTo(warmUp)
    simulation.resetStatistics()
    let statistics = simulation.statistics()
    count.note(simulation, statistics, warmUp)
    for (let stretch = 1; stretch <= stretches; stretch++) {
      const steps = warmUp + unit * Math.round((measured * stretch) / stretches / unit)
      await runTo(steps)
      statistics = simulation.statistics()
      count.note(simulation, statistics, steps)
    }
    await breathe(statistics.events)
    const edges = count.edges()
    const rates = ratesBetween(edges)
    const cut = plan.truncate ? mserTruncation(rates, 1) : 0
    const from = edges[cut]
    const to = edges[stretches]
    const stepsPerUs = (to.progress - from.progress) / (to.elapsedUs - from.elapsedUs)
    const records = simulation.records()
    const steps = stepsInWindow(records, cluster.workers.length, from.steps, cluster.stepOverheadUs, cluster.mode?.kind === 'ssp')
    // Worker 0 is the one whose steps are looked into; in a short run it may have begun last.
    let known = records
    for (let round = 1; loggedSteps > 0 && round <= mostExtraRounds && !known.worker.includes(0); round++) {
      await runTo(warmUp + measured + round * cluster.workers.length)
      known = simulation.records()
    }
    return {
      stepsPerUs,
      perWorkerPerUs: steps.shareOfWorker.map(share => share * stepsPerUs),
      edges,
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

/** Notes what a run has done at some times, to give the edges between stretches when it is over. */
interface Count {
  note(simulation: Simulation, statistics: Statistics, steps: number): void
  edges(): Edge[]
}

class StepCount implements Count {
  readonly #work: WorkCount
  readonly #noted: Array<{ steps: number; done: WorkDone }> = []

  constructor(work: WorkCount) {
    this.#work = work
  }

  note(_: Simulation, statistics: Statistics, steps: number): void {
    this.#noted.push({ steps, done: this.#work.done(statistics) })
  }

  edges(): Edge[] {
    const weights = this.#work.weights(this.#noted[this.#noted.length - 1].done)
    const worked = ({ steps }: WorkDone) => weights?.reduce((sum, weight, i) => sum + weight * steps[i], 0)
    return this.#noted.map(({ steps, done }) => ({ steps, progress: worked(done) ?? steps, elapsedUs: done.elapsedUs }))
  }
}

/** Whole rounds, up to the last that has ended. */
class RoundCount implements Count {
  readonly #stepsPerRound: number
  readonly #edges: Edge[] = []

  constructor(stepsPerRound: number) {
    this.#stepsPerRound = stepsPerRound
  }

  note({ rounds }: Simulation, _: Statistics, steps: number): void {
    this.#edges.push({ steps, progress: rounds.count * this.#stepsPerRound, elapsedUs: rounds.endUs })
  }

  edges(): Edge[] {
    return this.#edges
  }
}

function lastStepsOfFirstWorker(
  { worker, template, startUs, waitedUs }: StepRecords,
  log: readonly LogEntry[],
  most: number
): LoggedStep[] {
  const own = Array.from(worker.keys()).filter(index => worker[index] === 0)
  const from = Math.max(0, own.length - most)
  const steps = own
    .slice(from)
    .map((index): LoggedStep => ({ template: template[index], startUs: startUs[index], waitedUs: waitedUs[index], log: [] }))
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

/** What a run has done by some time. */
export interface Edge {
  /** Completed since the start of the run. */
  steps: number
  /** Work done, in steps, since a time that all edges of a run have in common. */
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
