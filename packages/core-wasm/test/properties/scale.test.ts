import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Cluster, Job } from '../../src/job.ts'
import { OperationKind } from '../../src/job.ts'
import { simulateByReference } from '../reference/simulate.ts'
import { compare } from '../support/deviation.ts'
import { simulateByCore } from '../support/engines.ts'
import { cases } from '../support/random.ts'
import { type Scenario, scenarios } from '../support/scenario.ts'

function withBytes(job: Job, factor: number): Job {
  const isTransfer = (kind: number) => kind === OperationKind.pull || kind === OperationKind.push
  return {
    ...job,
    amount: job.amount.map((amount, i) => (isTransfer(job.kind[i % job.operations]) ? amount * factor : amount)),
    ...(job.firstTurnBytes && { firstTurnBytes: job.firstTurnBytes.map(bytes => bytes * factor) })
  }
}

function withRates(cluster: Cluster, factor: number): Cluster {
  const nic = <Host extends Cluster['servers'][number] | Cluster['workers'][number]>(host: Host): Host => ({
    ...host,
    outBytesPerUs: host.outBytesPerUs * factor,
    inBytesPerUs: host.inBytesPerUs * factor
  })
  const parse = (costs: Cluster['workerParse']) => ({ ...costs, perByteUs: costs.perByteUs / factor })
  return {
    ...cluster,
    workers: cluster.workers.map(nic),
    servers: cluster.servers.map(nic),
    turns: { first: cluster.turns.first * factor, later: cluster.turns.later * factor },
    workerParse: parse(cluster.workerParse),
    serverParse: parse(cluster.serverParse),
    ...(cluster.burstBytes && { burstBytes: cluster.burstBytes * factor }),
    ...(cluster.flowBytesPerUs && { flowBytesPerUs: cluster.flowBytesPerUs * factor }),
    ...(cluster.priority && {
      priority: {
        ...cluster.priority,
        partitionBytes: cluster.priority.partitionBytes * factor,
        creditBytes: cluster.priority.creditBytes * factor
      }
    }),
    ...(cluster.serverMessage && {
      serverMessage: { ...cluster.serverMessage, pullPerByteUs: cluster.serverMessage.pullPerByteUs / factor }
    })
  }
}

// 2^16 times the bytes over 2^16 times the bandwidth take the same time; link clocks pass every limit of their range on the way.
test('the unit of bytes means nothing', () => {
  const same = ({ job, cluster, steps }: Scenario) => {
    const { clearUntilUs } = simulateByReference(job, cluster, { steps })
    const scaled = simulateByCore(withBytes(job, 2 ** 16), withRates(cluster, 2 ** 16), { steps })
    expect(compare(simulateByCore(job, cluster, { steps }), scaled, clearUntilUs).difference).toBeUndefined()
  }
  fc.assert(fc.property(scenarios(), same), cases(100))
})
