import { type Core, loadCore, loadPortableCore } from '../../src/loadCore.ts'
import type { Simulation } from '../../src/simulation.ts'
import { simulateByReference } from '../reference/simulate.ts'
import { withSimulation } from './core.ts'
import type { Outcome, Simulate, Step } from './outcome.ts'

interface Engine {
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
      staleness: records.staleness[i],
      usedShare: records.usedShare[i],
      waitedUs: records.waitedUs[i]
    })
  )
  return { steps, log: simulation.log(), statistics: simulation.statistics() }
}

export function simulateBy(core: Core): Simulate {
  return (job, cluster, { steps, logWorkers = cluster.workers.length, seed = 1 }) =>
    withSimulation(core, job, cluster, { inOrder: true, logWorkers, seed }, simulation => {
      simulation.run(steps)
      return outcomeOf(simulation)
    })
}

export const wasmCore = await loadCore()
export const portableCore = await loadPortableCore()

/** The one place where simulators are plugged in. */
export const engines: readonly Engine[] = [
  { name: 'reference', simulate: simulateByReference },
  { name: 'WebAssembly', simulate: simulateBy(wasmCore) },
  { name: 'JavaScript', simulate: simulateBy(portableCore) }
]
export const simulateByCore = engines[1].simulate
