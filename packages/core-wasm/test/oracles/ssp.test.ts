import { expect } from 'vitest'
import type { Mode } from '../../src/job.ts'
import { cluster } from '../support/cluster.ts'
import { everySimulator } from '../support/everySimulator.ts'
import { job } from '../support/job.ts'
import { stepsOf } from '../support/outcome.ts'

const compute = job([{ kind: 'compute', amount: 10 }])
const workers = [{}, { computeScale: 3 }]
const ssp = (staleness: number): Mode => ({ kind: 'ssp', staleness })

// Worker 1 takes 30 a step. Worker 0 takes 10, may begin step 1 with worker 1 at 0 completed steps, and step s = 2, 3, … when worker 1 has
// completed s - 1: at 30, 60, 90. It waits from 20, 40, 70 on: 10, 20, 20.
everySimulator('one step ahead', simulate => {
  const outcome = simulate(compute, cluster({ workers, mode: ssp(1) }), { steps: 7 })
  expect(stepsOf(outcome, 0).map(one => one.startUs)).toEqual([0, 10, 30, 60])
  expect(stepsOf(outcome, 0).map(one => one.waitedUs)).toEqual([0, 0, 10, 20])
  expect(stepsOf(outcome, 1).map(one => [one.startUs, one.waitedUs])).toEqual([
    [0, 0],
    [30, 0],
    [60, 0]
  ])
})

// Nobody ahead: all begin together when the slowest has completed and the overhead of 2 has passed: 0, 32, 64. Worker 0 waits from 10 to 30.
everySimulator('no step ahead: all begin together', simulate => {
  const outcome = simulate(compute, cluster({ workers, mode: ssp(0), stepOverheadUs: 2 }), { steps: 6 })
  for (const worker of [0, 1]) expect(stepsOf(outcome, worker).map(one => one.startUs)).toEqual([0, 32, 64])
  expect(stepsOf(outcome, 0).map(one => one.waitedUs)).toEqual([0, 20, 20])
})

// Without the bound, worker 0 begins at 0, 10, 20, …; with a bound of 5 it has begun steps 0 … 5 by 50, and step 6 when worker 1 has completed 1: it
// has, at 30, so it begins at 60; step 7 needs 2, at 60: 70; step 8 needs 3, at 90: waits from 80; step 9 needs 4: 120.
everySimulator('a long lead is used up before anybody waits', simulate => {
  const outcome = simulate(compute, cluster({ workers, mode: ssp(5) }), { steps: 13 })
  expect(stepsOf(outcome, 0).map(one => one.startUs)).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 90])
})

// Of three workers (10, 20 and 30 a step) all wait for the slowest alone, and those that wait begin at once: steps 1 begin at 30, steps 2 at 60.
everySimulator('those that wait are released together', simulate => {
  const three = [{}, { computeScale: 2 }, { computeScale: 3 }]
  const outcome = simulate(compute, cluster({ workers: three, mode: ssp(0) }), { steps: 9 })
  expect(outcome.steps.map(one => [one.worker, one.startUs])).toEqual(
    [0, 30, 60].flatMap(at => [0, 1, 2].map(worker => [worker, at]))
  )
})

// Both push at the end of their computations, 10 and 30: worker 0 at 10 and 20, waits for 30; so worker 1's first step has seen two pushes of
// worker 0, 2·1 + 1 at most. Worker 0 then computes from 30 to 40 while worker 1 pushes at 60 only.
everySimulator('staleness counts as without a bound', simulate => {
  const step = job([
    { kind: 'pull', amount: 1 },
    { kind: 'compute', amount: 10, after: [0] },
    { kind: 'push', amount: 1, after: [1] }
  ])
  const outcome = simulate(step, cluster({ workers, mode: ssp(1) }), { steps: 5 })
  expect(stepsOf(outcome, 1).map(one => one.staleness)).toEqual([2, 1])
})
