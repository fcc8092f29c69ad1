import { expect, test } from 'vitest'
import { chartOf } from '../accuracy/chart.mjs'
import { type Point, reportOf, type Validation } from '../accuracy/report.mjs'
import { ticksUpTo } from '../accuracy/svg.mjs'

const point = (workers: number, error: number): Point => {
  const measured = workers / 2
  const predicted = measured * (1 + error)
  return {
    workers,
    measured,
    measuredCi95: [0.96 * measured, 1.04 * measured],
    predicted,
    ci95: [0.99 * predicted, 1.01 * predicted],
    band95: [0.9 * predicted, 1.1 * predicted],
    error,
    outside: Math.max(0, Math.abs(error) - 0.04),
    baselines: { queueing: 0.7 * measured, bounds: 1.25 * measured },
    baselineErrors: { queueing: -0.3, bounds: 0.25 }
  }
}

const validation: Validation = {
  meanAbsError: 0.07,
  maxAbsError: 0.1,
  maxOutside: 0.06,
  coverage: 1,
  singleWorkerMeanAbsError: 0.00004,
  baselineMeanAbsErrors: { queueing: 0.3, bounds: 0.25 },
  cases: [{ name: 'a<b & "c"', meanAbsError: 0.07, maxAbsError: 0.1, points: [point(1, -0.00004), point(2, 0.1), point(4, -0.04)] }]
}
const document = {
  name: 'a<b & "c"',
  model: 'ResNet-50',
  batchSize: 32,
  mode: 'async',
  servers: 1,
  bandwidth: '1Gbps',
  tracedBandwidth: '500Mbps',
  computeSlowdown: { 3: 2 },
  measurements: [{ workers: 2, runs: [0.98, 1.02] }, { workers: 4 }]
}

test('the axis ends above the highest value, in round steps', () => {
  expect(ticksUpTo(1.21)).toEqual([0, 0.25, 0.5, 0.75, 1, 1.25])
  expect(ticksUpTo(5)).toEqual([0, 1, 2, 3, 4, 5])
  for (let highest = 0.003; highest < 1e6; highest *= 1.37) {
    const ticks = ticksUpTo(highest)
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(highest * (1 - 1e-9))
    expect(ticks.length).toBeLessThanOrEqual(7)
    expect(ticks.length).toBeGreaterThanOrEqual(4)
  }
})

test('the chart is one well-formed text with everything inside', () => {
  const chart = chartOf(validation.cases[0])
  expect(chart).toContain('a&lt;b &amp; &quot;c&quot;')
  expect(chart).not.toMatch(/NaN|undefined|Infinity/)
  for (const [, y] of chart.matchAll(/ c?y[12]?="([0-9.-]+)"/g)) {
    expect(Number(y)).toBeGreaterThanOrEqual(0)
    expect(Number(y)).toBeLessThanOrEqual(440)
  }
  expect(chart.match(/<circle /g)).toHaveLength(3 + 1)
})

test('the report says what is kept and what is missed', () => {
  const report = reportOf(validation, undefined, [document], ['other: it has three servers'])
  expect(report).toContain('| mean absolute error | 7.00 % | ≤ 5.0 % | **missed** |')
  expect(report).toContain('| measured intervals that meet the band | 100.0 % | ≥ 80.0 % | kept |')
  expect(report).toContain('ResNet-50, 32 examples a step, 1 server, 1Gbps, traced at 500Mbps, worker 3 slower by 2.')
  expect(report).toContain(
    '| 2 | 1.0000 | ±4.0 %, 2 runs 4.0 % apart | 1.1000 | 0.990–1.210 | +10.0 % | 6.0 % | −30.0 % | +25.0 % |'
  )
  // Both points with several workers are at 80 % of their bound.
  expect(report).toContain(
    '2 points. The best simpler model there is bounds; the error of foretrain is 0.28 of its error (bar: ≤ 0.5): kept.'
  )
  expect(report).toContain('In no cluster is a simpler model closer on the mean.')
  expect(report).toContain('- other: it has three servers')
})

test('other modes stand apart', () => {
  const [cluster] = validation.cases
  const others = { ...validation, meanAbsError: 0.02, cases: [{ ...cluster, name: 'rounds' }] }
  const report = reportOf(validation, others, [document, { ...document, name: 'rounds', mode: 'sync' }], [])
  const [before, after] = report.split('## Other modes')
  expect(before).not.toContain('rounds')
  expect(before).toContain('2 points with more than one worker in 1 clusters.')
  expect(after).toContain('| mean absolute error | 2.00 % | ≤ 5.0 % | kept |')
  expect(after).toContain('worker 3 slower by 2, mode sync.')
})
