import fc from 'fast-check'
import { expect, test } from 'vitest'
import { recordsOf, withSimulation } from '../support/core.ts'
import { wasmCore } from '../support/engines.ts'
import { cases } from '../support/random.ts'
import { allModes, type Scenario, scenarios } from '../support/scenario.ts'

const options = { seed: 4, replication: 2, phaseSpanUs: 5e5 }

test('ten times the steps need no more memory', () => {
  const constant = ({ job, cluster, steps }: Scenario) => {
    withSimulation(wasmCore, job, cluster, options, simulation => {
      const runTo = (target: number) => {
        simulation.run(target)
        simulation.clearRecords()
        return wasmCore.memoryBytes
      }
      const before = runTo(steps)
      for (let k = 2; k <= 10; k++) expect(runTo(k * steps)).toBe(before)
    })
  }
  fc.assert(fc.property(scenarios({ modes: allModes }), constant), cases(50))
})

test('memory that is given back is used again', () => {
  const again = ({ job, cluster }: Scenario) => {
    recordsOf(wasmCore, job, cluster, options, 5)
    const before = wasmCore.memoryBytes
    for (let k = 0; k < 200; k++) recordsOf(wasmCore, job, cluster, options, 5)
    expect(wasmCore.memoryBytes).toBe(before)
  }
  fc.assert(fc.property(scenarios({ stepsPerWorker: 1 }), again), cases(10))
})

test('a log of the last steps is the end of the whole log, and no longer after ten times the steps', () => {
  const logSteps = 3
  const endOfLog = ({ job, cluster, steps }: Scenario) => {
    const logOf = (target: number, more: { logSteps?: number } = {}) =>
      withSimulation(wasmCore, job, cluster, { ...options, logWorkers: 2, ...more }, simulation => {
        simulation.run(target)
        return [...simulation.log()]
      })
    const whole = logOf(10 * steps)
    const latest = (worker: number) =>
      whole.reduce((most, entry) => (entry.worker === worker ? Math.max(most, entry.step) : most), 0)
    const last = [latest(0), latest(1)]
    const kept = logOf(10 * steps, { logSteps })
    expect(kept).toEqual(whole.filter(entry => entry.step >= last[entry.worker] - logSteps))
    expect(kept.length).toBeLessThanOrEqual(2 * (logSteps + 1) * job.operations)
  }
  fc.assert(fc.property(scenarios(), endOfLog), cases(20))
})
