import { type Core, loadCore, loadPortableCore } from '../../src/loadCore.ts'
import { Simulation } from '../../src/simulation.ts'
import { simulateByReference } from '../reference/simulate.ts'
import type { Outcome, Simulate, Step } from './outcome.ts'

export interface Engine {
  name: string
  simulate: Simulate
}

function outcomeOf(simulation: Simulation): Outcome {
  const records = simulation.records()
  const steps = Array.from(
    records.worker,
    (worker, i): Step => ({
      worker,
      template: records.template[i],
      startUs: records.startUs[i],
      endUs: records.endUs[i],
      staleness: records.staleness[i]
    })
  )
  return { steps, log: simulation.log(), statistics: simulation.statistics() }
}

function simulateBy(core: Core): Simulate {
  return (job, cluster, { steps, logWorkers = cluster.workers.length }) => {
    const simulation = new Simulation(core, job, cluster, { seed: 1, replication: 0, phaseSpanUs: 0, inOrder: true, logWorkers })
    try {
      simulation.run(steps)
      return outcomeOf(simulation)
    } finally {
      simulation.free()
    }
  }
}

const failing = null as unknown as Core
export const wasmCore = await loadCore().catch(() => failing)
export const portableCore = await loadPortableCore().catch(() => failing)

/** The one place where simulators are plugged in. */
const all: readonly Engine[] = [
  { name: 'reference', simulate: simulateByReference },
  { name: 'WebAssembly', simulate: simulateBy(wasmCore) },
  { name: 'JavaScript', simulate: simulateBy(portableCore) }
]
export const engines = wasmCore ? all : all.slice(0, 1)
export const simulateByCore = all[1].simulate
