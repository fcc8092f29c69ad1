import { type Cluster, type Core, type Job, type LogEntry, Simulation, type StepRecords } from '@foretrain/core-wasm'
import { defaults } from '../defaults.ts'
import { reported } from '../simulate/memory.ts'
import type { Pacer } from '../simulate/pacer.ts'
import type { TimelineWindow } from './window.ts'

/** Simulated events between two looks at the log: what gathers meanwhile is all that is kept beyond the steps under way. */
const EVENTS_A_STRETCH = 20_000

/** A completed step of a traced worker with those of its operations that belong to the window. Times are µs since the run began. */
export interface PlayedStep {
  worker: number
  /** Ordinal of the worker's step. */
  step: number
  /** Of the job, and the step of the profile that it is. */
  template: number
  recordedStep: number
  startUs: number
  endUs: number
  entries: readonly LogEntry[]
}

interface Stretch {
  /** In the order of their ends. */
  steps: PlayedStep[]
  /** Nothing that a later stretch holds begins before this time. */
  settledUs: number
}

export interface Run {
  core: Core
  job: Job
  /** [k] recorded step of each template of the job, where they are not the same. */
  stepOf?: readonly number[]
  cluster: Cluster
  seed: number
  phaseSpanUs: number
  /** Workers to trace, ascending. */
  traced: readonly number[]
  window: TimelineWindow
  pacer: Pacer
}

/**
 * Simulates until the window has passed and hands out what falls into it, piece by piece. Held in memory are the steps under way of the traced
 * workers, however long the run and the window are.
 */
export async function* play(run: Run): AsyncGenerator<Stretch> {
  const { core, job, cluster, traced, pacer } = run
  const gathering = new Gathering(traced, run.window, run.stepOf)
  let simulation: Simulation | undefined
  try {
    const { seed, phaseSpanUs } = run
    simulation = new Simulation(core, job, cluster, {
      seed,
      replication: 0,
      phaseSpanUs,
      logWorkers: traced[traced.length - 1] + 1
    })
    while (!gathering.done) {
      simulation.run(Number.MAX_SAFE_INTEGER, EVENTS_A_STRETCH)
      const stretch = gathering.take(simulation.log(), simulation.records())
      simulation.clearRecords()
      await pacer.breathe(EVENTS_A_STRETCH)
      yield stretch
    }
  } catch (error) {
    throw reported(error, cluster.workers.length)
  } finally {
    simulation?.free()
  }
}

/** What is known of one traced worker. */
interface Traced {
  /** Steps completed, and how many of them belong to the window. */
  completed: number
  taken: number
  /** When the last of them ended: what is not yet known of this worker begins no earlier. */
  endedUs: number
  /** By ordinal of the step. */
  entries: Map<number, LogEntry[]>
}

class Gathering {
  private readonly workers: Map<number, Traced>
  /** From when the window counts; undefined until all traced workers are warm. Without meaning for a window of numbered steps. */
  private fromUs: number | undefined

  constructor(
    traced: readonly number[],
    private readonly window: TimelineWindow,
    private readonly stepOf: readonly number[] | undefined
  ) {
    this.workers = new Map(traced.map(worker => [worker, { completed: 0, taken: 0, endedUs: 0, entries: new Map() }]))
    if (window.kind === 'time') this.fromUs = window.fromUs
  }

  /** Whether everything of the window has been handed out. */
  get done(): boolean {
    return [...this.workers.values()].every(worker => this.hasPassed(worker))
  }

  take(log: readonly LogEntry[], { worker, template, startUs, endUs }: StepRecords): Stretch {
    for (const entry of log) {
      const own = this.workers.get(entry.worker)
      if (own === undefined || this.hasPassed(own) || this.isBefore(entry.step)) continue
      const list = own.entries.get(entry.step)
      if (list === undefined) own.entries.set(entry.step, [entry])
      else list.push(entry)
    }
    const steps: PlayedStep[] = []
    for (let i = 0; i < worker.length; i++) {
      const own = this.workers.get(worker[i])
      if (own === undefined) continue
      const step = own.completed++
      const entries = this.hasPassed(own) ? [] : this.belonging(own.entries.get(step) ?? [], startUs[i])
      own.entries.delete(step)
      // Only now: the step that crosses the end of the window belongs to it.
      own.endedUs = endUs[i]
      if (entries.length > 0) {
        own.taken++
        const recordedStep = this.stepOf?.[template[i]] ?? template[i]
        steps.push({ worker: worker[i], step, template: template[i], recordedStep, startUs: startUs[i], endUs: endUs[i], entries })
      }
      this.begin(endUs[i])
    }
    let settledUs = Number.POSITIVE_INFINITY
    for (const own of this.workers.values()) if (!this.hasPassed(own)) settledUs = Math.min(settledUs, own.endedUs)
    return { steps, settledUs }
  }

  /** A window whose begin was not given begins when the last traced worker has done its warm-up. */
  private begin(nowUs: number): void {
    if (this.fromUs !== undefined) return
    if ([...this.workers.values()].every(({ completed }) => completed >= defaults.warmUpSteps.value)) this.fromUs = nowUs
  }

  private hasPassed({ taken, endedUs }: Traced): boolean {
    const { window, fromUs } = this
    if (window.kind === 'steps') return taken >= window.count
    return fromUs !== undefined && endedUs >= fromUs + window.lengthUs
  }

  private isBefore(step: number): boolean {
    return this.window.kind === 'steps' && this.window.from !== undefined && step < this.window.from
  }

  /** Of the operations of a step those that belong to the window. */
  private belonging(entries: readonly LogEntry[], stepStartUs: number): readonly LogEntry[] {
    const { window, fromUs } = this
    if (window.kind === 'steps')
      return window.from !== undefined || stepStartUs >= (fromUs ?? Number.POSITIVE_INFINITY) ? entries : []
    if (fromUs === undefined) return []
    return entries.filter(entry => entry.endUs > fromUs && entry.readyUs < fromUs + window.lengthUs)
  }
}
