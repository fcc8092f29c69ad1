import { sweepColumns } from '@foretrain/predictor/text'
import type { Row, SweepAxes } from '@foretrain/sweep/local'
import { describe, expect, test } from 'vitest'
import { ProgressLine } from '../src/io/progress.ts'
import { SweepChart } from '../src/render/sweepChart.ts'
import { SweepSummary } from '../src/render/sweepSummary.ts'
import { describeLeft } from '../src/sweep/interrupted.ts'
import { fakeIo, plain } from './fixture.ts'

const axes: SweepAxes = { workers: [1, 2, 4], policy: ['recorded', 'order:<a & "b">.csv'], batchSize: [32] }

function row(point: number, changes: Partial<Row>): Row {
  const figures = Object.fromEntries(sweepColumns.map(column => [column, 1])) as unknown as Row
  return { ...figures, point, bandwidth: '1Gbps', mode: 'async', bottleneck: 'worker compute', error: '', ...changes }
}

const rows = [
  row(0, { workers: 1, policy: 'recorded', steps_per_second: 0.5 }),
  row(1, { workers: 2, policy: 'recorded', steps_per_second: 1 }),
  row(2, { workers: 4, policy: 'recorded', steps_per_second: 2, efficiency: 0.9 }),
  row(3, { workers: 1, policy: 'order:<a & "b">.csv', steps_per_second: 0.5 }),
  row(4, { workers: 2, policy: 'order:<a & "b">.csv', steps_per_second: 1.1 }),
  row(5, { workers: 4, policy: 'order:<a & "b">.csv', steps_per_second: null, error: 'no luck' })
]

describe('the summary', () => {
  test('has the best row with each value, whatever the order in which rows come', async () => {
    const texts = [rows, [...rows].reverse()].map(given => {
      const summary = new SweepSummary(axes)
      for (const each of given) summary.add(each)
      return summary.render(3, plain)
    })
    expect(texts[0]).toBe(texts[1])
    await expect(texts[0]).toMatchFileSnapshot('golden/sweep.txt')
  })

  test('failed points are counted, and the first of them quoted', () => {
    const summary = new SweepSummary(axes)
    for (const each of rows) summary.add(each)
    expect(summary.failure?.message).toBe('1 of 6 points could not be simulated, the first of them point 5: no luck')
    expect(summary.allFailed).toBe(false)
    const failed = new SweepSummary(axes)
    failed.add(rows[5])
    expect(failed.allFailed).toBe(true)
    expect(failed.render(1, plain)).toBe('points  1 in 1.00 s, 1.00 a second; 1 failed\n')
  })

  test('a single point', () => {
    const summary = new SweepSummary({ workers: [4] })
    summary.add(rows[2])
    expect(summary.render(2, plain)).toBe('points   1 in 2.00 s, 0.500 a second; 0 failed\nfastest  2.000 steps/s with workers 4\n')
  })
})

describe('the chart', () => {
  test('a line for each combination of the rest, names escaped', () => {
    const chart = new SweepChart(axes)
    for (const each of rows) chart.add(each)
    const svg = chart.render()
    expect(svg.match(/<polyline/g)).toHaveLength(2)
    expect(svg).toContain('policy order:&lt;a &amp; ')
    expect(svg).not.toContain('<a &')
    expect(svg).toContain('throughput, steps/s')
    expect(svg).not.toMatch(/NaN|undefined|Infinity/)
  })

  test('without any point that could be simulated it is empty and still whole', () => {
    const svg = new SweepChart(axes).render()
    expect(svg).not.toMatch(/NaN|undefined|Infinity/)
    expect(svg.endsWith('</svg>\n')).toBe(true)
  })

  test('too many lines, and nothing to draw, are refused', () => {
    const many = Array.from({ length: 30 }, (_, i) => i + 1)
    expect(() => new SweepChart({ workers: [1, 2], latencyUs: many })).toThrow(
      '--chart would have 30 lines (30 of latency): at most 24'
    )
    expect(() => new SweepChart({ workers: [1], latencyUs: many })).toThrow('give several cluster sizes')
  })
})

test('progress on a terminal: points, rate, remaining time', () => {
  const io = fakeIo({ terminal: true })
  let nowMs = 0
  const line = new ProgressLine(io.errors, () => nowMs)
  nowMs = 4000
  line.showRate(300, 1000, 100)
  expect(io.written.errors).toBe('\r\u001b[2K300/1000 points, 50 points/s, about 14 s left')
  nowMs = 500_000
  line.showRate(1000, 1000, 100)
  expect(io.written.errors).toContain('1000/1000 points, 1.8 points/s')
  const piped = fakeIo()
  new ProgressLine(piped.errors, () => 1).showRate(1, 2, 0)
  expect(piped.written.errors).toBe('')
})

test.each([
  ['points', { done: 1, total: 4 }, '1/4 points, 10000 workers, about 3 min left'],
  ['work, where it is told', { done: 0, total: 1, share: 0.25 }, '0/1 points, 10000 workers, about 3 min left'],
  ['nothing yet', { done: 0, total: 1, share: 0.001 }, '0/1 points, 10000 workers'],
  ['the end', { done: 4, total: 4, share: 1 }, '4/4 points, 10000 workers']
])('the time that is left goes by %s', (_, progress, shown) => {
  const io = fakeIo({ terminal: true })
  let nowMs = 0
  const line = new ProgressLine(io.errors, () => nowMs)
  nowMs = 60_000
  line.showPoints({ ...progress, workers: 10_000 })
  expect(io.written.errors).toBe(`\r\u001b[2K${shown}`)
})

describe('what an interrupted sweep has left', () => {
  const left = (head: number) => describeLeft({ name: 'out.csv', head, done: 24, size: 1000 })

  test('the first points, and all that are finished', () => {
    expect(left(18)).toBe(
      'out.csv has the first 18 of 1000 points, out.csv.journal all 24 that are finished; the same command with --resume goes on'
    )
  })

  test('only a journal as long as the first point is not finished', () => {
    expect(left(0)).toBe(
      'nothing of it is in out.csv yet, as the first point is not finished; out.csv.journal has all 24 of 1000 points that are; the same command with --resume goes on'
    )
  })
})
