import { expect, test } from 'vitest'
import { chartOf } from '../scale/chart.mjs'
import { powerLaw } from '../scale/fit.mjs'
import { fitOf, pointOf, type Run, reportOf, scaleTable } from '../scale/report.mjs'

test('a power law is found again', () => {
  const { exponent, factor } = powerLaw([1, 10, 100, 1000].map(x => [x, 7 * x ** 0.25]))
  expect(exponent).toBeCloseTo(0.25, 12)
  expect(factor).toBeCloseTo(7, 12)
})

test('least squares of the logarithms: what deviates on both sides alike leaves the exponent', () => {
  expect(powerLaw([1, 10, 100].map((x, i) => [x, x * [1, 2, 1][i]])).exponent).toBeCloseTo(1, 12)
  // Logs 0, 0, 1 at 0, 1, 2: slope 1/2.
  expect(
    powerLaw([
      [1, 1],
      [10, 1],
      [100, 10]
    ]).exponent
  ).toBeCloseTo(0.5, 12)
})

const run = (workers: number, cpuSeconds: number): Run => ({
  workers,
  steps: 1000,
  seconds: 2 * cpuSeconds,
  cpuSeconds,
  events: 1e6,
  timeUs: 1e9,
  latencyUs: 50,
  memoryBytes: 100_000 + 5000 * workers,
  peakMB: 100 + workers / 100
})
const points = [pointOf([run(1, 0.1), run(1, 0.3), run(1, 0.12)]), pointOf([run(10_000, 0.4)])]

test('a point has the median of its runs', () => {
  expect(points[0]).toEqual({
    workers: 1,
    steps: 1000,
    runs: 3,
    usPerStep: expect.closeTo(120, 9),
    range: [expect.closeTo(100, 9), expect.closeTo(300, 9)],
    eventsPerStep: 1000,
    nsPerEvent: expect.closeTo(120, 9),
    memoryBytes: 105_000,
    peakMB: 100.01,
    eventsPerLatency: expect.closeTo(0.05, 9)
  })
})

test('memory is counted for each worker beyond the first', () => {
  const few = pointOf([run(10, 0.2)])
  expect(scaleTable([points[0], few, points[1]]).map(line => line[7])).toEqual(['bytes a worker', '', '', '5,000'])
})

const machine = { cpu: 'A CPU', cores: 2, platform: 'linux x64', node: 'v20.19.0', load: 0.1, date: '2026-01-02' }

test('the page says what the figures come to', () => {
  const text = reportOf({ machine, points, fit: fitOf(points) })
  expect(text).toContain('**0.131**')
  expect(text).toContain(
    '10,000 workers against 1: 3.33 times the cost of a worker-step. 1 of that are more events, 3.33 dearer ones.'
  )
  // 10,000 workers · 14 steps · 400 µs.
  expect(text).toContain('of 10,000 workers that is 56 s')
  expect(text).not.toContain('## Event queues')
  const row = { name: '4-ary heap', measure: 'recorded, 8 workers', unit: 'ns', median: 30, min: 29, max: 31, runs: 3 }
  const queue = { suite: 'queue', title: '', machine, rows: [row], notes: ['A note.'] }
  const withQueues = reportOf({ machine, points, fit: fitOf(points), queue })
  expect(withQueues).toContain(
    'take 30 ns on recorded events, of 120 ns that an event takes in all: even a queue that cost nothing would leave 75 %'
  )
  expect(withQueues).toContain('- A note.')
})

test('the chart shows every point within its frame, on no background', () => {
  const svg = chartOf(points, fitOf(points))
  expect(svg.match(/<circle /g)).toHaveLength(2)
  expect(svg).toContain('>10,000</text>')
  expect(svg).not.toContain('<rect')
  for (const [, y] of svg.matchAll(/ c?y1?="([\d.]+)"/g)) expect(Number(y)).toBeLessThanOrEqual(360)
})
