import type { Cluster, Job, LogEntry, RunOptions, Statistics, StepRecords } from './job.ts'
import type { Core } from './loadCore.ts'

export class SimulationError extends Error {}

/** PLACEHOLDER SIGNATURES: being written; the public API is settled. */
export class Simulation {
  constructor(core: Core, job: Job, cluster: Cluster, options: RunOptions) {
    void [core, job, cluster, options]
  }
  /** Runs until `steps` steps in total have completed since the start, or about `maxEvents` events were taken in this call; says which. */
  run(steps: number, maxEvents?: number): 'done' | 'paused' {
    void [steps, maxEvents]
    throw new SimulationError('not yet')
  }
  /** Steps completed since the start. */
  get completedSteps(): number {
    throw new SimulationError('not yet')
  }
  get timeUs(): number {
    throw new SimulationError('not yet')
  }
  /** The completed steps since the start or the last clearRecords(). */
  records(): StepRecords {
    throw new SimulationError('not yet')
  }
  clearRecords(): void {}
  log(): LogEntry[] {
    throw new SimulationError('not yet')
  }
  statistics(): Statistics {
    throw new SimulationError('not yet')
  }
  resetStatistics(): void {}
  /** Gives the memory back; the object must not be used afterwards. */
  free(): void {}
}
