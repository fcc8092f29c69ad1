import fc from 'fast-check'
import { expect, test } from 'vitest'
import { simulateByReference } from '../reference/simulate.ts'
import { compare } from '../support/deviation.ts'
import { simulateByCore } from '../support/engines.ts'
import { cases } from '../support/random.ts'
import { type Scenario, scenarios } from '../support/scenario.ts'

// All links alike, as in most real clusters: which of two equal levels is lower is then up to rounding, and must not matter.
test('the core does what the reference does where all links are equal', async ({ annotate }) => {
  let compared = 0
  let total = 0
  const nic = { outBytesPerUs: 50, inBytesPerUs: 50 }
  const agree = ({ job, cluster, steps }: Scenario) => {
    const [workers, servers] = [
      cluster.workers.map(host => ({ ...host, ...nic })),
      cluster.servers.map(host => ({ ...host, ...nic }))
    ]
    const equal = { ...cluster, workers, servers }
    const expected = simulateByReference(job, equal, { steps })
    const { difference } = compare(expected, simulateByCore(job, equal, { steps }), expected.clearUntilUs)
    if (difference) throw new Error(difference)
    compared += expected.steps.filter(step => step.endUs < expected.clearUntilUs).length
    total += expected.steps.length
  }
  fc.assert(fc.property(scenarios({ workers: 6, stagger: true }), agree), cases(100))
  await annotate(`${compared} of ${total} steps compared`)
  expect(compared).toBeGreaterThan(0.3 * total)
})
