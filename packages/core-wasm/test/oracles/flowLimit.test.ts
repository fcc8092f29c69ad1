import { expect } from 'vitest'
import { cluster } from '../support/cluster.ts'
import { everySimulator } from '../support/everySimulator.ts'
import { job } from '../support/job.ts'
import { endsUs, entryOf } from '../support/outcome.ts'

const ten = { outBytesPerUs: 10, inBytesPerUs: 10 }
const pull = job([{ kind: 'pull', amount: 1000 }])

// Limit 4 on a link of 10: one or two connections get 4 each, 250 µs; three share it, 300 µs.
everySimulator('a connection gets no more than its limit', simulate => {
  for (const [workers, us] of [
    [1, 250],
    [2, 250],
    [3, 300]
  ]) {
    const outcome = simulate(pull, cluster({ workers, servers: [ten], flowBytesPerUs: 4 }), { steps: workers })
    for (const step of outcome.steps) expect(step.endUs).toBeCloseTo(us, 9)
  }
})

// A worker of two servers has two connections: 4 each, together 8; its own link of 6 leaves 3 each.
everySimulator('with several servers each connection has the limit', simulate => {
  const step = job([
    { kind: 'pull', server: 0, amount: 1200 },
    { kind: 'pull', server: 1, amount: 1200 }
  ])
  const hosts = { servers: [ten, ten], flowBytesPerUs: 4 }
  expect(endsUs(simulate(step, cluster(hosts), { steps: 1 }), [0, 1])).toEqual([300, 300])
  const narrow = cluster({ ...hosts, workers: [{ inBytesPerUs: 6 }] })
  expect(endsUs(simulate(step, narrow, { steps: 1 }), [0, 1])).toEqual([400, 400])
})

// Server 0 has 12 for three. Worker 2 takes 1 by its own link, so 5.5 are there for the others: with a limit of 5 each gets 5, 200 µs.
// Server 1, 3 for worker 0 alone, stays below the limit. The rest of worker 2's 1000 comes at 1.
everySimulator('limits of connections, servers and workers mix', simulate => {
  const step = job([
    { kind: 'pull', server: 0, amount: 1000 },
    { kind: 'compute', amount: 5000 },
    { kind: 'pull', server: 1, amount: 300, after: [1] },
    { kind: 'delay', amount: 1e6, after: [0] }
  ])
  const hosts = cluster({
    workers: [{ computeScale: 0 }, {}, { inBytesPerUs: 1 }],
    servers: [{ outBytesPerUs: 12 }, { outBytesPerUs: 3 }],
    flowBytesPerUs: 5
  })
  const outcome = simulate(step, hosts, { steps: 3 })
  expect(endsUs(outcome, [0, 2])).toEqual([expect.closeTo(200, 9), expect.closeTo(100, 9)])
  expect(entryOf(outcome, 0, { worker: 1 }).endUs).toBeCloseTo(200, 9)
  expect(entryOf(outcome, 0, { worker: 2 }).endUs).toBeCloseTo(1000, 9)
})

// Worker 0, weight 1, is alone at its limit of 10; from 50 on the newcomer with 1/16 could have 1 of 17 beside it, but 7 are left.
// Worker 0 has 1500 - 500 = 1000 to go: 150. With another server in the cluster nothing is different.
everySimulator('what a limited connection leaves goes to the others, whatever their weights', simulate => {
  const step = job([
    { kind: 'compute', amount: 50 },
    { kind: 'pull', amount: 1500, after: [0] },
    { kind: 'delay', amount: 1e9, after: [1] }
  ])
  for (const others of [[], [{}]]) {
    const hosts = cluster({
      workers: [{ computeScale: 0 }, {}],
      servers: [{ outBytesPerUs: 17 }, ...others],
      flowBytesPerUs: 10,
      shares: { pull: [{ startWeight: 1 / 16, rampUs: 7000, spread: 0 }], push: [] }
    })
    const outcome = simulate(step, hosts, { steps: 2 })
    expect(entryOf(outcome, 1).endUs).toBeCloseTo(150, 9)
    // 700 by then; alone at 10 for the other 800.
    expect(entryOf(outcome, 1, { worker: 1 }).endUs).toBeCloseTo(230, 9)
  }
})

// Fraction 1/4: the server's 10 are 8 while both directions are busy. A limit of 7.2 is below that and stays what it is: 100 µs; one of 9 is above.
everySimulator('acknowledgements do not come out of the limit', simulate => {
  const step = job([
    { kind: 'pull', amount: 720 },
    { kind: 'push', amount: 720 }
  ])
  for (const servers of [[ten], [ten, ten]]) {
    const both = [7.2, 9].map(flowBytesPerUs =>
      simulate(step, cluster({ servers, flowBytesPerUs, ackFraction: 0.25 }), { steps: 1 })
    )
    expect(both.map(outcome => endsUs(outcome, [0, 1]).map(us => us.toFixed(6)))).toEqual([
      ['100.000000', '100.000000'],
      ['90.000000', '90.000000']
    ])
  }
})
