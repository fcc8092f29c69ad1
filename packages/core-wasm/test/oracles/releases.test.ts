import { expect } from 'vitest'
import { cluster } from '../support/cluster.ts'
import { everySimulator } from '../support/everySimulator.ts'
import { job } from '../support/job.ts'
import { endsUs, entryOf, stepsOf } from '../support/outcome.ts'

// Ready at 5, 0 and 40; the one slot serves them at 0, 10 (the first was ready at 5 but had to wait) and 40.
everySimulator('roots become ready at their release times, not in the order of their numbers', simulate => {
  const roots = job([
    { kind: 'compute', amount: 7, releaseUs: 5 },
    { kind: 'compute', amount: 10, releaseUs: 0 },
    { kind: 'compute', amount: 1, releaseUs: 40 }
  ])
  const outcome = simulate(roots, cluster(), { steps: 2 })
  expect(endsUs(outcome, [0, 1, 2])).toEqual([17, 10, 41])
  expect(entryOf(outcome, 0)).toMatchObject({ readyUs: 5, startUs: 10, wireEndUs: 10 })
  // The second step begins at 41 and does the same.
  expect(endsUs(outcome, [0, 1, 2], { step: 1 })).toEqual([58, 51, 82])
})

// Template 0 lasts 3 + 10 = 13, template 1 lasts 1 + 20 = 21; in turn 13, 21, 13, 21.
everySimulator('templates in order take turns, with their own amounts and releases', simulate => {
  const alternating = job([{ kind: 'compute', amount: [10, 20], releaseUs: [3, 1] }])
  const steps = stepsOf(simulate(alternating, cluster(), { steps: 4 }), 0)
  expect(steps.map(step => step.template)).toEqual([0, 1, 0, 1])
  expect(steps.map(step => step.endUs)).toEqual([13, 34, 47, 68])
})

// Order of the list at one time: the operation that is released first is served first, and it differs by template.
everySimulator('each template has its own order of release', simulate => {
  const twoOrders = job([
    { kind: 'pull', amount: 100, releaseUs: [0, 1] },
    { kind: 'pull', amount: 300, releaseUs: [1, 0] }
  ])
  const outcome = simulate(twoOrders, cluster({ servers: [{ outBytesPerUs: 1 }] }), { steps: 2 })
  expect(endsUs(outcome, [0, 1])).toEqual([100, 400])
  expect(endsUs(outcome, [0, 1], { step: 1 })).toEqual([800, 700])
})

// Both transfers take no time on the wire but pay latency 3 and the fixed cost 2 of parsing.
everySimulator('empty transfers send nothing and still travel', simulate => {
  const empty = job([
    { kind: 'pull', amount: 0 },
    { kind: 'pull', amount: 0, after: [0] }
  ])
  const hosts = cluster({
    workers: [{ latencyUs: 3 }],
    servers: [{ outBytesPerUs: 10 }],
    workerParse: { slots: 1, perByteUs: 100, fixedUs: 2 }
  })
  const outcome = simulate(empty, hosts, { steps: 1 })
  expect(endsUs(outcome, [0, 1])).toEqual([5, 10])
  expect(outcome.statistics.pullBytes[0]).toBe(0)
})
