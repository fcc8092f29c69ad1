import { expect } from 'vitest'
import { cluster } from '../support/cluster.ts'
import { everySimulator } from '../support/everySimulator.ts'
import { job } from '../support/job.ts'
import { endsUs, entryOf } from '../support/outcome.ts'

const threeComputes = job([
  { kind: 'compute', amount: 10 },
  { kind: 'compute', amount: 20 },
  { kind: 'compute', amount: 30 }
])

// One slot: 10, 30, 60. Two: 0-10, 0-20, then 10-40. Three: all at 0.
everySimulator('compute slots work side by side, first come first served', simulate => {
  const ends = (computeSlots: number) => endsUs(simulate(threeComputes, cluster({ computeSlots }), { steps: 1 }), [0, 1, 2])
  expect(ends(1)).toEqual([10, 30, 60])
  expect(ends(2)).toEqual([10, 20, 40])
  expect(ends(3)).toEqual([10, 20, 30])
})

// Updates of workers that push at 10 and 20 (links of 10 and 5): 10-60, then 60-110 with one slot; 20-70 with two.
everySimulator('updates of different workers queue at their server', simulate => {
  const step = job([
    { kind: 'push', amount: 100 },
    { kind: 'update', amount: 50, after: [0] },
    { kind: 'delay', amount: 1000, after: [1] }
  ])
  const workers = [{ outBytesPerUs: 10 }, { outBytesPerUs: 5 }]
  const one = simulate(step, cluster({ workers }), { steps: 2 })
  expect(entryOf(one, 1)).toMatchObject({ readyUs: 10, startUs: 10, endUs: 60 })
  expect(entryOf(one, 1, { worker: 1 })).toMatchObject({ readyUs: 20, startUs: 60, wireEndUs: 60, endUs: 110 })
  const two = simulate(step, cluster({ workers, updateSlots: 2 }), { steps: 2 })
  expect(entryOf(two, 1, { worker: 1 })).toMatchObject({ startUs: 20, endUs: 70 })
})

// Each server has its own station: two updates of 50 at once.
everySimulator('servers update independently', simulate => {
  const step = job([
    { kind: 'update', server: 0, amount: 50 },
    { kind: 'update', server: 1, amount: 50 },
    { kind: 'update', server: 1, amount: 5 }
  ])
  expect(endsUs(simulate(step, cluster({ servers: 2 }), { steps: 1 }), [0, 1, 2])).toEqual([50, 50, 55])
})

// Server 0 runs two updates at once, server 1 one, as the cluster says: 50, 50 and 50, 55.
everySimulator('servers may run unequally many updates at once', simulate => {
  const step = job([
    { kind: 'update', server: 0, amount: 50 },
    { kind: 'update', server: 0, amount: 50 },
    { kind: 'update', server: 1, amount: 50 },
    { kind: 'update', server: 1, amount: 5 }
  ])
  const servers = [{ updateSlots: 2 }, {}]
  expect(endsUs(simulate(step, cluster({ servers }), { steps: 1 }), [0, 1, 2, 3])).toEqual([50, 50, 50, 55])
})

// The order of becoming ready decides, not the number: operation 2 is ready at 0, operation 1 at 5, both wait for operation 0.
everySimulator('the queue keeps the order of becoming ready', simulate => {
  const step = job([
    { kind: 'compute', amount: 20 },
    { kind: 'compute', amount: 7, after: [3] },
    { kind: 'compute', amount: 10 },
    { kind: 'delay', amount: 5 }
  ])
  expect(endsUs(simulate(step, cluster(), { steps: 1 }), [0, 1, 2])).toEqual([20, 37, 30])
})

// Delays occupy nothing: three of 10 beside a compute of 10 all end at 10.
everySimulator('delays occupy nothing', simulate => {
  const step = job([
    { kind: 'delay', amount: 10 },
    { kind: 'delay', amount: 10 },
    { kind: 'delay', amount: 10 },
    { kind: 'compute', amount: 10 }
  ])
  expect(endsUs(simulate(step, cluster(), { steps: 1 }), [0, 1, 2, 3])).toEqual([10, 10, 10, 10])
})
