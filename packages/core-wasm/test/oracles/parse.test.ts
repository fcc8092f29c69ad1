import { expect } from 'vitest'
import { cluster } from '../support/cluster.ts'
import { everySimulator } from '../support/everySimulator.ts'
import { job } from '../support/job.ts'
import { endsUs, entryOf } from '../support/outcome.ts'

const threePulls = job([
  { kind: 'pull', amount: 100 },
  { kind: 'pull', amount: 100 },
  { kind: 'pull', amount: 100 }
])
const tenOut = [{ outBytesPerUs: 10 }]
const costs = { perByteUs: 0.25, fixedUs: 5 }

// Wire ends 10, 20, 30; each parse takes 0.25·100 + 5 = 30. One slot: 10-40, 40-70, 70-100.
everySimulator('one parser handles messages one after the other', simulate => {
  const outcome = simulate(threePulls, cluster({ servers: tenOut, workerParse: { slots: 1, ...costs } }), { steps: 1 })
  expect(endsUs(outcome, [0, 1, 2])).toEqual([40, 70, 100])
  expect(entryOf(outcome, 2).wireEndUs).toBe(30)
})

// Ten slots: each on arrival. Two slots: 10-40, 20-50, then 40-70.
everySimulator('more parsers work side by side', simulate => {
  const ten = simulate(threePulls, cluster({ servers: tenOut, workerParse: { slots: 10, ...costs } }), { steps: 1 })
  expect(endsUs(ten, [0, 1, 2])).toEqual([40, 50, 60])
  const two = simulate(threePulls, cluster({ servers: tenOut, workerParse: { slots: 2, ...costs } }), { steps: 1 })
  expect(endsUs(two, [0, 1, 2])).toEqual([40, 50, 70])
})

// Servers 0 and 1 send 100 and 200 bytes at 10 each: wire ends 10 and 20; one parser of the worker for both: 10-40, 40-95.
everySimulator('a worker’s parser is shared by its servers', simulate => {
  const step = job([
    { kind: 'pull', server: 0, amount: 100 },
    { kind: 'pull', server: 1, amount: 200 }
  ])
  const hosts = cluster({ servers: [tenOut[0], tenOut[0]], workerParse: { slots: 1, ...costs } })
  expect(endsUs(simulate(step, hosts, { steps: 1 }), [0, 1])).toEqual([40, 95])
})

// Pushes of two workers with links of 10 and 5 bytes/µs: wire ends 10 and 20; the server's one parser: 10-40, 40-70.
everySimulator('a server’s parser is shared by its workers', simulate => {
  const step = job([
    { kind: 'push', amount: 100 },
    { kind: 'delay', amount: 1000, after: [0] }
  ])
  const hosts = cluster({ workers: [{ outBytesPerUs: 10 }, { outBytesPerUs: 5 }], serverParse: { slots: 1, ...costs } })
  const outcome = simulate(step, hosts, { steps: 2 })
  expect(entryOf(outcome, 0).endUs).toBe(40)
  expect(entryOf(outcome, 0, { worker: 1 }).endUs).toBe(70)
})

// The next message is on the wire while the first travels: wire ends 10, 20, 30, each + 7.
everySimulator('latency delays the end, not the wire', simulate => {
  const outcome = simulate(threePulls, cluster({ workers: [{ latencyUs: 7 }], servers: tenOut }), { steps: 1 })
  expect(endsUs(outcome, [0, 1, 2])).toEqual([17, 27, 37])
  expect(entryOf(outcome, 1)).toMatchObject({ startUs: 10, wireEndUs: 20 })
})

// Each worker has its own latency, in both directions: 3 + 3 and 20 + 20.
everySimulator('each worker has its own latency', simulate => {
  const step = job([
    { kind: 'pull', amount: 1 },
    { kind: 'push', amount: 1, after: [0] }
  ])
  const outcome = simulate(step, cluster({ workers: [{ latencyUs: 3 }, { latencyUs: 20 }] }), { steps: 8 })
  expect(endsUs(outcome, [0, 1])).toEqual([expect.closeTo(3, 9), expect.closeTo(6, 9)])
  expect(endsUs(outcome, [0, 1], { worker: 1 })).toEqual([expect.closeTo(20, 9), expect.closeTo(40, 9)])
})

// Messages are parsed in the order in which they left the wire. Worker 0 (latency 50) leaves at 10, worker 1 (latency 1) at 20: the one
// parser waits for worker 0's message, 60-90, though worker 1's arrives at 21: 90-120.
everySimulator('messages are parsed in the order in which they left the wire', simulate => {
  const step = job([
    { kind: 'push', amount: 100 },
    { kind: 'delay', amount: 1000, after: [0] }
  ])
  const workers = [
    { outBytesPerUs: 10, latencyUs: 50 },
    { outBytesPerUs: 5, latencyUs: 1 }
  ]
  const outcome = simulate(step, cluster({ workers, serverParse: { slots: 1, ...costs } }), { steps: 2 })
  expect(entryOf(outcome, 0).endUs).toBe(90)
  expect(entryOf(outcome, 0, { worker: 1 }).endUs).toBe(120)
})
