import { expect, test } from 'vitest'
import type { Cluster, Job } from '../../src/job.ts'
import { cluster } from '../support/cluster.ts'
import { withSimulation } from '../support/core.ts'
import { portableCore, wasmCore } from '../support/engines.ts'
import { job, type OperationSpec } from '../support/job.ts'

const slowServer = [{ inBytesPerUs: 1, outBytesPerUs: 1 }]
/** What every step takes: its begin and its end. */
const frame = 2
/** Between the second and the twelfth step of one worker. */
const STEPS = 10

function eventsPerStep(step: Job, hosts: Cluster): number[] {
  return [wasmCore, portableCore].map(core =>
    withSimulation(core, step, hosts, { inOrder: true }, simulation => {
      simulation.run(2)
      simulation.resetStatistics()
      simulation.run(2 + STEPS)
      return simulation.statistics().events / STEPS
    })
  )
}

const many = (count: number, spec: (index: number) => OperationSpec): OperationSpec[] =>
  Array.from({ length: count }, (_, i) => spec(i))

// While the connection is busy with 100 µs a pull, those released every 10 µs are found by its cursor: one event for the first.
test('pulls without dependencies cost the ends of their turns and one event', () => {
  const pulls = job(many(20, i => ({ kind: 'pull', amount: 100, releaseUs: 10 * i })))
  expect(eventsPerStep(pulls, cluster({ servers: slowServer }))).toEqual([frame + 1 + 20, frame + 1 + 20])
})

// Each finds the connection idle.
test('pulls that come one by one cost an event more each', () => {
  const pulls = job(many(20, i => ({ kind: 'pull', amount: 100, releaseUs: 1000 * i })))
  expect(eventsPerStep(pulls, cluster({ servers: slowServer }))).toEqual([frame + 40, frame + 40])
})

// One for the release of the computation, one for its end, one for the step's last push; none for the arrival of a push, for updates nobody waits for, or for delays.
test('pushes cost the ends of their turns, updates at the end and delays nothing', () => {
  const pushes = many(10, () => ({ kind: 'push', amount: 100, after: [0] }))
  const delays = many(5, i => ({ kind: 'delay', amount: 3, after: [11 + i - 1] }))
  const step = job([{ kind: 'compute', amount: 50 }, ...pushes, { ...delays[0], after: [0] }, ...delays.slice(1)])
  expect(eventsPerStep(step, cluster({ servers: slowServer }))).toEqual([frame + 2 + 10 + 1, frame + 2 + 10 + 1])
})

// The update becomes ready by an event, because other workers may be at the server's station.
test('a push that an update waits for costs one event more', () => {
  const step = job([
    { kind: 'compute', amount: 50 },
    { kind: 'push', amount: 100, after: [0] },
    { kind: 'update', amount: 10, after: [1] }
  ])
  expect(eventsPerStep(step, cluster({ servers: slowServer }))).toEqual([frame + 2 + 1 + 1 + 1, frame + 2 + 1 + 1 + 1])
})

// Eight pulls and a computation that waits for all: one event when it becomes ready; nobody waits for it.
test('an operation that waits for many transfers becomes ready by one event', () => {
  const step = job([
    ...many(8, () => ({ kind: 'pull', amount: 100 })),
    { kind: 'compute', amount: 50, after: [0, 1, 2, 3, 4, 5, 6, 7] }
  ])
  expect(eventsPerStep(step, cluster({ servers: slowServer }))).toEqual([frame + 1 + 8 + 1, frame + 1 + 8 + 1])
})
