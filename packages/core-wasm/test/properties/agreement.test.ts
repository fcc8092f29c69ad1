import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Mode } from '../../src/job.ts'
import { simulateByReference } from '../reference/simulate.ts'
import { compare } from '../support/deviation.ts'
import { simulateByCore } from '../support/engines.ts'
import { cases } from '../support/random.ts'
import { type Scenario, scenarios, sspModes, syncModes } from '../support/scenario.ts'

/** Of random cases in a mode, most to be compared to their end. */
function agreement(name: string, modes: fc.Arbitrary<Mode>, runs: number): void {
  test(`the core does what the reference does, operation by operation: ${name}`, async ({ annotate }) => {
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
    fc.assert(fc.property(scenarios({ modes }), agree), cases(runs))
    await annotate(`${whole} of ${total} cases compared to their end; worst relative deviation of a time ${worst.toExponential(1)}`)
    expect(whole).toBeGreaterThan(0.7 * total)
  })
}

agreement('async', fc.constant({ kind: 'async' }), 300)
agreement('ssp', sspModes, 200)
agreement('sync', syncModes, 200)
