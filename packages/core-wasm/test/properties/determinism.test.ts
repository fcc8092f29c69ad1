import fc from 'fast-check'
import { expect, test } from 'vitest'
import { recordsOf, withSimulation } from '../support/core.ts'
import { portableCore, wasmCore } from '../support/engines.ts'
import { cases } from '../support/random.ts'
import { allModes, type Scenario, scenarios } from '../support/scenario.ts'

const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 })
const options = (seed: number) => ({ seed, replication: seed % 7, phaseSpanUs: 1e6 })

test('the same seed gives the same bits', () => {
  const repeat = ({ job, cluster, steps }: Scenario, seed: number) => {
    const [first, second] = [1, 2].map(() => recordsOf(wasmCore, job, cluster, options(seed), steps))
    expect(second).toEqual(first)
  }
  fc.assert(fc.property(scenarios({ modes: allModes }), seeds, repeat), cases(50))
})

test('WebAssembly and JavaScript give the same bits', () => {
  const agree = ({ job, cluster, steps }: Scenario, seed: number) => {
    const everything = [wasmCore, portableCore].map(core =>
      withSimulation(core, job, cluster, { ...options(seed), logWorkers: 2 }, simulation => {
        simulation.run(steps)
        const { timeUs, completedSteps } = simulation
        return structuredClone({
          records: simulation.records(),
          log: simulation.log(),
          statistics: simulation.statistics(),
          timeUs,
          completedSteps
        })
      })
    )
    expect(everything[1]).toEqual(everything[0])
  }
  fc.assert(fc.property(scenarios({ stepsPerWorker: 10, modes: allModes }), seeds, agree), cases(100))
})

test('another seed or replication gives other phases', () => {
  const differ = ({ job, cluster, steps }: Scenario, seed: number) => {
    const starts = [options(seed), { ...options(seed), seed: seed + 1 }, { ...options(seed), replication: 99 }].map(one =>
      Array.from(recordsOf(wasmCore, job, cluster, one, steps).startUs)
    )
    expect(starts[1]).not.toEqual(starts[0])
    expect(starts[2]).not.toEqual(starts[0])
  }
  fc.assert(fc.property(scenarios(), seeds, differ), cases(50))
})
