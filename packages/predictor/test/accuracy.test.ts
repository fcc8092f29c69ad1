/** The totals over the measured clusters, so that they cannot rot. docs/accuracy.md shows them point by point. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Validation } from '../src/schema.ts'
import { type CaseToValidate, validate } from '../src/validate/validate.ts'
import { readCase } from './support/cases.ts'

/**
 * `bar` is what is aimed at, `held` what is asserted: the bar where the model reaches it, else what it reaches with a margin for changes that
 * mean nothing.
 */
const limits = {
  meanAbsError: { bar: 0.05, held: 0.05 },
  maxOutside: { bar: 0.05, held: 0.05 },
  /** At least. */
  coverage: { bar: 0.8, held: 0.8 },
  meanBandHalfWidth: { bar: 0.08, held: 0.08 },
  singleWorkerMeanAbsError: { bar: 0.05, held: 0.015 },
  /** Error of the prediction over that of the best simpler model, on points between 50 and 95 % of the asymptotic bound. */
  shareOfBestBaseline: { bar: 0.5, held: 0.5 }
} as const

const examples = join(import.meta.dirname, '../../../examples')
const names = readdirSync(examples).filter(name => existsSync(join(examples, name, 'case.json')))

let result: Validation
/** Clusters whose workers wait for each other: apart, since nothing else is known of how such clusters scatter. */
let waiting: Validation
const skipped: string[] = []
beforeAll(async () => {
  const cases: CaseToValidate[] = []
  for (const name of names) {
    const { profile, ...document } = await readCase(name)
    cases.push({ case: document, profile })
  }
  const onSkipped = (name: string) => skipped.push(name)
  const isAsync = ({ case: { mode } }: CaseToValidate) => mode === 'async'
  result = await validate(cases.filter(isAsync), { seed: 1 }, { onSkipped })
  waiting = await validate(
    cases.filter(one => !isAsync(one)),
    { seed: 1 },
    { onSkipped }
  )
}, 300_000)

const several = () => result.cases.flatMap(({ points }) => points).filter(({ workers }) => workers > 1)

test('every cluster is predicted or said to be left out', () => {
  expect(
    [...result.cases, ...waiting.cases]
      .map(({ name }) => name)
      .concat(skipped)
      .sort()
  ).toEqual([...names].sort())
  expect(several().length).toBeGreaterThanOrEqual(15)
})

describe('on the measured clusters', () => {
  test('the mean error', () => expect(result.meanAbsError).toBeLessThanOrEqual(limits.meanAbsError.held))

  test('the distance outside measured intervals', () => expect(result.maxOutside).toBeLessThanOrEqual(limits.maxOutside.held))

  test('the share of measured intervals that meet the band', () => {
    expect(result.coverage).toBeGreaterThanOrEqual(limits.coverage.held)
  })

  test('the width of the band', () => {
    const halfWidths = several().map(({ band95, predicted }) => (band95[1] - band95[0]) / 2 / predicted)
    expect(mean(halfWidths)).toBeLessThanOrEqual(limits.meanBandHalfWidth.held)
  })

  test('one worker', () => {
    expect(result.singleWorkerMeanAbsError).toBeLessThanOrEqual(limits.singleWorkerMeanAbsError.held)
  })

  test('better on the mean than each simpler model', () => {
    for (const error of Object.values(result.baselineMeanAbsErrors)) expect(result.meanAbsError).toBeLessThan(error)
  })

  test('three quarters of the error of the best simpler model, at most, where the bounds do not decide', () => {
    const contested = several().filter(({ measured, baselines }) => {
      const share = measured / baselines.bounds
      return share >= 0.5 && share <= 0.95
    })
    const own = mean(contested.map(({ error }) => Math.abs(error)))
    const baselines = Object.keys(result.baselineMeanAbsErrors)
    const best = Math.min(...baselines.map(name => mean(contested.map(({ baselineErrors }) => Math.abs(baselineErrors[name])))))
    expect(own / best).toBeLessThanOrEqual(limits.shareOfBestBaseline.held)
  })
})

describe('on the synchronous cluster', () => {
  test('the mean error', () => expect(waiting.meanAbsError).toBeLessThanOrEqual(limits.meanAbsError.held))

  test('the distance outside measured intervals', () => expect(waiting.maxOutside).toBeLessThanOrEqual(limits.maxOutside.held))

  test('better on the mean than each simpler model', () => {
    expect(waiting.cases).toHaveLength(1)
    for (const error of Object.values(waiting.baselineMeanAbsErrors)) expect(waiting.meanAbsError).toBeLessThan(error)
  })
})

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
