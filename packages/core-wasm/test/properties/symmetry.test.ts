import fc from 'fast-check'
import { expect } from 'vitest'
import type { Cluster } from '../../src/job.ts'
import { simulateByReference } from '../reference/simulate.ts'
import { compare } from '../support/deviation.ts'
import { everySimulator } from '../support/everySimulator.ts'
import { job as jobOf, type OperationSpec } from '../support/job.ts'
import type { Outcome } from '../support/outcome.ts'
import { cases } from '../support/random.ts'
import { clusters, specs } from '../support/scenario.ts'

interface Renaming {
  cluster: Cluster
  list: OperationSpec[]
  /** newWorker[w] is the new number of worker w. */
  newWorker: number[]
  newServer: number[]
}

const permutation = (length: number) => fc.shuffledSubarray([...Array(length).keys()], { minLength: length })

const renamings: fc.Arbitrary<Renaming> = clusters({ luck: false }).chain(cluster =>
  // Staggered, because ties (at time 0 above all) are broken by number.
  fc.record({
    cluster: fc.constant(cluster),
    list: specs(cluster.servers.length, { stagger: true }),
    newWorker: permutation(cluster.workers.length),
    newServer: permutation(cluster.servers.length)
  })
)

function renamed<T>(list: readonly T[], newNumber: readonly number[]): T[] {
  return list.map((_, number) => list[newNumber.indexOf(number)])
}

const withWorkers = (outcome: Outcome, newWorker: readonly number[]): Outcome => ({
  ...outcome,
  steps: outcome.steps.map(step => ({ ...step, worker: newWorker[step.worker] })),
  log: outcome.log.map(entry => ({ ...entry, worker: newWorker[entry.worker] }))
})

everySimulator('the numbers of workers and servers mean nothing', simulate => {
  const same = ({ cluster, list, newWorker, newServer }: Renaming) => {
    const steps = 4 * cluster.workers.length
    const before = jobOf(list)
    const { clearUntilUs } = simulateByReference(before, cluster, { steps })
    const after = jobOf(list.map(spec => ({ ...spec, server: newServer[spec.server ?? 0] })))
    const hosts = { ...cluster, workers: renamed(cluster.workers, newWorker), servers: renamed(cluster.servers, newServer) }
    const expected = withWorkers(simulate(before, cluster, { steps }), newWorker)
    expect(compare(expected, simulate(after, hosts, { steps }), clearUntilUs).difference).toBeUndefined()
  }
  fc.assert(fc.property(renamings, same), cases(100))
})
