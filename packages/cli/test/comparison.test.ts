import { expect, test } from 'vitest'
import { renderComparison } from '../src/render/comparison.ts'
import { renderComparisonCsv } from '../src/render/comparisonCsv.ts'
import { ascii, comparison, plain } from './fixture.ts'

test('as a table', () => expect(renderComparison(comparison, plain)).toMatchFileSnapshot('golden/comparison.txt'))

test('on a narrow terminal without Unicode', () => {
  const text = renderComparison({ ...comparison, warnings: [] }, { ...ascii, columns: 60 })
  for (const line of text.split('\n').slice(3)) expect(line.length).toBeLessThanOrEqual(60)
  expect(text).toMatch(/^[\x20-\x7e\n]*$/)
})

test('equal policies have no bars', () => {
  const [, , recorded] = comparison.policies
  const lines = renderComparison({ ...comparison, policies: [recorded], warnings: [] }, plain).split('\n')
  expect(lines.find(line => line.startsWith('recorded'))).toMatch(/ reference$/)
})

test('as CSV', () => {
  const policies = comparison.policies.slice(0, 4)
  return expect(renderComparisonCsv({ ...comparison, policies })).toMatchFileSnapshot('golden/comparison.csv')
})
