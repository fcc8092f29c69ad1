import { expect } from 'vitest'
import { cluster } from '../support/cluster.ts'
import { everySimulator } from '../support/everySimulator.ts'
import { job } from '../support/job.ts'
import { endsUs, entryOf } from '../support/outcome.ts'

const ten = [{ outBytesPerUs: 10, inBytesPerUs: 10 }]

// 1000 - 250 at 10: 75 µs. The link idles until 85 and has gained 10·10: the next 1000 take 90, until 175. Then it idles for long, and is
// full again, but not more than full.
everySimulator('an idle link saves up to its burst', simulate => {
  const step = job([
    { kind: 'pull', amount: 1000 },
    { kind: 'delay', amount: 10, after: [0] },
    { kind: 'pull', amount: 1000, after: [1] },
    { kind: 'delay', amount: 1e6, after: [2] },
    { kind: 'pull', amount: 1000, after: [3] }
  ])
  const outcome = simulate(step, cluster({ servers: ten, burstBytes: 250 }), { steps: 1 })
  expect(endsUs(outcome, [0, 2, 4])).toEqual([75, 175, 1e6 + 250])
  expect(outcome.statistics.pullBytes).toEqual(Float64Array.of(3000))
  expect(outcome.statistics.pullBusyUs[0]).toBeCloseTo(240, 6)
})

// 100 and 120 of the bucket's 250 go in no time; the third finds 30: 17 µs. The worker's own link, 1 byte/µs, does not slow the burst.
everySimulator('several small transfers empty the bucket together', simulate => {
  const step = job([100, 120, 200].map(amount => ({ kind: 'pull', amount })))
  expect(endsUs(simulate(step, cluster({ servers: ten, burstBytes: 250 }), { steps: 1 }), [0, 1, 2])).toEqual([0, 0, 17])
  const narrow = cluster({ workers: [{ inBytesPerUs: 1 }], servers: ten, burstBytes: 250 })
  expect(endsUs(simulate(step, narrow, { steps: 1 }), [0, 1, 2])).toEqual([0, 0, 170])
})

// Worker 0 begins alone: 250 at once, 450 of its 1000 are there at 20, when worker 1 comes: 5 each, nothing at once. 110 µs later worker 0
// is done and worker 1 has 450 left: at 175.
everySimulator('beside others there is no burst', simulate => {
  const step = job([
    { kind: 'compute', amount: 20 },
    { kind: 'pull', amount: 1000, after: [0] },
    { kind: 'delay', amount: 1e9, after: [1] }
  ])
  const hosts = cluster({ workers: [{ computeScale: 0 }, {}], servers: ten, burstBytes: 250 })
  const outcome = simulate(step, hosts, { steps: 2 })
  expect(entryOf(outcome, 1).endUs).toBeCloseTo(130, 9)
  expect(entryOf(outcome, 1, { worker: 1 }).endUs).toBeCloseTo(175, 9)
})

// Each direction of each server has its own bucket: 1000 - 250 at 10 for all four.
everySimulator('buckets of different links are different', simulate => {
  const step = job([
    { kind: 'pull', server: 0, amount: 1000 },
    { kind: 'pull', server: 1, amount: 1000 },
    { kind: 'push', server: 0, amount: 1000 },
    { kind: 'push', server: 1, amount: 1000 }
  ])
  const outcome = simulate(step, cluster({ servers: [ten[0], ten[0]], burstBytes: 250 }), { steps: 1 })
  expect(endsUs(outcome, [0, 1, 2, 3])).toEqual([75, 75, 75, 75])
})
