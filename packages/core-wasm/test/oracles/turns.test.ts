import { expect } from 'vitest'
import { cluster } from '../support/cluster.ts'
import { everySimulator } from '../support/everySimulator.ts'
import { job } from '../support/job.ts'
import { endsUs, entryOf } from '../support/outcome.ts'

const oneOut = [{ outBytesPerUs: 1 }]
const pulls = (...sizes: number[]) => job(sizes.map(amount => ({ kind: 'pull', amount })))

// Sizes 300, 100, 200 at 1 byte/µs, no window: one after the other, 300, 400, 600.
everySimulator('a window beyond every size means first in, first out', simulate => {
  for (const first of [300, 1e9, Infinity]) {
    const outcome = simulate(pulls(300, 100, 200), cluster({ servers: oneOut, turns: { first, later: 1 } }), { steps: 1 })
    expect(endsUs(outcome, [0, 1, 2])).toEqual([300, 400, 600])
  }
})

// Processor sharing of 300, 100, 200: all three send until the smallest is through, 3·100 = 300; two until 300 + 2·100 = 500; then 600.
// Turns of q bytes deviate by less than one round of the three, 3q.
everySimulator('ever smaller turns approach fair sharing within a connection', simulate => {
  for (const q of [50, 10, 1, 0.25]) {
    const outcome = simulate(pulls(300, 100, 200), cluster({ servers: oneOut, turns: { first: q, later: q } }), { steps: 1 })
    const deviations = [600, 300, 500].map((fair, i) => Math.abs(endsUs(outcome, [0, 1, 2])[i] - fair))
    expect(Math.max(...deviations)).toBeLessThanOrEqual(3 * q)
  }
})

// The measured example of docs/method.md §10 (d), sizes and window divided by 10^6: v1 4, v4 1, v5 36, v0 1, v3 67, v2 17, window 62.
// Only v3 exceeds it. Wire: v1 -4, v4 -5, v5 -41, v0 -42, 62 of v3 -104, v2 -121, the other 5 of v3 -126.
everySimulator('a tensor beyond the window loses its place after its first turn', simulate => {
  const outcome = simulate(pulls(4, 1, 36, 1, 67, 17), cluster({ servers: oneOut, turns: { first: 62, later: 62 } }), { steps: 1 })
  expect(endsUs(outcome, [0, 1, 2, 3, 4, 5])).toEqual([4, 5, 41, 42, 126, 121])
  expect(entryOf(outcome, 4)).toMatchObject({ readyUs: 0, startUs: 42, wireEndUs: 126 })
})

// First turns 30, later ones 50. A 100, B 90. A becomes ready first, finds the connection idle, and is re-queued before B is there:
// A 30 -30, A 50 -80, B 30 -110, A's last 20 -130, B 50 -180, B's last 10 -190.
everySimulator('the first turn and later turns have their own sizes', simulate => {
  const outcome = simulate(pulls(100, 90), cluster({ servers: oneOut, turns: { first: 30, later: 50 } }), { steps: 1 })
  expect(endsUs(outcome, [0, 1])).toEqual([130, 190])
})

// A (100, window 60) re-queues when its turn is composed, at 0. B (10) comes at 30 and queues behind A's rest: A 100, B 110.
everySimulator('a later arrival queues behind a stream that is on the wire but not yet through', simulate => {
  const step = job([
    { kind: 'pull', amount: 100 },
    { kind: 'pull', amount: 10, releaseUs: 30 }
  ])
  const outcome = simulate(step, cluster({ servers: oneOut, turns: { first: 60, later: 60 } }), { steps: 1 })
  expect(endsUs(outcome, [0, 1])).toEqual([100, 110])
})

// Windows are of each connection: two servers with a link each and one stream each do not disturb each other.
everySimulator('connections to different servers take turns independently', simulate => {
  const step = job([
    { kind: 'pull', server: 0, amount: 100 },
    { kind: 'pull', server: 1, amount: 40 },
    { kind: 'pull', server: 1, amount: 30 }
  ])
  const hosts = cluster({ servers: [oneOut[0], oneOut[0]], turns: { first: 35, later: 35 } })
  // Server 1: 35 of the 40, whose rest is queued before the 30 come, so 5 at 40 and then 30 at 70.
  expect(endsUs(simulate(step, hosts, { steps: 1 }), [0, 1, 2])).toEqual([100, 40, 70])
})

// A 100, B 40, C 60, all but the first turns without windows; B's first turn has none either. D 10 comes 10 later.
// Template 0: A's first 30 -30; its rest was queued before B and C came: 70 -100; B -140; C 60 -200; D -210.
// Template 1, from 210: A -310, B -350, C's first 20 -370, D -380, C's rest 40 -420.
everySimulator('a job may give each stream a first turn of its own', simulate => {
  const step = job([
    { kind: 'pull', amount: 100, firstTurnBytes: [30, 100] },
    { kind: 'pull', amount: 40 },
    { kind: 'pull', amount: 60, firstTurnBytes: [60, 20] },
    { kind: 'pull', amount: 10, releaseUs: 10 }
  ])
  const outcome = simulate(step, cluster({ servers: oneOut, turns: { first: 1, later: Infinity } }), { steps: 2 })
  expect(endsUs(outcome, [0, 1, 2, 3])).toEqual([100, 140, 200, 210])
  expect(endsUs(outcome, [0, 1, 2, 3], { step: 1 })).toEqual([310, 350, 420, 380])
})
