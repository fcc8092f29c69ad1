import fc from 'fast-check'
import { expect, test } from 'vitest'
import { simulateByReference } from '../reference/simulate.ts'
import { CLEAR_GAP_US, compare } from '../support/deviation.ts'
import { simulateByCore } from '../support/engines.ts'
import { throughputPerUs } from '../support/outcome.ts'
import { cases } from '../support/random.ts'
import { type Scenario, scenarios } from '../support/scenario.ts'

test('the core does what the reference does, operation by operation', async ({ annotate }) => {
  let clear = 0
  let close = 0
  let worst = 0
  const agree = ({ job, cluster, steps }: Scenario) => {
    const expected = simulateByReference(job, cluster, { steps })
    const actual = simulateByCore(job, cluster, { steps })
    if (expected.smallestGapUs >= CLEAR_GAP_US) {
      const { difference, worstRelative } = compare(expected, actual, steps)
      if (difference) throw new Error(difference)
      worst = Math.max(worst, worstRelative)
      clear++
      return
    }
    // Rounding may have decided the order of two events: only what comes of it in the long run must agree.
    close++
    const [a, b] = [expected, actual].map(outcome => throughputPerUs({ ...outcome, steps: outcome.steps.slice(0, steps) }, 0))
    expect(Math.abs(a / b - 1)).toBeLessThan(1e-6)
  }
  fc.assert(fc.property(scenarios(), agree), cases(300))
  await annotate(
    `${clear} cases compared in every time (worst relative deviation ${worst.toExponential(1)}), ${close} in throughput`
  )
  expect(clear).toBeGreaterThan(0.9 * (clear + close))
})
