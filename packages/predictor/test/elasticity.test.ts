import { expect, test } from 'vitest'
import { bottleneckOf, type ResourceReport } from '../src/predict/elasticity.ts'

function report(name: string, utilisation: number, ...elasticities: number[]): ResourceReport {
  const elasticity = elasticities.reduce((sum, value) => sum + value, 0) / Math.max(1, elasticities.length)
  return { name, utilisation, elasticity, elasticities }
}

test('the largest elasticity is the bottleneck, however busy the others are', () => {
  const reports = [report('compute', 0.3, 0.7, 0.72, 0.69), report('link', 0.9, 0.2, 0.22, 0.19), report('cpu', 0)]
  expect(bottleneckOf(reports).name).toBe('compute')
})

test('of those that differ by less than their paired standard error, the busiest is', () => {
  const pull = report('pull link', 0.9, 0.4, 0.8, 0.5)
  const push = report('push link', 0.95, 0.5, 0.6, 0.55)
  expect(bottleneckOf([pull, push]).name).toBe('push link')
  expect(bottleneckOf([pull, { ...push, utilisation: 0.8 }]).name).toBe('pull link')
  // What both have from the same random numbers does not make them alike.
  expect(bottleneckOf([pull, report('push link', 0.95, 0.3, 0.69, 0.41)]).name).toBe('pull link')
})

test('when the largest is chance, the busiest resource is named', () => {
  const reports = [report('compute', 0.3, 0.9, -0.6, 0.2), report('link', 0.98, 0.1, -0.1, 0), report('cpu', 0.01)]
  expect(bottleneckOf(reports).name).toBe('link')
})

test('both directions are named where one alone is as busy but gains less', () => {
  const reports = [report('link', 0.98, 0.3, 0.5, 0.1), report('pair', 0.98, 0.5, 0.6, 0.4)]
  expect(bottleneckOf(reports).name).toBe('pair')
})

test('a single replication is all there is to go by', () => {
  expect(bottleneckOf([report('compute', 0.2, 0.4), report('link', 0.9, 0.39)]).name).toBe('compute')
})
