import { expect } from 'vitest'
import { cluster } from '../support/cluster.ts'
import { everySimulator } from '../support/everySimulator.ts'
import { job } from '../support/job.ts'
import { stepEndsUs } from '../support/outcome.ts'

// Infinite links and no update to queue for: nothing is shared, so each of N workers ends step k at k·T,
// T = 3 + 40 + 3 = 46 (3 = latency of each transfer), and the throughput is N/T.
everySimulator('N identical workers on infinite links do N times the work', simulate => {
  const step = job([
    { kind: 'pull', amount: 1e6 },
    { kind: 'compute', amount: 40, after: [0] },
    { kind: 'push', amount: 1e6, after: [1] }
  ])
  for (const workers of [1, 2, 5, 8]) {
    const hosts = cluster({ workers: Array.from({ length: workers }, () => ({ latencyUs: 3 })) })
    const outcome = simulate(step, hosts, { steps: 10 * workers })
    expect(outcome.steps).toHaveLength(10 * workers)
    for (let worker = 0; worker < workers; worker++)
      expect(stepEndsUs(outcome, worker)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(k => expect.closeTo(k * 46, 6)))
  }
})

// N workers that only pull B bytes share C: each gets C/N, so all end step k at k·N·B/C: throughput C/B whatever N.
everySimulator('a saturated link gives capacity / bytes', simulate => {
  const pullOnly = job([{ kind: 'pull', amount: 600 }])
  for (const workers of [1, 2, 3, 4]) {
    const outcome = simulate(pullOnly, cluster({ workers, servers: [{ outBytesPerUs: 10 }] }), { steps: 5 * workers })
    expect(outcome.steps.at(-1)!.endUs).toBeCloseTo((5 * workers * 600) / 10, 9)
  }
})

// Worker 0 computes in no time, so its pulls keep the link busy all the time. By the end of step n (any n) the link has carried
// C·t bytes: those of n finished pulls (each step has its pull behind it), and at most one more pull in flight or computed on per worker.
everySimulator('a link that never idles carries its capacity, however the workers interleave', simulate => {
  const pullAndCompute = job([
    { kind: 'pull', amount: 700 },
    { kind: 'compute', amount: 53, after: [0] }
  ])
  const hosts = cluster({
    workers: [{ computeScale: 0 }, { computeScale: 1 }, { computeScale: 2.3 }],
    servers: [{ outBytesPerUs: 10 }]
  })
  const { steps } = simulate(pullAndCompute, hosts, { steps: 500 })
  steps.slice(0, 500).forEach(({ endUs }, index) => {
    const carried = (endUs * 10) / 700
    expect(carried).toBeGreaterThanOrEqual(index + 1 - 1e-6)
    expect(carried).toBeLessThanOrEqual(index + 1 + 3 + 1e-6)
  })
})
