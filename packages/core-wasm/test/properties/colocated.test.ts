import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Cluster } from '../../src/job.ts'
import { simulateByReference } from '../reference/simulate.ts'
import { compare } from '../support/deviation.ts'
import { simulateByCore } from '../support/engines.ts'
import { everySimulator } from '../support/everySimulator.ts'
import { job as jobOf } from '../support/job.ts'
import type { Outcome } from '../support/outcome.ts'
import { cases } from '../support/random.ts'
import { allModes, clusters, type Scenario, scenarios, specs } from '../support/scenario.ts'

test('with servers on workers’ hosts the core does what the reference does, in every mode', async ({ annotate }) => {
  let whole = 0
  let total = 0
  let worst = 0
  const agree = ({ job, cluster, steps }: Scenario) => {
    const expected = simulateByReference(job, cluster, { steps })
    const actual = simulateByCore(job, cluster, { steps })
    const { difference, worstRelative } = compare(expected, actual, expected.clearUntilUs)
    if (difference) throw new Error(difference)
    worst = Math.max(worst, worstRelative)
    total++
    if (expected.clearUntilUs < Infinity) return
    whole++
    for (const field of ['pullBytes', 'pushBytes', 'pullBusyUs', 'pushBusyUs'] as const) {
      actual.statistics[field].forEach((value, server) => {
        const wanted = expected.statistics[field][server]
        if (!(Math.abs(value - wanted) <= 1e-6 * Math.max(wanted, 1000)))
          throw new Error(`${field} of server ${server}: ${wanted} expected, not ${value}`)
      })
    }
  }
  fc.assert(fc.property(scenarios({ colocate: true, modes: allModes }), agree), cases(300))
  await annotate(`${whole} of ${total} cases compared to their end; worst relative deviation of a time ${worst.toExponential(1)}`)
  expect(whole).toBeGreaterThan(0.6 * total)
})

const permutation = (length: number) => fc.shuffledSubarray([...Array(length).keys()], { minLength: length })

/** Hosts that have both a worker and a server, hosts of workers and hosts of servers, each renamed among themselves. */
const renamings = clusters({ luck: false, colocate: true }).chain(cluster => {
  const shared = Math.min(cluster.workers.length, cluster.servers.length)
  return fc.record({
    cluster: fc.constant(cluster),
    list: specs(cluster.servers.length, { stagger: true }),
    both: permutation(shared),
    otherWorkers: permutation(cluster.workers.length - shared),
    otherServers: permutation(cluster.servers.length - shared)
  })
})

const renamed = <T>(list: readonly T[], newNumber: readonly number[]): T[] =>
  list.map((_, number) => list[newNumber.indexOf(number)])

everySimulator('the numbers of hosts mean nothing', simulate => {
  fc.assert(
    fc.property(renamings, ({ cluster, list, both, otherWorkers, otherServers }) => {
      const steps = 4 * cluster.workers.length
      const before = jobOf(list)
      const { clearUntilUs } = simulateByReference(before, cluster, { steps })
      const newWorker = [...both, ...otherWorkers.map(number => both.length + number)]
      const newServer = [...both, ...otherServers.map(number => both.length + number)]
      const after = jobOf(list.map(spec => ({ ...spec, server: newServer[spec.server ?? 0] })))
      const hosts: Cluster = {
        ...cluster,
        workers: renamed(cluster.workers, newWorker),
        servers: renamed(cluster.servers, newServer)
      }
      const outcome = simulate(before, cluster, { steps })
      const expected: Outcome = {
        ...outcome,
        steps: outcome.steps.map(step => ({ ...step, worker: newWorker[step.worker] })),
        log: outcome.log.map(entry => ({ ...entry, worker: newWorker[entry.worker] }))
      }
      expect(compare(expected, simulate(after, hosts, { steps }), clearUntilUs).difference).toBeUndefined()
    }),
    cases(100)
  )
})
