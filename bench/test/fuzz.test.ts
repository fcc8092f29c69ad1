import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { attempt } from '../fuzz/attempt.mjs'
import { containers } from '../fuzz/containers.mjs'
import { makeInput, plans } from '../fuzz/plan.mjs'
import { makeSeeds } from '../fuzz/seeds.mjs'

const RUNS = 500

const seeds = await makeSeeds()
const untouched = { structure: [], content: [], packed: [], among: true }

describe('what the fuzzer begins with', () => {
  // A timeline of TensorFlow is completed by the step that lies beside it.
  const cases = Object.keys(seeds).flatMap(seed => Object.keys(containers).map(form => [seed, form] as const))
  test.each(cases)('%s, %s, is imported', async (seed, form) => {
    expect(await attempt(makeInput({ ...untouched, seed, form }, seeds))).toMatchObject({ isProfile: true, message: '' })
  })
})

test(`${RUNS} mutated inputs each give a sound profile or a refusal, and soon`, async () => {
  const outcomes = { imported: 0, refused: 0 }
  const property = fc.asyncProperty(plans(seeds), async plan => {
    const { isProfile } = await attempt(makeInput(plan, seeds))
    outcomes[isProfile ? 'imported' : 'refused']++
  })
  await fc.assert(property, { numRuns: RUNS })
  // Mutations that all end at the door would find nothing.
  expect(outcomes.imported).toBeGreaterThan(0.1 * RUNS)
  expect(outcomes.refused).toBeGreaterThan(0.1 * RUNS)
})
