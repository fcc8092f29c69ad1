import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Cluster, Job, Priority, ShareRow } from '../../src/job.ts'
import { simulateByReference } from '../reference/simulate.ts'
import { cluster } from '../support/cluster.ts'
import { recordsOf } from '../support/core.ts'
import { compare } from '../support/deviation.ts'
import { simulateByCore, wasmCore } from '../support/engines.ts'
import { job } from '../support/job.ts'
import { cases } from '../support/random.ts'
import { clusters, type Scenario, scenarios, specs } from '../support/scenario.ts'

interface Transfer {
  amount: number
  releaseUs: number
  priority: number
}

interface Chunks {
  partitionBytes: number
  /** In chunks. */
  credit: number
  chunkUs: number
}

const everywhere = { chunkUs: 0, pull: true, push: true }
const turnsOnly = (job: Job): Job => ({ ...job, firstTurnBytes: undefined, priority: undefined })
const steady = (rows: readonly ShareRow[]) => rows.map(row => ({ ...row, rampUs: 0 }))
const withoutRamps = ({ shares, ...hosts }: Cluster): Cluster => ({
  ...hosts,
  shares: shares && { pull: steady(shares.pull), push: steady(shares.push) }
})
const options = { seed: 5, replication: 0, phaseSpanUs: 1e5 }

// First come, first served either way: by the credit all at once or one at a time. (Luck is left out: a worker's connections that turn busy at one
// time draw it in the order of servers here and in that of operations there. So are ramps: a short silence pauses them here and starts them anew
// there, see docs/semantics.md.)
test('whole tensors of equal priority are sent as by turns without windows, bit for bit', () => {
  const alike = ({ job, cluster, steps }: Scenario) => {
    const free = withoutRamps({ ...cluster, turns: { first: Infinity, later: Infinity }, priority: undefined })
    const expected = recordsOf(wasmCore, turnsOnly(job), free, options, steps)
    for (const creditBytes of [1, Infinity]) {
      const priority = { ...everywhere, partitionBytes: Infinity, creditBytes }
      expect(recordsOf(wasmCore, turnsOnly(job), { ...free, priority }, options, steps)).toEqual(expected)
    }
  }
  fc.assert(fc.property(scenarios({ stagger: true, luck: false }), alike), cases(100))
})

// Tokens are left for a second chunk, so bursts are.
test('where transfers do not overlap, chunks and priorities make no difference', () => {
  const alike = ([hosts, list, partitionBytes, credit]: [Cluster, Parameters<typeof job>[0], number, number]) => {
    const chain = list.map(({ releaseUs, firstTurnBytes, ...spec }, i) => ({ ...spec, after: i > 0 ? [i - 1] : [] }))
    const free = { ...hosts, burstBytes: undefined, turns: { first: Infinity, later: Infinity }, priority: undefined }
    const steps = 2 * hosts.workers.length
    const priority: Priority = { ...everywhere, partitionBytes, creditBytes: credit * partitionBytes }
    const byTurns = simulateByCore(job(chain), free, { steps })
    const { difference } = compare(byTurns, simulateByCore(job(chain), { ...free, priority }, { steps }))
    expect(difference).toBeUndefined()
  }
  const partition = fc.integer({ min: 1e5, max: 6e7 })
  const chained = clusters({ workers: 1 }).chain(hosts =>
    fc.tuple(fc.constant(hosts), specs(hosts.servers.length), partition, fc.integer({ min: 1, max: 4 }))
  )
  fc.assert(fc.property(chained, alike), cases(100))
})

// Forty transfers on one connection, each of up to ten chunks, many of which break off another: what is handed over fills its ring, and goes round it.
test('a crowd of transfers goes as the reference has it', () => {
  const transfer = fc.record<Transfer>({
    amount: fc.noBias(fc.integer({ min: 1e4, max: 5e6 })),
    releaseUs: fc.noBias(fc.integer({ min: 1, max: 1e6 })),
    priority: fc.noBias(fc.integer({ min: 0, max: 9 }))
  })
  const crowd = fc.array(transfer, { minLength: 40, maxLength: 40 })
  const chunks = fc.record<Chunks>({
    partitionBytes: fc.noBias(fc.integer({ min: 5e5, max: 2e6 })),
    credit: fc.noBias(fc.double({ min: 1, max: 60, noNaN: true })),
    chunkUs: fc.noBias(fc.double({ min: 10, max: 2e4, noNaN: true }))
  })
  let whole = 0
  const alike = (kind: 'pull' | 'push', transfers: Transfer[], one: Chunks) => {
    const { partitionBytes, credit, chunkUs } = one
    const priority = { ...everywhere, partitionBytes, chunkUs, creditBytes: Math.floor(credit * partitionBytes) }
    const hosts = cluster({ servers: [{ outBytesPerUs: 50, inBytesPerUs: 50 }], priority })
    const step = job(transfers.map(spec => ({ ...spec, kind })))
    const expected = simulateByReference(step, hosts, { steps: 2 })
    const { difference } = compare(expected, simulateByCore(step, hosts, { steps: 2 }), expected.clearUntilUs)
    if (difference) throw new Error(difference)
    if (expected.clearUntilUs > expected.steps[0].endUs) whole++
  }
  fc.assert(fc.property(fc.constantFrom('pull', 'push'), crowd, chunks, alike), cases(60))
  expect(whole).toBeGreaterThan(20)
})
