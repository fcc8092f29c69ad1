import { expect } from 'vitest'
import { cluster } from '../support/cluster.ts'
import { everySimulator } from '../support/everySimulator.ts'
import { job } from '../support/job.ts'
import { endsUs, entryOf } from '../support/outcome.ts'

const pullAndPush = job([
  { kind: 'pull', amount: 1000 },
  { kind: 'push', amount: 400 }
])

// Fraction 1/4: while both directions are busy, 10/1.25 = 8 each. The push ends at 400/8 = 50; the pull has 1000 - 400 = 600 left at
// 10: 110.
everySimulator('both directions pay for acknowledgements while both are busy', simulate => {
  const onServer = cluster({ servers: [{ outBytesPerUs: 10, inBytesPerUs: 10 }], ackFraction: 0.25 })
  expect(endsUs(simulate(pullAndPush, onServer, { steps: 1 }), [0, 1])).toEqual([110, 50])
  const onWorker = cluster({ workers: [{ outBytesPerUs: 10, inBytesPerUs: 10 }], ackFraction: 0.25 })
  expect(endsUs(simulate(pullAndPush, onWorker, { steps: 1 }), [0, 1])).toEqual([110, 50])
})

// Unequal links, out 10 and in 5: 8 and 4. Push: 400/4 = 100, by which the pull has sent 800; its last 200 at 10: 120.
everySimulator('each direction loses the fraction of its own capacity', simulate => {
  const hosts = cluster({ servers: [{ outBytesPerUs: 10, inBytesPerUs: 5 }], ackFraction: 0.25 })
  expect(endsUs(simulate(pullAndPush, hosts, { steps: 1 }), [0, 1])).toEqual([120, 100])
})

// Both pull 400 at 0; worker 0 pushes 400 at 0, worker 1 at 50. The server's incoming link is busy from 0 to 100, for one and then for
// the other (10/1.25 = 8: 50 µs each), so the pulls have 8/2 = 4 each all the time: 100.
everySimulator('acknowledgements of one worker cost the other, on the server’s links', simulate => {
  const step = job([
    { kind: 'compute', amount: 50 },
    { kind: 'push', amount: 400, after: [0] },
    { kind: 'pull', amount: 400 },
    { kind: 'delay', amount: 1000, after: [1, 2] }
  ])
  const hosts = cluster({
    workers: [{ computeScale: 0 }, {}],
    servers: [{ outBytesPerUs: 10, inBytesPerUs: 10 }],
    ackFraction: 0.25
  })
  const outcome = simulate(step, hosts, { steps: 2 })
  expect(endsUs(outcome, [1, 2])).toEqual([expect.closeTo(50, 9), expect.closeTo(100, 9)])
  expect(endsUs(outcome, [1, 2], { worker: 1 })).toEqual([expect.closeTo(100, 9), expect.closeTo(100, 9)])
})

// The links of different hosts have nothing to do with each other: pulling from server 0 and pushing to server 1 costs nothing there;
// on the worker's links, 16 each way, it does: 16/1.25 = 12.8 for the pull and the push.
everySimulator('only the two directions of one host affect each other', simulate => {
  const step = job([
    { kind: 'pull', server: 0, amount: 1280 },
    { kind: 'push', server: 1, amount: 1280 }
  ])
  const ten = { outBytesPerUs: 10, inBytesPerUs: 10 }
  const onServers = simulate(step, cluster({ servers: [ten, ten], ackFraction: 0.25 }), { steps: 1 })
  expect(endsUs(onServers, [0, 1])).toEqual([128, 128])
  const onWorker = cluster({ workers: [{ outBytesPerUs: 16, inBytesPerUs: 16 }], servers: 2, ackFraction: 0.25 })
  expect(endsUs(simulate(step, onWorker, { steps: 1 }), [0, 1])).toEqual([expect.closeTo(100, 9), expect.closeTo(100, 9)])
})

// Window 80, round trip 200: the push sends 80 at 8, 0 to 10, then its connection waits until 200 and sends the other 80 until 210.
// The pull of 50 at 100 finds the other direction idle: full rate 10, 5 µs.
everySimulator('a connection that waits for its window costs no acknowledgements', simulate => {
  const step = job([
    { kind: 'push', amount: 160 },
    { kind: 'pull', amount: 50, releaseUs: 100 },
    { kind: 'delay', amount: 0, after: [0, 1] }
  ])
  const hosts = cluster({
    workers: [{ latencyUs: 100 }],
    servers: [{ outBytesPerUs: 10, inBytesPerUs: 8 }],
    turns: { first: 80, later: 80 },
    ackFraction: 0.25
  })
  const outcome = simulate(step, hosts, { steps: 1 })
  expect(entryOf(outcome, 1).wireEndUs).toBe(105)
  expect(entryOf(outcome, 0).wireEndUs).toBe(210)
})
