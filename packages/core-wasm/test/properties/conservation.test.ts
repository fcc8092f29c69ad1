import fc from 'fast-check'
import { expect } from 'vitest'
import { cluster } from '../support/cluster.ts'
import { type Drained, drained, drainedScenarios } from '../support/drained.ts'
import { everySimulator } from '../support/everySimulator.ts'
import { cases } from '../support/random.ts'
import { specs } from '../support/scenario.ts'

// Sizes and turns are whole numbers far below 2^53: sums are exact.
everySimulator('the links carry every byte once', simulate => {
  const conserve = ({ specs, job, cluster: hosts }: Drained) => {
    const workers = hosts.workers.length
    const { statistics } = simulate(job, hosts, { steps: workers })
    hosts.servers.forEach((_, server) => {
      const total = (kind: string) =>
        specs.filter(spec => spec.kind === kind && spec.server === server).reduce((sum, spec) => sum + Number(spec.amount), 0)
      expect(statistics.pullBytes[server]).toBe(workers * total('pull'))
      expect(statistics.pushBytes[server]).toBe(workers * total('push'))
    })
  }
  fc.assert(fc.property(drainedScenarios(), conserve), cases(100))
})

// Only the server's link can limit (workers' links infinite), nothing waits for windows (no latency), no acknowledgements: whenever
// somebody sends, the link carries its capacity, whatever the weights.
everySimulator('a busy link carries exactly its capacity', simulate => {
  const carry = (list: Parameters<typeof drained>[0], out: number, into: number, rampUs: number) => {
    const hosts = cluster({
      workers: [{ computeScale: 0.7 }, {}, { computeScale: 1.9 }],
      servers: [{ outBytesPerUs: out, inBytesPerUs: into }],
      turns: { first: 3e6, later: 2e6 },
      shares: { pull: [{ startWeight: 1 / 16, rampUs, spread: 0.3 }], push: [{ startWeight: 0.1, rampUs: rampUs / 2, spread: 0 }] }
    })
    const { statistics } = simulate(drained(list).job, hosts, { steps: 3 })
    expect(Math.abs(statistics.pullBytes[0] - out * statistics.pullBusyUs[0])).toBeLessThanOrEqual(1e-9 * statistics.pullBytes[0])
    expect(Math.abs(statistics.pushBytes[0] - into * statistics.pushBusyUs[0])).toBeLessThanOrEqual(1e-9 * statistics.pushBytes[0])
  }
  const rate = fc.double({ min: 1, max: 200, noNaN: true })
  fc.assert(fc.property(specs(1), rate, rate, fc.constantFrom(0, 1e6), carry), cases(100))
})
