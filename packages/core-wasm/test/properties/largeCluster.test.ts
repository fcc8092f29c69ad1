import fc from 'fast-check'
import { expect, test } from 'vitest'
import { simulateByReference } from '../reference/simulate.ts'
import { compare } from '../support/deviation.ts'
import { simulateByCore } from '../support/engines.ts'
import { cases } from '../support/random.ts'
import { type Scenario, scenarios } from '../support/scenario.ts'

// Heaps of more than a handful of entries: up to 24 workers on up to 5 servers.
test('the core does what the reference does with many workers', () => {
  let comparedSteps = 0
  const agree = ({ job, cluster, steps }: Scenario) => {
    const expected = simulateByReference(job, cluster, { steps })
    const { difference } = compare(expected, simulateByCore(job, cluster, { steps }), expected.clearUntilUs)
    if (difference) throw new Error(difference)
    comparedSteps += expected.steps.filter(step => step.endUs < expected.clearUntilUs).length
  }
  fc.assert(fc.property(scenarios({ workers: 24, servers: 5, operations: 8, stagger: true, stepsPerWorker: 3 }), agree), cases(20))
  expect(comparedSteps).toBeGreaterThan(200)
})
