import { expect, test } from 'vitest'
import { simulateByReference } from '../reference/simulate.ts'
import { cluster } from '../support/cluster.ts'
import { withSimulation } from '../support/core.ts'
import { compare } from '../support/deviation.ts'
import { simulateByCore, wasmCore } from '../support/engines.ts'
import { job, type OperationSpec } from '../support/job.ts'

/** One long stream that waits for its window again and again while short ones wake the connection and put it to sleep. */
const shortPulls = Array.from({ length: 200 }, (_, i): OperationSpec[] => [
  { kind: 'delay', amount: 1000 + 4999.7 * i, after: [0] },
  { kind: 'pull', amount: 1003, after: [2 + 2 * i] }
])
const step = job([{ kind: 'compute', amount: 1000 }, { kind: 'pull', amount: 1e6, after: [0] }, ...shortPulls.flat()])
const hosts = cluster({
  workers: [{ latencyUs: 100_003.1 }, { latencyUs: 90_001.7, computeScale: 1.3 }],
  servers: [{ outBytesPerUs: 1 }],
  turns: { first: 100_000, later: 150_000 },
  shares: { pull: [{ startWeight: 1 / 16, rampUs: 3e6, spread: 0.2 }], push: [] }
})

test('a connection that wakes up hundreds of times a step does what the reference does', () => {
  const expected = simulateByReference(step, hosts, { steps: 4 })
  expect(expected.clearUntilUs).toBeGreaterThan(1e6)
  expect(compare(expected, simulateByCore(step, hosts, { steps: 4 }), expected.clearUntilUs).difference).toBeUndefined()
})

test('wake-ups that became pointless do not pile up', () => {
  withSimulation(wasmCore, step, hosts, {}, simulation => {
    const runTo = (steps: number) => {
      simulation.run(steps)
      simulation.clearRecords()
      return wasmCore.memoryBytes
    }
    const before = runTo(20)
    expect(runTo(400)).toBe(before)
  })
})
