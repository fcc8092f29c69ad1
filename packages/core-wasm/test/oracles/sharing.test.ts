import { expect } from 'vitest'
import { cluster } from '../support/cluster.ts'
import { everySimulator } from '../support/everySimulator.ts'
import { job } from '../support/job.ts'
import { endsUs, entryOf } from '../support/outcome.ts'

const tenOut = { outBytesPerUs: 10 }

// Each gets 10/2 = 5 bytes/µs: 1000 bytes take 200.
everySimulator('two flows halve a link', simulate => {
  const outcome = simulate(job([{ kind: 'pull', amount: 1000 }]), cluster({ workers: 2, servers: [tenOut] }), { steps: 2 })
  expect(outcome.steps.map(step => step.endUs)).toEqual([200, 200])
})

// Worker 0 pulls alone until worker 1 has computed for 50: 500 bytes gone. Then 5 each: worker 0's other 500 end at 150.
// Worker 1 has 500 of 1000 left, alone again (worker 0 pauses for 1000 µs) at 10: 150 + 50 = 200.
everySimulator('a flow slows down when another joins and speeds up when it leaves', simulate => {
  const step = job([
    { kind: 'compute', amount: 50 },
    { kind: 'pull', amount: 1000, after: [0] },
    { kind: 'delay', amount: 1000, after: [1] }
  ])
  const outcome = simulate(step, cluster({ workers: [{ computeScale: 0 }, {}], servers: [tenOut] }), { steps: 2 })
  expect(entryOf(outcome, 1).endUs).toBeCloseTo(150, 9)
  expect(entryOf(outcome, 1, { worker: 1 }).endUs).toBeCloseTo(200, 9)
})

// The worker's link of 12 is narrower than 10 + 10: 6 each. 600 bytes from server 0 end at 100; server 1 has 900 - 600 = 300 left
// at its own 10: 130.
everySimulator('the worker’s own link can be the bottleneck of two servers', simulate => {
  const step = job([
    { kind: 'pull', server: 0, amount: 600 },
    { kind: 'pull', server: 1, amount: 900 }
  ])
  const outcome = simulate(step, cluster({ workers: [{ inBytesPerUs: 12 }], servers: [tenOut, tenOut] }), { steps: 1 })
  expect(endsUs(outcome, [0, 1])).toEqual([100, expect.closeTo(130, 9)])
})

// Unequal servers, 10 and 5: 100 bytes take 10 and 20.
everySimulator('unequal servers serve at their own rates', simulate => {
  const step = job([
    { kind: 'pull', server: 0, amount: 100 },
    { kind: 'pull', server: 1, amount: 100 }
  ])
  const outcome = simulate(step, cluster({ servers: [tenOut, { outBytesPerUs: 5 }] }), { steps: 1 })
  expect(endsUs(outcome, [0, 1])).toEqual([10, 20])
})

// Worker 0 can take 2 bytes/µs, worker 1 gets what is left of 10: 8. 800 bytes: 100 for worker 1.
// Worker 1 rests for 1000 µs; worker 0 stays at 2: 400.
everySimulator('a slow worker leaves the rest to the other', simulate => {
  const step = job([
    { kind: 'pull', amount: 800 },
    { kind: 'delay', amount: 1000, after: [0] }
  ])
  const outcome = simulate(step, cluster({ workers: [{ inBytesPerUs: 2 }, {}], servers: [tenOut] }), { steps: 2 })
  expect(entryOf(outcome, 0).endUs).toBeCloseTo(400, 9)
  expect(entryOf(outcome, 0, { worker: 1 }).endUs).toBeCloseTo(100, 9)
})

// Three flows, a chain of bottlenecks (max-min, lowest level first):
//   server 1 (3): only w0 -> 3.   worker 0 (8): 8 - 3 = 5 for server 0.   server 0 (12): 12 - 5 = 7 for worker 1.
// Pull sizes 500 from server 0 and 300 from server 1 all end at 100 for worker 0. Worker 1 takes 500 from server 0 at 7 until
// 500/7; from server 1 it takes nothing in that time, because it is told to wait: its pull from server 1 comes after 1000 µs.
everySimulator('max-min fairness over a chain of three bottlenecks', simulate => {
  const step = job([
    { kind: 'pull', server: 0, amount: 500 },
    { kind: 'compute', amount: 1000 },
    { kind: 'pull', server: 1, amount: 300, after: [1] },
    { kind: 'delay', amount: 5000, after: [0] }
  ])
  const hosts = cluster({
    workers: [{ inBytesPerUs: 8, computeScale: 0 }, {}],
    servers: [{ outBytesPerUs: 12 }, { outBytesPerUs: 3 }]
  })
  const outcome = simulate(step, hosts, { steps: 2 })
  expect(entryOf(outcome, 0, { worker: 1 }).endUs).toBeCloseTo(500 / 7, 9)
  expect(endsUs(outcome, [0, 2])).toEqual([expect.closeTo(100, 9), expect.closeTo(100, 9)])
})

// Pushes meet at the server's incoming link, 6: 3 each. Worker 0's outgoing link allows only 1: 1 and 5. 100 bytes: 100 and 20.
everySimulator('pushes share the server’s incoming link', simulate => {
  const step = job([
    { kind: 'push', amount: 100 },
    { kind: 'delay', amount: 1000, after: [0] }
  ])
  const outcome = simulate(step, cluster({ workers: [{ outBytesPerUs: 1 }, {}], servers: [{ inBytesPerUs: 6 }] }), { steps: 2 })
  expect(entryOf(outcome, 0).endUs).toBeCloseTo(100, 9)
  expect(entryOf(outcome, 0, { worker: 1 }).endUs).toBeCloseTo(20, 9)
})
