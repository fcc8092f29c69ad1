import { describe, expect, test } from 'vitest'
import { Simulation } from '../../src/simulation.ts'
import { cluster } from '../support/cluster.ts'
import { wasmCore } from '../support/engines.ts'
import { everySimulator } from '../support/everySimulator.ts'
import { job, type OperationSpec } from '../support/job.ts'
import { endsUs, entryOf } from '../support/outcome.ts'

const nic = (rate: number, inRate = rate) => ({ outBytesPerUs: rate, inBytesPerUs: inRate })
const hosts = (count: number, rate = 10) => Array.from({ length: count }, () => nic(rate))
const shared = { colocate: true, loopbackBytesPerUs: 100 }
const near = (value: number) => expect.closeTo(value, 9)

describe('a worker alone with its server', () => {
  const step = job([
    { kind: 'pull', amount: 1000 },
    { kind: 'push', amount: 2000, after: [0] }
  ])
  const alone = cluster({ workers: [{ ...nic(10), latencyUs: 50 }], servers: hosts(1), ...shared })

  // 1000 bytes at 100 take 10 µs, 2000 take 20: no link, no latency.
  everySimulator('has no network', simulate => {
    const outcome = simulate(step, alone, { steps: 1 })
    expect(endsUs(outcome, [0, 1])).toEqual([near(10), near(30)])
    const { pullBytes, pushBytes, pullBusyUs, pushBusyUs } = outcome.statistics
    expect([pullBytes, pushBytes, pullBusyUs, pushBusyUs].map(([value]) => value)).toEqual([1000, 2000, 0, 0])
  })

  // As above, and 0.01 · 1000 + 5 = 15 µs after the pull, 0.02 · 2000 = 40 µs after the push.
  everySimulator('parses what it receives all the same', simulate => {
    const parses = {
      workerParse: { slots: 1, perByteUs: 0.01, fixedUs: 5 },
      serverParse: { slots: 1, perByteUs: 0.02, fixedUs: 0 }
    }
    expect(endsUs(simulate(step, { ...alone, ...parses }, { steps: 1 }), [0, 1])).toEqual([near(25), near(85)])
  })

  // Three turns of 400, 400 and 200 bytes: without a round trip to wait for, nothing lies between them.
  everySimulator('waits for no round trip between turns', simulate => {
    const outcome = simulate(step, { ...alone, turns: { first: 400, later: 400 } }, { steps: 1 })
    expect(endsUs(outcome, [0, 1])).toEqual([near(10), near(30)])
  })
})

// Both pull 1000 bytes from each server. The half from the own host takes 1000/100; the other has a link at each end alone: 1000/10.
everySimulator('of two servers on two workers’ hosts one is at home', simulate => {
  const step = job([
    { kind: 'pull', server: 0, amount: 1000 },
    { kind: 'pull', server: 1, amount: 1000 }
  ])
  const outcome = simulate(step, cluster({ workers: hosts(2), servers: hosts(2), ...shared }), { steps: 2 })
  expect(endsUs(outcome, [0, 1])).toEqual([near(10), near(100)])
  expect(endsUs(outcome, [0, 1], { worker: 1 })).toEqual([near(100), near(10)])
  expect(Array.from(outcome.statistics.pullBytes)).toEqual([2000, 2000])
})

// Worker 0 pushes to server 1 what worker 1 pulls from server 0: both leave host 0 and enter host 1. 5 bytes/µs each: 200 µs.
const crosswise: OperationSpec[] = [
  { kind: 'pull', server: 0, amount: 1000 },
  { kind: 'push', server: 1, amount: 1000 }
]
everySimulator('pulls and pushes share a host’s link', simulate => {
  const outcome = simulate(job(crosswise), cluster({ workers: hosts(2), servers: hosts(2), ...shared }), { steps: 2 })
  expect(entryOf(outcome, 1).endUs).toBeCloseTo(200, 9)
  expect(entryOf(outcome, 0, { worker: 1 }).endUs).toBeCloseTo(200, 9)
  // What one host receives is what the other sends: one link's busy time each, whichever way the bytes count.
  expect(Array.from(outcome.statistics.pullBusyUs)).toEqual([near(200), 0])
  expect(Array.from(outcome.statistics.pushBusyUs)).toEqual([0, near(200)])
})

// Into host 1, at 6: worker 0's push, worker 1's pull, worker 2's push: 2 each, 600 bytes in 300 µs. Out of host 0, at 10, go the first
// two and worker 2's pull, which has 10 − 4 = 6: 100 µs.
everySimulator('what a full link does not take is left to the others on the other link', simulate => {
  const list = [nic(10), nic(10, 6), nic(10)]
  const step = job(crosswise.map(spec => ({ ...spec, amount: 600 })))
  const outcome = simulate(step, cluster({ workers: list, servers: list.slice(0, 2), ...shared }), { steps: 3 })
  const ends = (operation: number, worker: number) => entryOf(outcome, operation, { worker }).endUs
  expect([ends(1, 0), ends(0, 1), ends(1, 2), ends(0, 2)]).toEqual([near(300), near(300), near(300), near(100)])
})

// Worker 0 needs no network: 1000/100. The others share the server's link of 10: 1000/5 = 200, and a single one has it whole: 100.
everySimulator('a server on worker 0’s host leaves its link to the remote workers', simulate => {
  const step = job([
    { kind: 'pull', amount: 1000 },
    { kind: 'delay', amount: 1e4, after: [0] }
  ])
  const ends = (workers: number) => {
    const outcome = simulate(step, cluster({ workers: hosts(workers), servers: hosts(1), ...shared }), { steps: workers })
    return Array.from({ length: workers }, (_, worker) => entryOf(outcome, 0, { worker }).endUs)
  }
  expect(ends(2)).toEqual([near(10), near(100)])
  expect(ends(3)).toEqual([near(10), near(200), near(200)])
})

// W workers, W servers, B bytes from each to each: out of every host go W − 1 pulls. Servers elsewhere would send W of them.
everySimulator('of W servers on W workers’ hosts, W − 1 parts of W cross the network', simulate => {
  for (const count of [2, 3, 5]) {
    const step = job(Array.from({ length: count }, (_, server) => ({ kind: 'pull', server, amount: 600 }) as const))
    const time = (more: object) =>
      simulate(step, cluster({ workers: hosts(count), servers: hosts(count), ...more }), { steps: count }).steps[count - 1].endUs
    expect(time(shared)).toBeCloseTo((count - 1) * 60, 6)
    expect(time({})).toBeCloseTo(count * 60, 6)
  }
})

// Each worker pulls from the other's server: every host sends and receives. 10/1.25 = 8 bytes/µs: 125 µs. On hosts of their own servers
// only send, 5 bytes/µs to each of two workers, and workers only receive: 200.
everySimulator('acknowledgements go back over the host’s link, whoever receives there', simulate => {
  const step = job([
    { kind: 'pull', server: 0, amount: 1000 },
    { kind: 'pull', server: 1, amount: 1000 }
  ])
  const two = { workers: hosts(2), servers: hosts(2), ackFraction: 0.25 }
  expect(entryOf(simulate(step, cluster({ ...two, ...shared }), { steps: 2 }), 1).endUs).toBeCloseTo(125, 9)
  expect(entryOf(simulate(step, cluster(two), { steps: 2 }), 1).endUs).toBeCloseTo(200, 9)
})

// From 10 µs on worker 1 pulls from server 0, beside worker 0's push, which leaves by the same link: weights 0.25 and 1, 10 · 0.25/1.25 = 2
// bytes/µs, 100 bytes in 50 µs.
everySimulator('beside others: whatever is on the host’s link', simulate => {
  const step = job([
    { kind: 'push', server: 1, amount: 1e4 },
    { kind: 'compute', amount: 10 },
    { kind: 'pull', server: 0, amount: 100, after: [1] }
  ])
  const slow = { startWeight: 0.25, rampUs: 1e9, spread: 0 }
  const two = cluster({ workers: hosts(2), servers: hosts(2), shares: { pull: [slow], push: [{ ...slow, startWeight: 1 }] } })
  const outcome = simulate(step, { ...two, ...shared }, { steps: 1 })
  expect(entryOf(outcome, 2, { worker: 1 }).endUs).toBeCloseTo(60, 9)
})

// 3 bytes/µs is what a connection gets: 1000 bytes in 333 µs. At home it is not one of the network.
everySimulator('the limit of a connection is the network’s', simulate => {
  const step = job([
    { kind: 'pull', server: 0, amount: 1000 },
    { kind: 'pull', server: 1, amount: 1000 }
  ])
  const limited = cluster({ workers: hosts(2), servers: hosts(2), flowBytesPerUs: 3, ...shared })
  expect(endsUs(simulate(step, limited, { steps: 2 }), [0, 1])).toEqual([near(10), near(1000 / 3)])
})

// Worker 1's push of 10,000 bytes keeps the way into host 0 busy from 0 to 1000 µs. Worker 0, whose first step is over at 10 µs, begins its second
// meanwhile and asks the server on its own host at once; asking one elsewhere it would wait for 40 µs.
everySimulator('requests to the server at home wait in no buffer', simulate => {
  const step = job([
    { kind: 'pull', amount: 0 },
    { kind: 'push', amount: 1e4 },
    { kind: 'compute', amount: 1e4, after: [1] }
  ])
  const two = cluster({
    workers: [{ ...nic(10), computeScale: 0 }, { ...nic(10) }],
    servers: hosts(1),
    queueUs: { pull: 0, push: 40 },
    ...shared,
    loopbackBytesPerUs: 1000
  })
  const outcome = simulate(step, two, { steps: 2 })
  expect(entryOf(outcome, 1, { step: 1 }).readyUs).toBeCloseTo(10, 9)
})

describe('refused', () => {
  const pull = job([{ kind: 'pull', amount: 1 }])
  const build = (spec: Parameters<typeof cluster>[0]) => () =>
    new Simulation(wasmCore, pull, cluster(spec), { seed: 1, replication: 0, phaseSpanUs: 0 }).free()

  test('two rates for one link', () => {
    expect(build({ workers: hosts(1), servers: [nic(10, 20)], ...shared })).toThrow(
      "server 0's inBytesPerUs is 20: on worker 0's host it is that worker's, 10"
    )
    expect(build({ workers: hosts(1), servers: [nic(10, 20)] })).not.toThrow()
  })

  test('a loopback that carries nothing', () => {
    expect(build({ workers: hosts(1), servers: hosts(1), colocate: true, loopbackBytesPerUs: 0 })).toThrow(
      'loopbackBytesPerUs is 0: more than 0 is needed'
    )
  })
})
