import type { Cluster, Job, RunOptions, StepRecords } from '../../src/job.ts'
import type { Core } from '../../src/loadCore.ts'
import { Simulation } from '../../src/simulation.ts'

/** A simulation that is given back whatever happens. */
export function withSimulation<T>(
  core: Core,
  job: Job,
  cluster: Cluster,
  options: Partial<RunOptions>,
  use: (simulation: Simulation) => T
): T {
  const simulation = new Simulation(core, job, cluster, { seed: 1, replication: 0, phaseSpanUs: 0, ...options })
  try {
    return use(simulation)
  } finally {
    simulation.free()
  }
}

/** A copy: what records() gives may be a view of memory that goes on living. */
export const copyOf = (records: StepRecords): StepRecords => structuredClone(records)

export function recordsOf(core: Core, job: Job, cluster: Cluster, options: Partial<RunOptions>, steps: number): StepRecords {
  return withSimulation(core, job, cluster, options, simulation => {
    simulation.run(steps)
    return copyOf(simulation.records())
  })
}

/** Links and connections looked at to find shares, since the start. */
export function sharingVisits(simulation: Simulation): number {
  // biome-ignore lint/complexity/useLiteralKeys: private, and of no use to anybody else
  return simulation['readDouble']('SIM_SHARING_VISITS')
}
