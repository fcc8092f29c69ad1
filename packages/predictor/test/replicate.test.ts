import { loadCore } from '@foretrain/core-wasm'
import { expect, test } from 'vitest'
import { clusterOf, setUp } from '../src/setUp.ts'
import { Pacer } from '../src/simulate/pacer.ts'
import { type Plan, runReplication } from '../src/simulate/replicate.ts'
import { chainNetwork, recordedBySimulation } from './support/syntheticProfile.ts'

const path = { goodputBytesPerUs: 119.5, windowBytes: Number.POSITIVE_INFINITY, parsePerByteUs: 4e-5, latencyUs: 50 }

test('the log kept of a run is that of its last steps, however long it is', async () => {
  const core = await loadCore()
  const network = chainNetwork({ layers: [40_000, 500_000], forwardUs: 900, updateUs: 60, steps: 5 })
  const set = setUp(core, { profile: recordedBySimulation(core, network, path), workers: [2] })
  const scenario = { job: set.job, cluster: clusterOf(set, 2), demands: set.demands, seed: 1, phaseSpanUs: 1000 }
  const run = (measured: number, loggedSteps: number) => {
    const plan: Plan = { warmUp: 4, measured, truncate: false }
    return runReplication(core, scenario, plan, 0, new Pacer(), loggedSteps)
  }
  const all = (await run(400, 1000)).lastSteps
  expect(all.length).toBeGreaterThan(150)
  const { lastSteps } = await run(400, 12)
  expect(lastSteps).toEqual(all.slice(-12))
  for (const { log } of lastSteps) expect(log).toHaveLength(set.job.operations)
  expect((await run(4000, 12)).lastSteps).toHaveLength(12)
  expect((await run(400, 0)).lastSteps).toEqual([])
})
