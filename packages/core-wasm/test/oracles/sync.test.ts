import { expect } from 'vitest'
import type { Mode } from '../../src/job.ts'
import { cluster } from '../support/cluster.ts'
import { everySimulator } from '../support/everySimulator.ts'
import { job } from '../support/job.ts'
import { entryOf, stepsOf } from '../support/outcome.ts'

const sync = (backup = 0, accumulateScale = 0): Mode => ({ kind: 'sync', backup, accumulateScale })
const workers = [{}, { computeScale: 3 }]

/** Transfers of nothing: the gradient is ready when the computation ends. */
const step = job([
  { kind: 'pull', amount: 0 },
  { kind: 'compute', amount: 10, after: [0] },
  { kind: 'push', amount: 0, after: [1] },
  { kind: 'update', amount: 4, after: [2] }
])

// Gradients are ready at 10 and 30 and take 2 each to add up: to 12 and 32. Then the update runs once, to 36, and the round ends: worker 0 has
// waited for 24, worker 1 for 4. The next begins after the overhead of 5, at 41, and ends 36 later.
everySimulator('the update of a round runs once, when all have handed in their gradients', simulate => {
  const outcome = simulate(step, cluster({ workers, mode: sync(0, 0.5), stepOverheadUs: 5 }), { steps: 4 })
  for (const worker of [0, 1])
    expect(stepsOf(outcome, worker).map(one => [one.startUs, one.endUs])).toEqual([
      [0, 36],
      [41, 77]
    ])
  expect(outcome.steps.map(one => one.waitedUs)).toEqual([24, 4, 24, 4])
  expect(outcome.steps.map(one => [one.usedShare, one.staleness])).toEqual(Array(4).fill([1, 0]))
  expect(entryOf(outcome, 3)).toMatchObject({ readyUs: 10, startUs: 10, endUs: 12 })
  expect(outcome.statistics.updateBusyUs[0]).toBe(2 * (2 + 2 + 4))
})

// One slot: the four gradients, all ready at 10, are added up one after the other, 2 each, to 18; the update ends at 22.
everySimulator('gradients are added up in the slots of updates', simulate => {
  const four = cluster({ workers: 4, mode: sync(0, 0.5) })
  expect(simulate(step, four, { steps: 4 }).steps.map(one => one.endUs)).toEqual([22, 22, 22, 22])
  // Two at a time: 10 to 12 and 12 to 14, the update to 18.
  expect(simulate(step, { ...four, updateSlots: 2 }, { steps: 4 }).steps.map(one => one.endUs)).toEqual([18, 18, 18, 18])
})

// Worker 1 is the backup. Round 0: worker 0's gradient at 10, update to 14, end at 14; round 1: 24, 28; round 2: 38, 42. Worker 1's gradient is ready
// at 30, in round 2, and is dropped: its step ends at once, it joins round 2, whose gradient it would have at 60: dropped too.
everySimulator('a backup comes too late and joins the present round', simulate => {
  const outcome = simulate(step, cluster({ workers, mode: sync(1) }), { steps: 6 })
  expect(stepsOf(outcome, 0).map(one => [one.startUs, one.endUs, one.usedShare])).toEqual([
    [0, 14, 1],
    [14, 28, 1],
    [28, 42, 1],
    [42, 56, 1]
  ])
  expect(stepsOf(outcome, 1).map(one => [one.startUs, one.endUs, one.usedShare])).toEqual([
    [0, 30, 0],
    [30, 60, 0]
  ])
})

// Worker 1 computes in half the time and is 7 away. Its gradients of a and b are ready at 5 + 7 and 10 + 7, those of worker 0 at 10 and 20: of a the
// round takes worker 0's, of b worker 1's. The updates take 1: a to 11, b to 18, where the round ends. Worker 1 has waited from 17. Worker 0's b
// is dropped at 20.
everySimulator('with backups each variable takes the gradients that come first', simulate => {
  const two = job([
    { kind: 'compute', amount: 10 },
    { kind: 'push', amount: 0, after: [0] },
    { kind: 'update', amount: 1, after: [1] },
    { kind: 'compute', amount: 10, after: [0] },
    { kind: 'push', amount: 0, after: [3] },
    { kind: 'update', amount: 1, after: [4] }
  ])
  const hosts = cluster({ workers: [{}, { computeScale: 0.5, latencyUs: 7 }], mode: sync(1) })
  const { steps } = simulate(two, hosts, { steps: 2 })
  expect(steps.map(one => [one.worker, one.endUs, one.usedShare, one.waitedUs])).toEqual([
    [1, 18, 0.5, 1],
    [0, 20, 0.5, 0]
  ])
})

// An update of two pushes, and a push of two updates. Pushes at 10 and 20; update 2 (after both) and update 4 (after the second) are ready at 20, 60
// for worker 1 (factor 3); both are added up for nothing and take 4 each in one slot: 64 and 68.
everySimulator('updates of several pushes, pushes of several updates', simulate => {
  const crossed = job([
    { kind: 'compute', amount: 10 },
    { kind: 'push', amount: 0, after: [0] },
    { kind: 'update', amount: 4, after: [1, 5] },
    { kind: 'compute', amount: 10, after: [0] },
    { kind: 'update', amount: 4, after: [5] },
    { kind: 'push', amount: 0, after: [3] }
  ])
  const { steps } = simulate(crossed, cluster({ workers, mode: sync() }), { steps: 2 })
  expect(steps.map(one => [one.worker, one.endUs, one.usedShare])).toEqual([
    [0, 68, 1],
    [1, 68, 1]
  ])
})

// What depends on an update goes on when the gradient has been added up (10 + 2), not after the update: the delay ends at 12 + 1.
everySimulator('what depends on an update goes on when its gradient has been added up', simulate => {
  const more = job([
    { kind: 'compute', amount: 10 },
    { kind: 'push', amount: 0, after: [0] },
    { kind: 'update', amount: 4, after: [1] },
    { kind: 'delay', amount: 1, after: [2] }
  ])
  const outcome = simulate(more, cluster({ workers, mode: sync(0, 0.5) }), { steps: 2 })
  expect(entryOf(outcome, 3)).toMatchObject({ readyUs: 12, endUs: 13 })
})

// Pushes arrive at 10 and 30: the round ends at 30, with the computation of worker 1 that nothing waits for still running, to 60. It ends its step then, and joins
// round 1, which began at 30: worker 0's push arrives at 40, its own at 90.
everySimulator('without updates a round ends with its pushes', simulate => {
  const pushOnly = job([
    { kind: 'compute', amount: 10 },
    { kind: 'push', amount: 0, after: [0] },
    { kind: 'compute', amount: 10, after: [0] }
  ])
  const outcome = simulate(pushOnly, cluster({ workers, mode: sync() }), { steps: 4 })
  expect(stepsOf(outcome, 0).map(one => [one.startUs, one.endUs])).toEqual([
    [0, 30],
    [30, 90]
  ])
  expect(stepsOf(outcome, 1).map(one => [one.startUs, one.endUs])).toEqual([
    [0, 60],
    [60, 120]
  ])
})

// Nothing is pushed: steps of 10, 20 and 30 are themselves what a round waits for, of two workers when one is a backup. Then the round of 20 ends without worker 2,
// which joins the second at 30; that one ends with worker 1's step, at 40. Whose step ends the round ends first.
everySimulator('without pushes a round ends with its steps', simulate => {
  const compute = job([{ kind: 'compute', amount: 10 }])
  const three = [{}, { computeScale: 2 }, { computeScale: 3 }]
  const all = simulate(compute, cluster({ workers: three, mode: sync() }), { steps: 6 })
  expect(all.steps.map(one => one.endUs)).toEqual([30, 30, 30, 60, 60, 60])
  const some = simulate(compute, cluster({ workers: three, mode: sync(1) }), { steps: 5 })
  expect(some.steps.map(one => [one.worker, one.endUs, one.usedShare])).toEqual([
    [1, 20, 1],
    [0, 20, 1],
    [2, 30, 0],
    [1, 40, 1],
    [0, 40, 1]
  ])
})

// One worker: its step of 10 + 4 of an asynchronous job, and what adding up costs.
everySimulator('one worker makes rounds of its own', simulate => {
  const outcome = simulate(step, cluster({ mode: sync(0, 1) }), { steps: 3 })
  expect(outcome.steps.map(one => one.endUs)).toEqual([18, 36, 54])
})
