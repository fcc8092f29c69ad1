import { expect } from 'vitest'
import { cluster } from '../support/cluster.ts'
import { everySimulator } from '../support/everySimulator.ts'
import { job } from '../support/job.ts'
import { entryOf } from '../support/outcome.ts'

const weight = (events: number) => 16 ** (events / 7 - 1)

/** Worker 0 pulls at once, worker 1 after 50 µs; then both rest for long. */
const staggered = (bytes: number) =>
  job([
    { kind: 'compute', amount: 50 },
    { kind: 'pull', amount: bytes, after: [0] },
    { kind: 'delay', amount: 1e9, after: [1] }
  ])
const hosts = (rampUs: number) =>
  cluster({ workers: [{ computeScale: 0 }, {}], servers: [{ outBytesPerUs: 17 }], rampUs: { pull: rampUs, push: 0 } })

// Worker 0 is alone, weight 1, and has sent 850 of its 2450 when worker 1 comes with weight 1/16: 17·16/17 = 16 against 1 byte/µs.
// τ is long: no event of the ramp before worker 0's other 1600 bytes end, at 50 + 100. Worker 1 has sent 100 and is alone: weight 1
// at once, 17 bytes/µs for the other 2350.
everySimulator('a newcomer begins with a sixteenth of the other’s share', simulate => {
  const outcome = simulate(staggered(2450), hosts(7000), { steps: 2 })
  expect(entryOf(outcome, 1).endUs).toBeCloseTo(150, 9)
  expect(entryOf(outcome, 1, { worker: 1 }).endUs).toBeCloseTo(150 + 2350 / 17, 9)
})

// τ = 70: after each 10 µs the newcomer's weight w grows: rates 17/(1 + w) and 17·w/(1 + w). Worker 0 sends, from 50 on,
// A = 10·Σ_{k<7} 17/(1 + w_k) until 120, and 17/2 after that. With 850 + A + 85 bytes it ends at 130; worker 1 has sent
// B = 10·Σ 17·w_k/(1 + w_k) + 85 and sends its rest alone.
everySimulator('seven equal intervals bring a newcomer to the full share', simulate => {
  const weights = [0, 1, 2, 3, 4, 5, 6].map(weight)
  const sentByFirst = 850 + weights.reduce((sum, w) => sum + 170 / (1 + w), 0) + 85
  const sentByNewcomer = weights.reduce((sum, w) => sum + (170 * w) / (1 + w), 0) + 85
  const outcome = simulate(staggered(sentByFirst), hosts(70), { steps: 2 })
  expect(entryOf(outcome, 1).endUs).toBeCloseTo(130, 6)
  expect(entryOf(outcome, 1, { worker: 1 }).endUs).toBeCloseTo(130 + (sentByFirst - sentByNewcomer) / 17, 6)
})

// As in the first test worker 1 is left alone at 150, by now with the full weight though its ramp is long. Worker 2 comes at 200: 16
// against 1. Worker 1 has 2350 - 17·50 = 1500 left at 200 and sends them at 16: 93.75 more.
everySimulator('whoever is left alone has the full weight from then on', simulate => {
  const workers = [{ computeScale: 0 }, {}, { computeScale: 4 }]
  const three = cluster({ workers, servers: [{ outBytesPerUs: 17 }], rampUs: { pull: 7000, push: 0 } })
  const outcome = simulate(staggered(2450), three, { steps: 3 })
  expect(entryOf(outcome, 1, { worker: 1 }).endUs).toBeCloseTo(293.75, 9)
})

// Pushes have their own ramp: with rampUs.push = 0 the two share equally, 850 + 8.5·(t - 50).
everySimulator('each direction has its own ramp', simulate => {
  const pushes = job([
    { kind: 'compute', amount: 50 },
    { kind: 'push', amount: 1700, after: [0] },
    { kind: 'delay', amount: 1e9, after: [1] }
  ])
  const common = { workers: [{ computeScale: 0 }, {}], servers: [{ inBytesPerUs: 17 }] }
  const without = simulate(pushes, cluster({ ...common, rampUs: { pull: 7000, push: 0 } }), { steps: 2 })
  expect(entryOf(without, 1).endUs).toBeCloseTo(150, 9)
  const withRamp = simulate(pushes, cluster({ ...common, rampUs: { pull: 0, push: 7000 } }), { steps: 2 })
  expect(entryOf(withRamp, 1).endUs).toBeCloseTo(50 + 850 / 16, 9)
})

/**
 * One worker whose link of 17 two connections share. Server 0's connection is alone from 0 to 10: weight 1. Server 1's begins at 20,
 * alone: weight 1, and stays busy. `pauseUs` after 10 server 0's connection comes back; τ is so long that no weight grows meanwhile.
 */
function secondPullRateBytesPerUs(simulate: Parameters<Parameters<typeof everySimulator>[1]>[0], pauseUs: number): number {
  const step = job([
    { kind: 'pull', server: 0, amount: 170 },
    { kind: 'delay', amount: pauseUs, after: [0] },
    { kind: 'pull', server: 0, amount: 16, after: [1] },
    { kind: 'pull', server: 1, amount: 1e7, releaseUs: 20 }
  ])
  const link = cluster({ workers: [{ inBytesPerUs: 17 }], servers: 2, rampUs: { pull: 1e9, push: 0 } })
  const outcome = simulate(step, link, { steps: 1 })
  const { startUs, wireEndUs } = entryOf(outcome, 2)
  return 16 / (wireEndUs - startUs)
}

// Back within 200 ms: the weight 1 that it had: half the link. Later: a sixteenth against 1: 17/17 = 1 byte/µs.
everySimulator('a connection keeps its weight over a pause of less than 200 ms', simulate => {
  expect(secondPullRateBytesPerUs(simulate, 199_000)).toBeCloseTo(8.5, 6)
  expect(secondPullRateBytesPerUs(simulate, 201_000)).toBeCloseTo(1, 6)
})

// Two servers of 17 each and infinite worker links. Worker 0 pulls from server 1 all the time, and from server 0 at 10: its connection
// to server 1 is busy on the same link into the worker, so it is not alone and begins with 1/16. Worker 1 comes to server 0 at 50, as a
// newcomer with 1/16: equal weights, 8.5 each. Worker 0 has sent 17·40 = 680; its 1020 need 40 more.
everySimulator('a connection is not alone while another sends to the same worker', simulate => {
  const step = job([
    { kind: 'pull', server: 1, amount: 1e6 },
    { kind: 'compute', amount: 40, releaseUs: 10 },
    { kind: 'pull', server: 0, amount: 1020, after: [1] },
    { kind: 'delay', amount: 1e9, after: [2] }
  ])
  const workers = [{ computeScale: 0 }, {}]
  const outcome = simulate(
    step,
    cluster({ workers, servers: [{ outBytesPerUs: 17 }, { outBytesPerUs: 17 }], rampUs: { pull: 7000, push: 0 } }),
    {
      steps: 2
    }
  )
  expect(entryOf(outcome, 2).wireEndUs).toBeCloseTo(90, 9)
})
