import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Simulation } from '../../src/simulation.ts'
import { copyOf, recordsOf, withSimulation } from '../support/core.ts'
import { wasmCore } from '../support/engines.ts'
import { cases } from '../support/random.ts'
import { allModes, type Scenario, scenarios } from '../support/scenario.ts'

const options = { seed: 4, replication: 2, phaseSpanUs: 5e5 }

test('simulations that live in one core do not disturb each other', () => {
  const undisturbed = (several: Scenario[]) => {
    const alone = several.map(({ job, cluster, steps }) => recordsOf(wasmCore, job, cluster, options, steps))
    const simulations = several.map(({ job, cluster }) => new Simulation(wasmCore, job, cluster, options))
    try {
      // A few events of each in turn, until all are done.
      let open = several.map((_, i) => i)
      while (open.length > 0) open = open.filter(i => simulations[i].run(several[i].steps, 7) === 'paused')
      simulations.forEach((simulation, i) => {
        expect(copyOf(simulation.records())).toEqual(alone[i])
      })
    } finally {
      for (const simulation of simulations) simulation.free()
    }
  }
  fc.assert(
    fc.property(fc.array(scenarios({ stepsPerWorker: 3, modes: allModes }), { minLength: 2, maxLength: 4 }), undisturbed),
    cases(30)
  )
})

test('running a few events at a time equals running at once', () => {
  const same = ({ job, cluster, steps }: Scenario, maxEvents: number) => {
    const atOnce = withSimulation(wasmCore, job, cluster, { ...options, logWorkers: 4 }, simulation => {
      expect(simulation.run(steps)).toBe('done')
      return structuredClone([simulation.records(), simulation.log(), simulation.statistics(), simulation.timeUs])
    })
    const inPieces = withSimulation(wasmCore, job, cluster, { ...options, logWorkers: 4 }, simulation => {
      let pieces = 1
      while (simulation.run(steps, maxEvents) === 'paused') pieces++
      expect(pieces).toBeGreaterThan(1)
      return structuredClone([simulation.records(), simulation.log(), simulation.statistics(), simulation.timeUs])
    })
    expect(inPieces).toEqual(atOnce)
  }
  fc.assert(fc.property(scenarios({ modes: allModes }), fc.integer({ min: 1, max: 8 }), same), cases(50))
})

test('stopping after some steps and going on equals running at once', () => {
  const same = ({ job, cluster, steps }: Scenario) => {
    const atOnce = recordsOf(wasmCore, job, cluster, options, steps)
    const stepwise = withSimulation(wasmCore, job, cluster, options, simulation => {
      for (let step = 1; step <= steps; step++) simulation.run(step)
      return copyOf(simulation.records())
    })
    expect(stepwise).toEqual(atOnce)
  }
  fc.assert(fc.property(scenarios(), same), cases(50))
})

test('records after clearRecords are those since', () => {
  const rest = ({ job, cluster, steps }: Scenario) => {
    const all = recordsOf(wasmCore, job, cluster, options, 2 * steps)
    const later = withSimulation(wasmCore, job, cluster, options, simulation => {
      simulation.run(steps)
      simulation.clearRecords()
      simulation.run(2 * steps)
      return copyOf(simulation.records())
    })
    expect(later.endUs.length).toBeGreaterThan(0)
    expect(Array.from(later.endUs)).toEqual(Array.from(all.endUs).slice(-later.endUs.length))
    expect(all.endUs.length - later.endUs.length).toBeGreaterThanOrEqual(steps)
  }
  fc.assert(fc.property(scenarios(), rest), cases(30))
})
