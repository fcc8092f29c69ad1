import { expect } from 'vitest'
import { cluster } from '../support/cluster.ts'
import { everySimulator } from '../support/everySimulator.ts'
import { job } from '../support/job.ts'
import { endsUs, stepEndsUs, stepsOf } from '../support/outcome.ts'

const link = { outBytesPerUs: 10, inBytesPerUs: 5 }

// pull 1000/10 = 100, then compute 50, then push 500/5 = 100, then update 20: T = 270.
const chain = job([
  { kind: 'pull', amount: 1000 },
  { kind: 'compute', amount: 50, after: [0] },
  { kind: 'push', amount: 500, after: [1] },
  { kind: 'update', amount: 20, after: [2] }
])

everySimulator('one worker alone takes the sum of a chain, step after step', simulate => {
  const outcome = simulate(chain, cluster({ servers: [link] }), { steps: 3 })
  expect(endsUs(outcome, [0, 1, 2, 3])).toEqual([100, 150, 250, 270])
  expect(stepEndsUs(outcome, 0)).toEqual([270, 540, 810])
})

// Step k begins (T + O) after step k-1: ends T + (k-1)(T + O) with O = 30.
everySimulator('the step overhead lies between steps', simulate => {
  const outcome = simulate(chain, cluster({ servers: [link], stepOverheadUs: 30 }), { steps: 3 })
  expect(stepsOf(outcome, 0).map(step => step.startUs)).toEqual([0, 300, 600])
  expect(stepEndsUs(outcome, 0)).toEqual([270, 570, 870])
})

// Two branches from 10: compute 25 and delay 40; they join at max(10 + 25, 10 + 40) = 50, + 5.
everySimulator('a join waits for the longest path', simulate => {
  const diamond = job([
    { kind: 'compute', amount: 10 },
    { kind: 'compute', amount: 25, after: [0] },
    { kind: 'delay', amount: 40, after: [0] },
    { kind: 'compute', amount: 5, after: [1, 2] }
  ])
  expect(stepEndsUs(simulate(diamond, cluster(), { steps: 2 }), 0)).toEqual([55, 110])
})

// Push 100 bytes and pull 100 bytes at 10 bytes/µs each way: full duplex, both take 10.
everySimulator('the two directions do not share', simulate => {
  const both = job([
    { kind: 'pull', amount: 100 },
    { kind: 'push', amount: 100 }
  ])
  const outcome = simulate(both, cluster({ servers: [{ outBytesPerUs: 10, inBytesPerUs: 10 }] }), { steps: 1 })
  expect(endsUs(outcome, [0, 1])).toEqual([10, 10])
})

// Everything scales: compute 50·2, update 20·3.
everySimulator('compute and update take their host’s factor', simulate => {
  const slow = cluster({ workers: [{ computeScale: 2 }], servers: [{ ...link, updateScale: 3 }] })
  expect(endsUs(simulate(chain, slow, { steps: 1 }), [0, 1, 2, 3])).toEqual([100, 200, 300, 360])
})
