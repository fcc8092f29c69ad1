import { expect } from 'vitest'
import { cluster } from '../support/cluster.ts'
import { everySimulator } from '../support/everySimulator.ts'
import { job } from '../support/job.ts'
import { stepsOf } from '../support/outcome.ts'

/** The pull is ready when the step starts, the push completes when the computation ends: links are infinite. */
const step = job([
  { kind: 'pull', amount: 1 },
  { kind: 'compute', amount: 20, after: [0] },
  { kind: 'push', amount: 1, after: [1] },
  { kind: 'update', amount: 3, after: [2] }
])

// Worker 0: steps of 23 pull at 0, 23, 46, 69 and push at 20, 43, 66, 89. Worker 1 (factor 1.2): 27; pull 0, 27, 54, 81, push 24, 51, 78,
// 105. Pushes alternate 20 24 43 51 66 78 89 105, and between each pull and push of one lies one push of the other, except in the
// very first step. The updates (3 each) never meet.
everySimulator('two workers that alternate are stale by one step', simulate => {
  const outcome = simulate(step, cluster({ workers: [{}, { computeScale: 1.2 }] }), { steps: 8 })
  expect(stepsOf(outcome, 0).map(one => one.staleness)).toEqual([0, 1, 1, 1])
  expect(stepsOf(outcome, 1).map(one => one.staleness)).toEqual([1, 1, 1, 1])
})

// Worker 1 with factor 5 computes for 100: its push at 100 follows those of worker 0 at 20, 43, 66, 89: staleness 4. Its second step
// from 103 to 203 contains 112, 135, 158, 181: 4. Worker 0 sees those two pushes in its steps 92-112 and 184-204.
everySimulator('a slow worker is stale by the fast one’s steps', simulate => {
  const outcome = simulate(step, cluster({ workers: [{}, { computeScale: 5 }] }), { steps: 11 })
  expect(stepsOf(outcome, 1).map(one => one.staleness)).toEqual([4, 4])
  expect(stepsOf(outcome, 0).map(one => one.staleness)).toEqual([0, 0, 0, 0, 1, 0, 0, 0, 1])
})

// Alone: never stale.
everySimulator('one worker alone is never stale', simulate => {
  const outcome = simulate(step, cluster(), { steps: 5 })
  expect(outcome.steps.map(one => one.staleness)).toEqual([0, 0, 0, 0, 0])
})

// Two rounds of pull, computation, push. Worker 0: pulls at 0 and 20, pushes at 20 and 40. Worker 1 (factor 3): pulls at 0 and 60, pushes
// at 60 and 120. Worker 0's last push, 40, lies between worker 1's first pull and last push, though not between any later pull and push.
// Worker 0's own span contains only a first push.
everySimulator('from the first pull to the last push', simulate => {
  const twoRounds = job([
    { kind: 'pull', amount: 1 },
    { kind: 'compute', amount: 20, after: [0] },
    { kind: 'push', amount: 1, after: [1] },
    { kind: 'pull', amount: 1, after: [1] },
    { kind: 'compute', amount: 20, after: [3] },
    { kind: 'push', amount: 1, after: [4] },
    { kind: 'delay', amount: 1000, after: [5] }
  ])
  const outcome = simulate(twoRounds, cluster({ workers: [{}, { computeScale: 3 }] }), { steps: 2 })
  expect(outcome.steps.map(one => one.staleness)).toEqual([0, 1])
})

// Without pulls the start of the step counts. Pushes: worker 0 at 20; worker 1 at 38, its step from 0 contains the 20; worker 0 at 40,
// its step from 20 contains the 38.
everySimulator('a step without pulls counts from its start', simulate => {
  const pushOnly = job([
    { kind: 'compute', amount: 20 },
    { kind: 'push', amount: 1, after: [0] }
  ])
  const outcome = simulate(pushOnly, cluster({ workers: [{}, { computeScale: 1.9 }] }), { steps: 3 })
  expect(outcome.steps.map(one => [one.worker, one.staleness])).toEqual([
    [0, 0],
    [1, 1],
    [0, 1]
  ])
})

// A step without pushes has no last push to count to: 0, whatever the others do.
everySimulator('a step without pushes is not stale', simulate => {
  const pullOnly = job([
    { kind: 'pull', amount: 1 },
    { kind: 'compute', amount: 20, after: [0] }
  ])
  const outcome = simulate(pullOnly, cluster({ workers: [{}, { computeScale: 1.9 }] }), { steps: 4 })
  expect(outcome.steps.map(one => one.staleness)).toEqual([0, 0, 0, 0])
})
