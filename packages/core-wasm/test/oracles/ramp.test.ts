import { expect } from 'vitest'
import type { ShareRow } from '../../src/job.ts'
import { cluster } from '../support/cluster.ts'
import { everySimulator } from '../support/everySimulator.ts'
import { job } from '../support/job.ts'
import { entryOf, type Simulate } from '../support/outcome.ts'

const START_WEIGHT = 1 / 16
const weight = (events: number) => START_WEIGHT ** (1 - events / 7)
const ramp = (rampUs: number): ShareRow[] => [{ startWeight: START_WEIGHT, rampUs, spread: 0 }]

/** Worker 0 pulls at once, worker 1 after 50 µs; then both rest for long. */
const staggered = (bytes: number) =>
  job([
    { kind: 'compute', amount: 50 },
    { kind: 'pull', amount: bytes, after: [0] },
    { kind: 'delay', amount: 1e9, after: [1] }
  ])
const hosts = (rampUs: number) =>
  cluster({ workers: [{ computeScale: 0 }, {}], servers: [{ outBytesPerUs: 17 }], shares: { pull: ramp(rampUs), push: [] } })

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
  const three = cluster({ workers, servers: [{ outBytesPerUs: 17 }], shares: { pull: ramp(7000), push: [] } })
  const outcome = simulate(staggered(2450), three, { steps: 3 })
  expect(entryOf(outcome, 1, { worker: 1 }).endUs).toBeCloseTo(293.75, 9)
})

// Pushes have their own ramp: without rows the two share equally, 850 + 8.5·(t - 50).
everySimulator('each direction has its own ramp', simulate => {
  const pushes = job([
    { kind: 'compute', amount: 50 },
    { kind: 'push', amount: 1700, after: [0] },
    { kind: 'delay', amount: 1e9, after: [1] }
  ])
  const common = { workers: [{ computeScale: 0 }, {}], servers: [{ inBytesPerUs: 17 }] }
  const without = simulate(pushes, cluster({ ...common, shares: { pull: ramp(7000), push: [] } }), { steps: 2 })
  expect(entryOf(without, 1).endUs).toBeCloseTo(150, 9)
  const withRamp = simulate(pushes, cluster({ ...common, shares: { pull: [], push: ramp(7000) } }), { steps: 2 })
  expect(entryOf(withRamp, 1).endUs).toBeCloseTo(50 + 850 / 16, 9)
})

/**
 * Worker 1 pulls 170 from 0 to 10, worker 0 from 20 to 30, each alone. After the pause worker 1 comes back alone with 1020 and has sent
 * 340 of them when worker 0 comes; τ is so long that no weight grows meanwhile.
 */
function secondPullUs(simulate: Simulate, pauseUs: number): number {
  const step = job([
    { kind: 'compute', amount: 20 },
    { kind: 'pull', amount: 170, after: [0] },
    { kind: 'delay', amount: pauseUs, after: [1] },
    { kind: 'pull', amount: 1020, after: [2] },
    { kind: 'delay', amount: 1e9, after: [3] }
  ])
  const hosts = cluster({
    workers: [{}, { computeScale: 0 }],
    servers: [{ outBytesPerUs: 17 }],
    shares: { pull: ramp(1e9), push: [] }
  })
  const { startUs, wireEndUs } = entryOf(simulate(step, hosts, { steps: 2 }), 3, { worker: 1 })
  return wireEndUs - startUs
}

// Worker 0 is back within 200 ms: the weight 1 that it had, 8.5 each: 20 + 680/8.5. Later: a sixteenth against 1: 20 + 680/16.
everySimulator('a connection keeps its weight over a pause of less than 200 ms', simulate => {
  expect(secondPullUs(simulate, 199_000)).toBeCloseTo(100, 6)
  expect(secondPullUs(simulate, 201_000)).toBeCloseTo(62.5, 6)
})

// Workers come at 0, 50, 100 and 150 to a link of 25. Beside one other a newcomer has 1/16, beside more 1/4; no weight grows in time.
// Worker 0, weight 1, gets 25; 25/(1 + 1/16) = 400/17; 25/(21/16) = 400/21; then 25/(25/16) = 16 and ends at 250.
// By then worker 3 has sent 4·100, and as much as it did worker 2 since 150; 3/4 of a weight and more are left over for them.
everySimulator('the weight of a newcomer depends on how many others it finds', simulate => {
  const bytes = 50 * (25 + 400 / 17 + 400 / 21) + 1600
  const workers = [0, 1, 2, 3].map(computeScale => ({ computeScale }))
  const rows = [1 / 16, 1 / 4].map(startWeight => ({ startWeight, rampUs: 1e6, spread: 0 }))
  const hosts = cluster({ workers, servers: [{ outBytesPerUs: 25 }], shares: { pull: rows, push: [] } })
  const outcome = simulate(staggered(bytes), hosts, { steps: 4 })
  expect(entryOf(outcome, 1).wireEndUs).toBeCloseTo(250, 6)
  // Weights 1/16, 1/4, 1/4 from 250 on: 25·4/9 for worker 2, which has sent 50·100/21 + 400.
  const restUs = (bytes - 5000 / 21 - 400) / (100 / 9)
  expect(entryOf(outcome, 1, { worker: 2 }).wireEndUs).toBeCloseTo(250 + restUs, 6)
})

// Two servers of 17 each and infinite worker links. Worker 0 pulls from server 1 all the time, and from server 0 at 10: nobody else is
// on that server's link, so it begins with 1. Worker 1 comes to server 0 at 50, with 1/16. Worker 0 has sent 17·40 = 680; its other 340
// at 16 need 21.25 more.
everySimulator('only the server’s link counts: a worker’s other connections are not “others”', simulate => {
  const step = job([
    { kind: 'pull', server: 1, amount: 1e6 },
    { kind: 'compute', amount: 40, releaseUs: 10 },
    { kind: 'pull', server: 0, amount: 1020, after: [1] },
    { kind: 'delay', amount: 1e9, after: [2] }
  ])
  const servers = [{ outBytesPerUs: 17 }, { outBytesPerUs: 17 }]
  const hosts = cluster({ workers: [{ computeScale: 0 }, {}], servers, shares: { pull: ramp(7000), push: [] } })
  expect(entryOf(simulate(step, hosts, { steps: 2 }), 2).wireEndUs).toBeCloseTo(71.25, 9)
})
