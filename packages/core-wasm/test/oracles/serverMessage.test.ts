import { expect } from 'vitest'
import { cluster } from '../support/cluster.ts'
import { everySimulator } from '../support/everySimulator.ts'
import { job } from '../support/job.ts'
import { entryOf } from '../support/outcome.ts'

const ten = { outBytesPerUs: 10, inBytesPerUs: 10 }
const pulls = job([
  { kind: 'pull', amount: 1000 },
  { kind: 'pull', amount: 500 }
])

// One slot, 0.1 a byte and 20: the first is prepared from 0 to 120, the second to 120 + 70. On the wire: 120 to 220, and to 270.
everySimulator('a server prepares pulls one after the other before it sends them', simulate => {
  const hosts = cluster({ servers: [ten], serverMessage: { slots: 1, pullPerByteUs: 0.1, pullFixedUs: 20 } })
  const outcome = simulate(pulls, hosts, { steps: 1 })
  expect(entryOf(outcome, 0)).toMatchObject({ readyUs: 0, startUs: 120, wireEndUs: 220 })
  expect(entryOf(outcome, 1)).toMatchObject({ readyUs: 0, startUs: 220, wireEndUs: 270 })
  expect(outcome.statistics.serverCpuBusyUs).toEqual(Float64Array.of(190))
})

// Two slots: the smaller is prepared by 70 and sent by 120, when the larger is ready.
everySimulator('with two slots the smaller pull may overtake', simulate => {
  const hosts = cluster({ servers: [ten], serverMessage: { slots: 2, pullPerByteUs: 0.1, pullFixedUs: 20 } })
  const outcome = simulate(pulls, hosts, { steps: 1 })
  expect(entryOf(outcome, 1)).toMatchObject({ startUs: 70, wireEndUs: 120 })
  expect(entryOf(outcome, 0)).toMatchObject({ startUs: 120, wireEndUs: 220 })
})

// Two servers of one slot each do not wait for each other, two workers of one server do: 0 to 30 and to 60.
everySimulator('each server has slots of its own, for all workers', simulate => {
  const step = job([
    { kind: 'pull', server: 0, amount: 1000 },
    { kind: 'pull', server: 1, amount: 1000 }
  ])
  const hosts = cluster({ workers: 2, servers: [ten, ten], serverMessage: { slots: 1, pullPerByteUs: 0, pullFixedUs: 30 } })
  const outcome = simulate(step, hosts, { steps: 2 })
  for (const worker of [0, 1]) {
    expect(entryOf(outcome, 0, { worker }).startUs).toBe(30 + 30 * worker)
    expect(entryOf(outcome, 1, { worker }).startUs).toBe(30 + 30 * worker)
  }
})

// A push of 400 is on the wire until 40 and parsed, at 0.5 a byte, from 40 to 240. A pull becomes ready at 100 and takes 60 to prepare:
// on slots of its own until 160, behind the push on a shared one until 300. Updates have their own slots: 240 to 245.
everySimulator('pulls and pushes may share the server’s slots', simulate => {
  const step = job([
    { kind: 'push', amount: 400 },
    { kind: 'update', amount: 5, after: [0] },
    { kind: 'compute', amount: 100 },
    { kind: 'pull', amount: 1000, after: [2] }
  ])
  const both = [false, true].map(sharedServerCpu => {
    const hosts = cluster({
      servers: [ten],
      serverParse: { slots: 1, perByteUs: 0.5, fixedUs: 0 },
      serverMessage: { slots: 1, pullPerByteUs: 0.06, pullFixedUs: 0 },
      sharedServerCpu
    })
    return simulate(step, hosts, { steps: 1 })
  })
  expect(both.map(outcome => entryOf(outcome, 3).startUs)).toEqual([160, 300])
  for (const outcome of both) {
    expect(entryOf(outcome, 1).endUs).toBe(245)
    expect(outcome.statistics.serverCpuBusyUs).toEqual(Float64Array.of(200 + 60 + 5))
  }
})

// Both ask at 0; worker 0's pull is prepared by 50 and its push complete at 70, worker 1's at 120: worker 0's step lies between worker 1's
// request and its push, although worker 1's pull was sent only after it.
everySimulator('a pull is asked for when it becomes ready', simulate => {
  const step = job([
    { kind: 'pull', amount: 100 },
    { kind: 'push', amount: 100, after: [0] }
  ])
  const hosts = cluster({ workers: 2, servers: [ten], serverMessage: { slots: 1, pullPerByteUs: 0, pullFixedUs: 50 } })
  const outcome = simulate(step, hosts, { steps: 2 })
  expect(entryOf(outcome, 0, { worker: 1 }).startUs).toBe(100)
  expect(outcome.steps.map(({ worker, staleness }) => [worker, staleness])).toEqual([
    [0, 0],
    [1, 1]
  ])
})
