import { expect, test } from 'vitest'
import type { Priority } from '../../src/job.ts'
import { cluster } from '../support/cluster.ts'
import { withSimulation } from '../support/core.ts'
import { wasmCore } from '../support/engines.ts'
import { everySimulator } from '../support/everySimulator.ts'
import { job, type OperationSpec } from '../support/job.ts'
import { endsUs, entryOf } from '../support/outcome.ts'

const slow = [{ outBytesPerUs: 1, inBytesPerUs: 1 }]
const chunks = (creditBytes: number, chunkUs = 0, partitionBytes = 100): Priority => ({
  partitionBytes,
  creditBytes,
  chunkUs,
  pull: true,
  push: true
})

/** A large tensor, and an urgent one that comes while the second chunk of the other is on the wire. */
const twoTensors = (kind: 'pull' | 'push') =>
  job([
    { kind, amount: 400, priority: 7 },
    { kind, amount: 200, priority: 3, releaseUs: 150 }
  ])

for (const kind of ['pull', 'push'] as const) {
  // Large: 0 -100 -200. Urgent: 200 -300 -400. Large: 400 -500 -600.
  everySimulator(`with a credit of one chunk the urgent ${kind} waits for the chunk on the wire`, simulate => {
    const outcome = simulate(twoTensors(kind), cluster({ servers: slow, priority: chunks(100) }), { steps: 1 })
    expect(endsUs(outcome, [0, 1])).toEqual([600, 400])
    expect(entryOf(outcome, 1)).toMatchObject({ readyUs: 150, startUs: 200, wireEndUs: 400 })
    expect(entryOf(outcome, 0)).toMatchObject({ readyUs: 0, startUs: 0, wireEndUs: 600 })
  })

  // The third chunk of the large one was handed over at 100, when its first was sent: -300. Urgent: 300 -400 -500. Large: -600.
  everySimulator(`with a credit of two chunks the urgent ${kind} waits for one more`, simulate => {
    const outcome = simulate(twoTensors(kind), cluster({ servers: slow, priority: chunks(200) }), { steps: 1 })
    expect(endsUs(outcome, [0, 1])).toEqual([600, 500])
  })

  // Each chunk is 10 under hand-over and 100 on the wire, 110 in all. Large: -110 -220, urgent: -330 -440, large: -550 -660.
  everySimulator(`with a credit of one chunk each ${kind} idles during its hand-overs`, simulate => {
    const outcome = simulate(twoTensors(kind), cluster({ servers: slow, priority: chunks(100, 10) }), { steps: 1 })
    expect(endsUs(outcome, [0, 1])).toEqual([660, 440])
    expect(entryOf(outcome, 1).startUs).toBe(230)
  })

  // The first hand-over ends at 10, the second at 20; from then on they hide behind the wire: sent at 110, 210, 310 (handed over at 110 to 120, before 150),
  // then the urgent one, handed over at 210: -410 -510, and the large one's last: -610.
  everySimulator(`with a credit of two chunks hand-overs of a ${kind} hide behind the wire`, simulate => {
    const outcome = simulate(twoTensors(kind), cluster({ servers: slow, priority: chunks(200, 10) }), { steps: 1 })
    expect(endsUs(outcome, [0, 1])).toEqual([610, 510])
  })
}

// Large: 100, 100 and 50. At 200 the urgent 30 are handed over and, as 30 + 50 ≤ 100, the 50 too. Urgent -230, large -280.
everySimulator('a last chunk has what is left', simulate => {
  const step = job([
    { kind: 'pull', amount: 250, priority: 1 },
    { kind: 'pull', amount: 30, priority: 0, releaseUs: 120 }
  ])
  const ends = (priority: Priority) => endsUs(simulate(step, cluster({ servers: slow, priority }), { steps: 1 }), [0, 1])
  expect(ends(chunks(100))).toEqual([280, 230])
  // With 10 a chunk: 10 -110, 120 -220, urgent 230 -260; the 50 are under hand-over until 240: 260 -310.
  expect(ends(chunks(100, 10))).toEqual([310, 260])
})

// The 60 of B do not fit beside the 100 of A. C is urgent and fits: it goes at 20, and B, which does not overtake it, when A is sent.
// A -100, C -130, B -190.
everySimulator('what does not fit the credit holds up whoever is behind it, not who comes before it', simulate => {
  const step = job([
    { kind: 'push', amount: 100, priority: 1 },
    { kind: 'push', amount: 60, priority: 1, releaseUs: 10 },
    { kind: 'push', amount: 20, priority: 2, releaseUs: 15 },
    { kind: 'push', amount: 30, priority: 0, releaseUs: 20 }
  ])
  const outcome = simulate(step, cluster({ servers: slow, priority: chunks(130) }), { steps: 1 })
  expect(endsUs(outcome, [0, 1, 2, 3])).toEqual([100, 190, 210, 130])
})

// All are ready at 0 but the last. Whole tensors, one at a time: 3, 1, then 4 that came at 20, then the equal 0 and 2 as listed.
everySimulator('whole tensors go by priority, those that are ready at once too, and none is interrupted', simulate => {
  const step = job([
    { kind: 'push', amount: 100, priority: 9 },
    { kind: 'push', amount: 50, priority: 2 },
    { kind: 'push', amount: 10, priority: 9 },
    { kind: 'push', amount: 30, priority: 1 },
    { kind: 'push', amount: 7, priority: 0, releaseUs: 40 }
  ])
  const outcome = simulate(step, cluster({ servers: slow, priority: chunks(1, 0, Infinity) }), { steps: 1 })
  expect(endsUs(outcome, [0, 1, 2, 3, 4])).toEqual([187, 80, 197, 30, 87])
})

// Two gradients of one computation: the second listed is the more urgent. Without priority the first would go first.
everySimulator('of what one computation makes ready the most urgent goes first', simulate => {
  const step = job([
    { kind: 'compute', amount: 10 },
    { kind: 'push', amount: 100, priority: 1, after: [0] },
    { kind: 'push', amount: 100, priority: 0, after: [0] }
  ])
  expect(endsUs(simulate(step, cluster({ servers: slow, priority: chunks(100) }), { steps: 1 }), [1, 2])).toEqual([210, 110])
  expect(endsUs(simulate(step, cluster({ servers: slow }), { steps: 1 }), [1, 2])).toEqual([110, 210])
})

// Neither a window of 10 nor a round trip of 1000 (for the next turn) holds: 400 bytes -400, 50 of latency, and 0.5 a byte and 3 of parsing, once.
everySimulator('windows and round trips do not hold for chunks, and a transfer is parsed once', simulate => {
  const hosts = cluster({
    workers: [{ latencyUs: 500 }],
    servers: slow,
    turns: { first: 10, later: 10 },
    workerParse: { slots: 1, perByteUs: 0.5, fixedUs: 3 },
    priority: chunks(200)
  })
  const outcome = simulate(job([{ kind: 'pull', amount: 400, firstTurnBytes: 20 }]), hosts, { steps: 1 })
  expect(entryOf(outcome, 0)).toMatchObject({ wireEndUs: 400, endUs: 400 + 500 + 203 })
})

// Pulls take turns of 100 as they come, A -100 -200, B -300, though B is urgent. Pushes go by priority: D waits for one chunk of C.
everySimulator('each direction for itself', simulate => {
  const step = job([
    { kind: 'pull', amount: 200, priority: 9 },
    { kind: 'pull', amount: 100, priority: 0 },
    { kind: 'push', amount: 200, priority: 9 },
    { kind: 'push', amount: 100, priority: 0, releaseUs: 50 }
  ])
  const hosts = cluster({ servers: slow, turns: { first: 100, later: 100 }, priority: { ...chunks(100), pull: false } })
  expect(endsUs(simulate(step, hosts, { steps: 1 }), [0, 1, 2, 3])).toEqual([200, 300, 300, 200])
})

// Chunks of 50, a credit of one and 10 a chunk. Worker 0 (w0) pulls from 0, worker 1 (w1) from 10 on.
// 10 -20: w0 alone, 10 bytes. 20 -100: both at 1/2, w0's other 40, 40 of w1. 100 -110: w1 alone, its 50 are sent; w0 is back at 110.
// 110 -120: w0 alone, 10. 120 -200: both, w0's other 40, 40 of w1. 200 -210: w1 alone.
everySimulator('during a hand-over the link is the others’', simulate => {
  const step = job([
    { kind: 'compute', amount: 10 },
    { kind: 'pull', amount: 100, after: [0] },
    { kind: 'delay', amount: 1000, after: [1] }
  ])
  const workers = [{ computeScale: 0 }, {}]
  const hosts = cluster({ workers, servers: slow, priority: chunks(50, 10, 50) })
  const outcome = simulate(step, hosts, { steps: 2 })
  expect([0, 1].map(worker => entryOf(outcome, 1, { worker }).endUs)).toEqual([200, 210])
})

// Two workers with 5·10^7 bytes each on a link of 100 a µs. Worker 0 comes at 10 ms, when worker 1 has sent 5·10^5, and its weight grows from 1/128 to 1 in
// seven steps of 100 ms, though each of its chunks takes less than that and hand-overs part them. In these 700 ms worker 1 sends 10^7 · (1/(2 + 1/128) +
// 1/(2 + 1/64) + … + 1/(2 + 1/2)) = 3.286·10^7, and the other 1.664·10^7 at a third of the link in 499 ms: 1209 ms. Hand-overs of 10 µs, during
// which the link is the others', hardly matter. Without growth it would end at 1004 ms, with the whole weight from the start at 1495.
everySimulator('the share of a connection grows across its hand-overs', simulate => {
  const step = job([
    { kind: 'compute', amount: 1e4 },
    { kind: 'pull', amount: 5e7, after: [0] },
    { kind: 'delay', amount: 1e7, after: [1] }
  ])
  const hosts = cluster({
    workers: [{}, { computeScale: 0 }, { computeScale: 0.03 }],
    servers: [{ outBytesPerUs: 100 }],
    shares: { pull: [{ startWeight: 1 / 128, rampUs: 7e5, spread: 0 }], push: [] },
    priority: chunks(5e4, 10, 5e4)
  })
  const endMs = entryOf(simulate(step, hosts, { steps: 1 }), 1, { worker: 1 }).endUs / 1000
  expect(Math.abs(endMs - 1209)).toBeLessThan(12)
})

// A tensor of a million chunks takes no more memory than one of a hundred: what is handed over is kept in runs.
test('memory does not grow with the number of chunks', () => {
  const specs = (amount: number): OperationSpec[] => [
    { kind: 'push', amount },
    { kind: 'pull', amount }
  ]
  const bytes = (amount: number, priority?: Priority) =>
    withSimulation(wasmCore, job(specs(amount)), cluster({ servers: slow, priority }), {}, simulation => simulation.memoryBytes)
  expect(bytes(1e8, chunks(Infinity))).toBe(bytes(1e4, chunks(Infinity)))
  // The record of a queue and a heap of one entry, both directions, on whole lines.
  expect(bytes(1e8, chunks(100)) - bytes(1e8)).toBeLessThanOrEqual(256)
  expect(bytes(1e8, { ...chunks(100), pull: false, push: false })).toBe(bytes(1e8))
})

// Begin and end of the step, the release, the event that hands over first, and three ends of turns; with a cost, an event for the end of each hand-over.
test('a chunk costs the end of its turn, and an event if its hand-over takes time', () => {
  const eventsPerStep = (priority: Priority) =>
    withSimulation(wasmCore, job([{ kind: 'pull', amount: 300 }]), cluster({ servers: slow, priority }), {}, simulation => {
      simulation.run(2)
      simulation.resetStatistics()
      simulation.run(12)
      return simulation.statistics().events / 10
    })
  expect([eventsPerStep(chunks(100)), eventsPerStep(chunks(100, 10))]).toEqual([2 + 1 + 1 + 3, 2 + 1 + 1 + 3 + 3])
})
