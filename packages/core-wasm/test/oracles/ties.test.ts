import { expect } from 'vitest'
import { cluster } from '../support/cluster.ts'
import { everySimulator } from '../support/everySimulator.ts'
import { job } from '../support/job.ts'
import { endsUs, entryOf } from '../support/outcome.ts'

const oneByteIn = [{ inBytesPerUs: 1 }]

// Both computations end at 10; operation 1 started first. Operation 0 is taken first, so its push goes first: 110, then 310.
everySimulator('events of one time and class are taken by operation', simulate => {
  const step = job([
    { kind: 'compute', amount: 5, releaseUs: 5 },
    { kind: 'compute', amount: 10 },
    { kind: 'push', amount: 200, after: [1] },
    { kind: 'push', amount: 100, after: [0] }
  ])
  expect(endsUs(simulate(step, cluster({ servers: oneByteIn, computeSlots: 2 }), { steps: 1 }), [3, 2])).toEqual([110, 310])
})

// An update (operation 0) and a computation (operation 1) end at 10: computations are taken first: push 3 until 110, push 2 until 310.
everySimulator('computations are taken before updates', simulate => {
  const step = job([
    { kind: 'update', amount: 10 },
    { kind: 'compute', amount: 10 },
    { kind: 'push', amount: 200, after: [0] },
    { kind: 'push', amount: 100, after: [1] }
  ])
  expect(endsUs(simulate(step, cluster({ servers: oneByteIn }), { steps: 1 }), [3, 2])).toEqual([110, 310])
})

// A pull of 10 bytes leaves the wire at 10 and is parsed in no time; the computation of operation 0 ends at 10 too: parsed messages go first.
everySimulator('parsed messages are taken before computations', simulate => {
  const step = job([
    { kind: 'compute', amount: 10 },
    { kind: 'pull', amount: 10 },
    { kind: 'push', amount: 200, after: [0] },
    { kind: 'push', amount: 100, after: [1] }
  ])
  const hosts = cluster({ servers: [{ inBytesPerUs: 1, outBytesPerUs: 1 }] })
  expect(endsUs(simulate(step, hosts, { steps: 1 }), [3, 2])).toEqual([110, 310])
})

// Computations end before the release at 10 is taken: push 2 first.
everySimulator('computations are taken before releases', simulate => {
  const step = job([
    { kind: 'compute', amount: 10 },
    { kind: 'push', amount: 200, releaseUs: 10 },
    { kind: 'push', amount: 100, after: [0] }
  ])
  expect(endsUs(simulate(step, cluster({ servers: oneByteIn }), { steps: 1 }), [2, 1])).toEqual([110, 310])
})

// Three identical workers reach the server's one update slot at 10 together: 0, 1, 2.
everySimulator('identical workers are taken by number', simulate => {
  const step = job([
    { kind: 'compute', amount: 10 },
    { kind: 'update', amount: 7, after: [0] },
    { kind: 'delay', amount: 100, after: [1] }
  ])
  const outcome = simulate(step, cluster({ workers: 3 }), { steps: 3 })
  expect([0, 1, 2].map(worker => entryOf(outcome, 1, { worker }).endUs)).toEqual([17, 24, 31])
})
