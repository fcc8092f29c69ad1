import fc from 'fast-check'
import { expect } from 'vitest'
import { OperationKind } from '../../src/job.ts'
import { everySimulator } from '../support/everySimulator.ts'
import type { Outcome } from '../support/outcome.ts'
import { cases } from '../support/random.ts'
import { type Scenario, scenarios } from '../support/scenario.ts'

interface Sent {
  startUs: number
  wireEndUs: number
  bytes: number
}

/** What was wholly sent between any two times must fit between them: the smallest capacity that would have done. */
function neededBytesPerUs(sent: Sent[]): number {
  let needed = 0
  for (const { startUs: fromUs } of sent) {
    const later = sent.filter(one => one.startUs >= fromUs).sort((a, b) => a.wireEndUs - b.wireEndUs)
    let bytes = 0
    for (const one of later) {
      bytes += one.bytes
      if (bytes > 0) needed = Math.max(needed, bytes / (one.wireEndUs - fromUs))
    }
  }
  return needed
}

function sentOf(
  outcome: Outcome,
  { job }: Scenario,
  kind: OperationKind,
  isOnLink: (worker: number, server: number) => boolean
): Sent[] {
  return outcome.log
    .filter(entry => job.kind[entry.operation] === kind && isOnLink(entry.worker, job.server[entry.operation]))
    .map(({ step, operation, startUs, wireEndUs }) => ({
      startUs,
      wireEndUs,
      bytes: job.amount[(step % job.templates) * job.operations + operation]
    }))
}

everySimulator('no link carries more than its capacity in any interval', simulate => {
  const fit = (scenario: Scenario) => {
    const { job, steps } = scenario
    // A burst is what exceeds it.
    const cluster = { ...scenario.cluster, burstBytes: 0 }
    const outcome = simulate(job, cluster, { steps })
    const check = (kind: OperationKind, capacity: number, isOnLink: (worker: number, server: number) => boolean) => {
      if (capacity === Infinity) return
      expect(neededBytesPerUs(sentOf(outcome, scenario, kind, isOnLink))).toBeLessThanOrEqual(capacity * (1 + 1e-9))
    }
    cluster.servers.forEach((host, index) => {
      check(OperationKind.pull, host.outBytesPerUs, (_, server) => server === index)
      check(OperationKind.push, host.inBytesPerUs, (_, server) => server === index)
      const { statistics } = outcome
      if (host.outBytesPerUs < Infinity)
        expect(statistics.pullBytes[index]).toBeLessThanOrEqual(host.outBytesPerUs * statistics.pullBusyUs[index] * (1 + 1e-9))
      if (host.inBytesPerUs < Infinity)
        expect(statistics.pushBytes[index]).toBeLessThanOrEqual(host.inBytesPerUs * statistics.pushBusyUs[index] * (1 + 1e-9))
    })
    cluster.workers.forEach((host, index) => {
      cluster.servers.forEach((_, other) => {
        for (const kind of [OperationKind.pull, OperationKind.push])
          check(kind, cluster.flowBytesPerUs ?? Infinity, (worker, server) => worker === index && server === other)
      })
      check(OperationKind.pull, host.inBytesPerUs, worker => worker === index)
      check(OperationKind.push, host.outBytesPerUs, worker => worker === index)
    })
  }
  fc.assert(fc.property(scenarios(), fit), cases(100))
})
