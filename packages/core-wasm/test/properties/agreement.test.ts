import fc from 'fast-check'
import { expect, test } from 'vitest'
import { simulateByReference } from '../reference/simulate.ts'
import { compare } from '../support/deviation.ts'
import { simulateByCore } from '../support/engines.ts'
import { cases } from '../support/random.ts'
import { type Scenario, scenarios } from '../support/scenario.ts'

test('the core does what the reference does, operation by operation', async ({ annotate }) => {
  let whole = 0
  let total = 0
  let worst = 0
  const agree = ({ job, cluster, steps }: Scenario) => {
    const expected = simulateByReference(job, cluster, { steps })
    // Where rounding may decide which of two events comes first, both orders are right and what follows may differ in everything.
    const { difference, worstRelative } = compare(expected, simulateByCore(job, cluster, { steps }), expected.clearUntilUs)
    if (difference) throw new Error(difference)
    worst = Math.max(worst, worstRelative)
    total++
    if (expected.clearUntilUs === Infinity) whole++
  }
  fc.assert(fc.property(scenarios(), agree), cases(300))
  await annotate(`${whole} of ${total} cases compared to their end; worst relative deviation of a time ${worst.toExponential(1)}`)
  expect(whole).toBeGreaterThan(0.7 * total)
})
