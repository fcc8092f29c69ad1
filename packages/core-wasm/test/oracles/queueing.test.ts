import fc from 'fast-check'
import { expect } from 'vitest'
import { cluster } from '../support/cluster.ts'
import { everySimulator } from '../support/everySimulator.ts'
import { job } from '../support/job.ts'
import { entryOf, stepsOf } from '../support/outcome.ts'
import { cases } from '../support/random.ts'
import { type Scenario, scenarios } from '../support/scenario.ts'

const ten = [{ outBytesPerUs: 10, inBytesPerUs: 10 }]
/** Worker 0 pulls at once, worker 1 after 50 µs, and more after 60; then both rest. */
const staggered = (bytes: number) =>
  job([
    { kind: 'compute', amount: 50 },
    { kind: 'pull', amount: bytes, after: [0] },
    { kind: 'compute', amount: 10, after: [0] },
    { kind: 'pull', amount: 100, after: [2] },
    { kind: 'delay', amount: 1e9, after: [1, 3] }
  ])
const workers = [{ computeScale: 0 }, {}]

// Worker 0's connection sends 1000 and 100, alone until worker 1's, which wants to send at 50, is on the link at 50 + 20. Of the 1100 bytes
// 700 are gone; 400 at 5 each end at 150. Worker 1 has sent 400 by then and has the link alone: its first 1000 end at 210. Its other pull
// came while the connection waited: it queues, and ends at 220.
everySimulator('a connection that turns busy beside another worker’s starts later by the queue', simulate => {
  const outcome = simulate(
    staggered(1000),
    cluster({ workers, servers: ten, queueUs: { pull: 20, push: 7 }, startDelayUs: { pull: 20, push: 7 } }),
    { steps: 2 }
  )
  expect(entryOf(outcome, 3).wireEndUs).toBeCloseTo(150, 9)
  expect(entryOf(outcome, 1, { worker: 1 })).toMatchObject({ readyUs: 50, startUs: 70, wireEndUs: expect.closeTo(210, 9) })
  expect(entryOf(outcome, 3, { worker: 1 })).toMatchObject({ readyUs: 60, wireEndUs: expect.closeTo(220, 9) })
})

// Turns of 100 over a round trip of 200. As before worker 1's first turn of 100 starts at 70; beside worker 0 it lasts 20 µs. The other pull
// has its turn from 90 to 110. The long stream's turns start at 70, 270, … 70 + 9·200, the later ones alone, 10 µs each.
everySimulator('a window opens a round trip after the delayed turn started', simulate => {
  const hosts = cluster({
    workers: [{ computeScale: 0 }, { latencyUs: 100 }],
    servers: ten,
    turns: { first: 100, later: 100 },
    queueUs: { pull: 20, push: 7 },
    startDelayUs: { pull: 20, push: 7 }
  })
  const outcome = simulate(staggered(1000), hosts, { steps: 2 })
  expect(entryOf(outcome, 3, { worker: 1 })).toMatchObject({ startUs: 90, wireEndUs: 110 })
  expect(entryOf(outcome, 1, { worker: 1 })).toMatchObject({ startUs: 70, wireEndUs: expect.closeTo(1880, 9) })
})

// Link 17, weights of newcomers 1/16, growing every 10 µs. Worker 0 sends all the time, worker 1's 4 bytes go from 54 to 58 at 1 byte/µs;
// its weight would have grown at 64. Its next 5 are ready at 62 and start at 66: the weight has not grown while they waited, 71.
everySimulator('a weight does not grow in front of the link', simulate => {
  const step = job([
    { kind: 'compute', amount: 50 },
    { kind: 'pull', amount: 4, after: [0] },
    { kind: 'compute', amount: 4, after: [1] },
    { kind: 'pull', amount: 5, after: [2] },
    { kind: 'pull', amount: 1e5, after: [3] }
  ])
  const hosts = cluster({
    workers,
    servers: [{ outBytesPerUs: 17 }],
    queueUs: { pull: 4, push: 0 },
    startDelayUs: { pull: 4, push: 0 },
    shares: { pull: [{ startWeight: 1 / 16, rampUs: 70, spread: 0 }], push: [] }
  })
  const outcome = simulate(step, hosts, { steps: 1 })
  expect(entryOf(outcome, 3, { worker: 1 })).toMatchObject({ startUs: expect.closeTo(66, 9), wireEndUs: expect.closeTo(71, 9) })
})

// Both pull 100 at 5 until 20 and push 500. Worker 0 is first; worker 1, whose link sends 1 byte/µs, begins at 20 + 30. Worker 0 has sent
// 300 by 50 and goes on at 9: done at 50 + 200/9. Its next step begins then, but its request waits 30 behind worker 1's push.
everySimulator('the requests of a step queue behind the pushes of others', simulate => {
  const step = job([
    { kind: 'pull', amount: 100 },
    { kind: 'push', amount: 500, after: [0] }
  ])
  const hosts = cluster({
    workers: [{}, { outBytesPerUs: 1 }],
    servers: ten,
    queueUs: { pull: 0, push: 30 },
    startDelayUs: { pull: 0, push: 30 }
  })
  const outcome = simulate(step, hosts, { steps: 3 })
  const endUs = 50 + 200 / 9
  expect(stepsOf(outcome, 0)[1].startUs).toBeCloseTo(endUs, 9)
  expect(entryOf(outcome, 0, { step: 1 }).readyUs).toBeCloseTo(endUs + 30, 9)
})

// The same with two servers: worker 0's requests go to server 0 only, and what worker 1 pushes to server 1 does not hold them up.
everySimulator('only the servers from which a step pulls hold up its requests', simulate => {
  const step = job([
    { kind: 'pull', server: 0, amount: 100 },
    { kind: 'push', server: 1, amount: 500, after: [0] }
  ])
  const servers = [ten[0], ten[0]]
  const hosts = cluster({
    workers: [{}, { outBytesPerUs: 1 }],
    servers,
    queueUs: { pull: 0, push: 30 },
    startDelayUs: { pull: 0, push: 30 }
  })
  const outcome = simulate(step, hosts, { steps: 3 })
  expect(entryOf(outcome, 0, { step: 1 }).readyUs).toBe(stepsOf(outcome, 0)[1].startUs)
})

// Worker 0 pulls 400: alone until worker 1, which takes 1 byte/µs, follows at 25; then at 9: 25 + 150/9. After 10 more its step is
// complete; the news waits 25 behind worker 1's pull.
everySimulator('the end of a step queues behind the pulls of others', simulate => {
  const step = job([
    { kind: 'pull', amount: 400 },
    { kind: 'compute', amount: 10, after: [0] }
  ])
  const hosts = cluster({
    workers: [{}, { inBytesPerUs: 1 }],
    servers: ten,
    stepOverheadUs: 3,
    queueUs: { pull: 25, push: 0 },
    startDelayUs: { pull: 25, push: 0 }
  })
  const outcome = simulate(step, hosts, { steps: 3 })
  const completeUs = 35 + 150 / 9
  expect(entryOf(outcome, 1).endUs).toBeCloseTo(completeUs, 9)
  expect(stepsOf(outcome, 0)[0].endUs).toBeCloseTo(completeUs + 25, 9)
  expect(stepsOf(outcome, 0)[1].startUs).toBeCloseTo(completeUs + 28, 9)
})

everySimulator('one worker alone never waits in a queue', simulate => {
  const untouched = ({ job, cluster, steps }: Scenario) => {
    const [without, huge] = [undefined, { pull: 1e6, push: 1e6 }].map(queueUs =>
      simulate(job, { ...cluster, queueUs, startDelayUs: queueUs }, { steps })
    )
    expect(huge).toEqual(without)
  }
  fc.assert(fc.property(scenarios({ workers: 1 }), untouched), cases(30))
})
