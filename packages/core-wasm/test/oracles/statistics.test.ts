import { expect, test } from 'vitest'
import { cluster } from '../support/cluster.ts'
import { withSimulation } from '../support/core.ts'
import { wasmCore } from '../support/engines.ts'
import { everySimulator } from '../support/everySimulator.ts'
import { job } from '../support/job.ts'

// Pull 1000 from server 0 at 10 (100 µs) and 300 from server 1 at 3 (100 µs) together, compute 50 twice on two slots, push 500 to
// server 1 at 5 (100 µs), update 20·2: 100 + 50 + 100 + 40 = 290 µs a step.
const step = job([
  { kind: 'pull', server: 0, amount: 1000 },
  { kind: 'pull', server: 1, amount: 300 },
  { kind: 'compute', amount: 50, after: [0, 1] },
  { kind: 'compute', amount: 50, after: [0, 1] },
  { kind: 'push', server: 1, amount: 500, after: [2, 3] },
  { kind: 'update', server: 1, amount: 20, after: [4] }
])
const hosts = cluster({
  computeSlots: 2,
  servers: [{ outBytesPerUs: 10 }, { outBytesPerUs: 3, inBytesPerUs: 5, updateScale: 2 }]
})
const expected = (steps: number) => ({
  elapsedUs: expect.closeTo(290 * steps, 9),
  computeBusyUs: Float64Array.of(100 * steps),
  updateBusyUs: Float64Array.of(0, 40 * steps),
  serverCpuBusyUs: Float64Array.of(0, 40 * steps),
  pullBytes: Float64Array.of(1000 * steps, 300 * steps),
  pushBytes: Float64Array.of(0, 500 * steps),
  pullBusyUs: [expect.closeTo(100 * steps, 9), expect.closeTo(100 * steps, 9)],
  pushBusyUs: [0, expect.closeTo(100 * steps, 9)]
})

everySimulator('busy times and bytes of each host', simulate => {
  const { statistics } = simulate(step, hosts, { steps: 3 })
  const { pullBusyUs, pushBusyUs } = statistics
  expect({ ...statistics, pullBusyUs: [...pullBusyUs], pushBusyUs: [...pushBusyUs] }).toMatchObject(expected(3))
})

test('statistics begin again at resetStatistics()', () => {
  withSimulation(wasmCore, step, hosts, {}, simulation => {
    simulation.run(2)
    simulation.resetStatistics()
    simulation.run(6)
    const statistics = simulation.statistics()
    const { pullBusyUs, pushBusyUs } = statistics
    expect({ ...statistics, pullBusyUs: [...pullBusyUs], pushBusyUs: [...pushBusyUs] }).toMatchObject(expected(4))
    expect(statistics.events).toBeGreaterThan(0)
  })
})
