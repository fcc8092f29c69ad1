import { expect } from 'vitest'
import { cluster } from '../support/cluster.ts'
import { everySimulator } from '../support/everySimulator.ts'
import { job } from '../support/job.ts'
import { endsUs, entryOf } from '../support/outcome.ts'

// A stream of n windows W at rate C and round trip RTT = 2L > W/C starts its turns at 0, RTT, …, (n-1)·RTT; the last takes W/C and
// then L to arrive: (n-1)·RTT + W/C + L.
const streamUs = (windows: number, windowBytes: number, bytesPerUs: number, latencyUs: number) =>
  (windows - 1) * 2 * latencyUs + windowBytes / bytesPerUs + latencyUs

function oneStreamUs(bytes: number, windowBytes: number, bytesPerUs: number, latencyUs: number) {
  const hosts = cluster({
    workers: [{ latencyUs }],
    servers: [{ outBytesPerUs: bytesPerUs }],
    turns: { first: windowBytes, later: windowBytes }
  })
  return (simulate: Parameters<Parameters<typeof everySimulator>[1]>[0]) =>
    endsUs(simulate(job([{ kind: 'pull', amount: bytes }]), hosts, { steps: 1 }), [0])[0]
}

// txpipe/dolos#1010: 65,535 B windows at 64 ms round trip are 1.02 bytes/µs (MB/s) on a client link of 55.
everySimulator('one stream runs at window / round trip on a fast link', simulate => {
  const endUs = oneStreamUs(100 * 65_535, 65_535, 55, 32_000)(simulate)
  expect(endUs).toBeCloseTo(streamUs(100, 65_535, 55, 32_000), 6)
  expect((99 * 65_535) / (endUs - 32_000 - 65_535 / 55)).toBeCloseTo(1.024, 3)
})

// grpc/grpc-java#329: windows of 65,536 B over a bandwidth-delay product of 485 kB use 13.5 % of the link (13 % reported).
everySimulator('a window of 64 KiB over 485 kB in flight uses 13.5 % of the link', simulate => {
  const bytesPerUs = 100
  const latencyUs = 485_000 / bytesPerUs / 2
  const wireUs = oneStreamUs(1000 * 65_536, 65_536, bytesPerUs, latencyUs)(simulate) - latencyUs
  // 1000 windows in 999 round trips and one window's time: the share exceeds W/BDP = 0.1351 by less than 0.1 %.
  const share = (1000 * 65_536) / bytesPerUs / wireUs
  expect(share).toBeCloseTo(65_536 / 485_000, 3)
})

// grpc/grpc-go#1043: 1 MiB in 64 KiB windows at 32 ms round trip: 16 turns, 15 pauses: 480 ms and the last window, not 1 MiB/C.
everySimulator('1 MiB takes sixteen turns of 64 KiB, about half a second at 32 ms', simulate => {
  const endUs = oneStreamUs(2 ** 20, 2 ** 16, 125, 16_000)(simulate)
  expect(endUs).toBeCloseTo(15 * 32_000 + 2 ** 16 / 125 + 16_000, 6)
})

// W/C = 100 exceeds RTT = 60: never waits. 1000 bytes at 1 byte/µs + 30.
everySimulator('a window longer than the round trip does not slow the stream', simulate => {
  expect(oneStreamUs(1000, 100, 1, 30)(simulate)).toBeCloseTo(1030, 9)
})

// Round trip 100, window 60, 1 byte/µs. A 100 from 0: 60 until 60; its rest may start at 100. B 30 comes at 70, when the connection
// idles, and starts at once: 70 to 100. At 100 A's rest may start: 100 to 140. Latency 50: B ends at 150, A at 190.
everySimulator('a new stream starts at once while another waits for its window', simulate => {
  const step = job([
    { kind: 'pull', amount: 100 },
    { kind: 'pull', amount: 30, releaseUs: 70 }
  ])
  const hosts = cluster({ workers: [{ latencyUs: 50 }], servers: [{ outBytesPerUs: 1 }], turns: { first: 60, later: 60 } })
  const outcome = simulate(step, hosts, { steps: 1 })
  expect(endsUs(outcome, [0, 1])).toEqual([190, 150])
  expect(entryOf(outcome, 1)).toMatchObject({ startUs: 70, wireEndUs: 100 })
})

// Round trip 100, window 40. Queue after A's first turn is composed: A's rest, B, C. At 40 A may not (100): B 40 until 80. At 80 A may
// not, B may not (140), C 10 until 90. Idle until 100: A's last 20 until 120. Idle until 140: B's last 5 until 145. All + 50.
everySimulator('streams that may start go before those that wait', simulate => {
  const step = job([
    { kind: 'pull', amount: 60 },
    { kind: 'pull', amount: 45 },
    { kind: 'pull', amount: 10 }
  ])
  const hosts = cluster({ workers: [{ latencyUs: 50 }], servers: [{ outBytesPerUs: 1 }], turns: { first: 40, later: 40 } })
  const outcome = simulate(step, hosts, { steps: 1 })
  expect([0, 1, 2].map(operation => entryOf(outcome, operation).wireEndUs)).toEqual([120, 145, 90])
  expect(outcome.statistics.pullBusyUs[0]).toBeCloseTo(115, 9)
})

// While worker 0's only stream waits, its connection is off the link and worker 1 has it alone.
// Window 40, worker 0 with round trip 200, worker 1 with none; 60 and 60 bytes at 1 byte/µs.
// Both at 1/2 until 80 (40 each). Worker 0 waits until 200. Worker 1's last 20 take 20: 100. Worker 0's last 20: 200 to 220, + 100.
everySimulator('a waiting connection leaves the link to others', simulate => {
  const step = job([
    { kind: 'pull', amount: 60 },
    { kind: 'delay', amount: 1000, after: [0] }
  ])
  const hosts = cluster({ workers: [{ latencyUs: 100 }, {}], servers: [{ outBytesPerUs: 1 }], turns: { first: 40, later: 40 } })
  const outcome = simulate(step, hosts, { steps: 2 })
  expect(entryOf(outcome, 0).endUs).toBeCloseTo(320, 9)
  expect(entryOf(outcome, 0, { worker: 1 }).endUs).toBeCloseTo(100, 9)
})
