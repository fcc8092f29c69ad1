import { expect, test } from 'vitest'
import type { Cluster } from '../../src/job.ts'
import { SimulationError } from '../../src/simulationError.ts'
import { cluster } from '../support/cluster.ts'
import { withSimulation } from '../support/core.ts'
import { wasmCore } from '../support/engines.ts'
import { job } from '../support/job.ts'

const pull = job([{ kind: 'pull', amount: 1000 }])
const row = { startWeight: 0.5, rampUs: 1e6, spread: 0.3 }
const message = { slots: 2, pullPerByteUs: 0, pullFixedUs: 1 }

const priority = { partitionBytes: 100, creditBytes: 200, chunkUs: 0, pull: true, push: false }

test.each<[string, Partial<Cluster>]>([
  ['shares.pull[1].startWeight', { shares: { pull: [row, { ...row, startWeight: 0 }], push: [] } }],
  ['shares.push[0].startWeight', { shares: { pull: [], push: [{ ...row, startWeight: 1.5 }] } }],
  ['shares.pull[0].rampUs', { shares: { pull: [{ ...row, rampUs: Number.NaN }], push: [] } }],
  ['shares.pull[0].spread', { shares: { pull: [{ ...row, spread: 1 }], push: [] } }],
  ['queueUs.push', { queueUs: { pull: 0, push: -1 } }],
  ['serverMessage.slots', { serverMessage: { ...message, slots: 0 } }],
  ['serverMessage.pullFixedUs', { serverMessage: { ...message, pullFixedUs: Infinity } }],
  ['serverMessage.slots', { serverMessage: message, sharedServerCpu: true }],
  ['flowBytesPerUs', { flowBytesPerUs: 0 }],
  ['burstBytes', { burstBytes: Number.NaN }],
  ['priority.partitionBytes', { priority: { ...priority, partitionBytes: 0 } }],
  ['priority.partitionBytes', { priority: { ...priority, partitionBytes: Number.NaN } }],
  ['priority.creditBytes', { priority: { ...priority, creditBytes: 99 } }],
  ['priority.creditBytes', { priority: { ...priority, partitionBytes: Infinity, creditBytes: 0 } }],
  ['priority.creditBytes', { priority: { ...priority, creditBytes: Number.NaN } }],
  ['priority.chunkUs', { priority: { ...priority, chunkUs: Infinity } }],
  // 1000 bytes in two million chunks.
  ['at most 1048576 chunks', { priority: { ...priority, partitionBytes: 0.0005 } }],
  ['mode.staleness', { mode: { kind: 'ssp', staleness: -1 } }],
  ['mode.staleness', { mode: { kind: 'ssp', staleness: 1.5 } }],
  ['mode.staleness', { mode: { kind: 'ssp', staleness: 1e9 } }],
  ['mode.backup', { mode: { kind: 'sync', backup: 1, accumulateScale: 1 } }],
  ['mode.accumulateScale', { mode: { kind: 'sync', backup: 0, accumulateScale: -1 } }],
  ['straggler.probability', { workers: [{ ...cluster().workers[0], straggler: { probability: 1.1, factor: 2 } }] }],
  ['straggler.factor', { workers: [{ ...cluster().workers[0], straggler: { probability: 0.1, factor: Infinity } }] }]
])('%s is checked', (field, fields) => {
  const simulate = () => withSimulation(wasmCore, pull, { ...cluster(), ...fields }, {}, () => {})
  expect(simulate).toThrow(SimulationError)
  expect(simulate).toThrow(field)
})

// The cost of checking a job is paid once, but a job that was found wanting is checked again.
test('an impossible job is refused each time', () => {
  const broken = { ...pull, kind: Uint8Array.of(9) }
  for (let i = 0; i < 2; i++) expect(() => withSimulation(wasmCore, broken, cluster(), {}, () => {})).toThrow('unknown kind')
})

test('a list of priorities has an entry for every operation', () => {
  const simulate = () => withSimulation(wasmCore, { ...pull, priority: Uint32Array.of(1, 2) }, cluster(), {}, () => {})
  expect(simulate).toThrow('job.priority has 2 entries instead of 1')
})

// 65,536 would be 0 in the 16 bits of the job's counts.
test('more dependencies than can be counted are refused', () => {
  const many = job([
    { kind: 'delay', amount: 1 },
    { kind: 'delay', amount: 1, after: [0] }
  ])
  const broken = { ...many, successorStart: Uint32Array.of(0, 65_536, 65_536), successors: new Uint32Array(65_536).fill(1) }
  const simulate = () => withSimulation(wasmCore, broken, cluster(), {}, () => {})
  expect(simulate).toThrow(SimulationError)
  expect(simulate).toThrow('operation 1 has 65536 dependencies: at most 65535 are possible')
})
