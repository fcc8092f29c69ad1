import { csvField, predictionCsv, renderJson, sweepColumns } from '@foretrain/predictor/text'
import { describe, expect, test } from 'vitest'
import { renderChart } from '../src/render/chart.ts'
import { renderInspection } from '../src/render/inspection.ts'
import { lookOf } from '../src/render/look.ts'
import { bytes, columnFormat, percent, significant, time, withUnit } from '../src/render/numbers.ts'
import { renderPrediction } from '../src/render/prediction.ts'
import { ascii, inspection, plain, point, prediction } from './fixture.ts'

const golden = (name: string) => `golden/${name}`

describe('prediction', () => {
  test('table and chart in a pipe', () => expect(renderPrediction(prediction, plain)).toMatchFileSnapshot(golden('prediction.txt')))

  test('narrow terminal without Unicode', () => {
    const points = Array.from({ length: 16 }, (_, index) => point(index + 1))
    const text = renderPrediction({ ...prediction, points }, { ...ascii, columns: 80 })
    const table = text.split('\n').filter(line => /^ *(\d+|workers|-+) /.test(line) || /^[-0-9. ]+[|+]/.test(line))
    for (const line of table) expect(line.length).toBeLessThanOrEqual(80)
    expect(text).toMatch(/^[\x20-\x7e\n]*$/)
    return expect(text).toMatchFileSnapshot(golden('prediction-ascii-80.txt'))
  })

  test('rounds where workers move in rounds, how stale steps are where that is known', () => {
    const lines = (points: Array<ReturnType<typeof point>>) => renderPrediction({ ...prediction, points }, plain).split('\n')
    const rounds = { ...point(4), mode: 'sync' as const, roundsPerSecond: 0.45 }
    const [heading, , row] = lines([rounds]).slice(lines([rounds]).findIndex(line => line.startsWith('workers')))
    expect(heading).toMatch(/examples\/s {2}rounds\/s {2}speed-up .*staleness {2}p95 {2}bottleneck/)
    expect(row).toMatch(/57\.60 +0\.4500 +3\.60× .*3\.0 {4}4 {2}worker compute/)
    expect(lines([point(4)]).join('\n')).not.toContain('rounds/s')
  })

  test('colour only adds escapes', () => {
    const coloured = renderPrediction(prediction, { ...plain, colour: true })
    expect(coloured).toContain('\u001b[1mworkers')
    expect(
      coloured
        .split('\u001b')
        .map((part, index) => (index === 0 ? part : part.replace(/^\[\d+m/, '')))
        .join('')
    ).toBe(renderPrediction(prediction, plain))
  })

  test('numbers that do not exist are dashes', () => {
    const broken = point(2)
    broken.speedup = Number.NaN
    broken.stepsPerSecond.band95 = [Number.NaN, Number.POSITIVE_INFINITY]
    broken.bounds = { compute: Number.POSITIVE_INFINITY, pullLink: Number.NaN, pushLink: 0, serverCpu: -1 }
    const text = renderPrediction({ ...prediction, points: [point(1), broken] }, plain)
    expect(text).not.toMatch(/NaN|Infinity|undefined|null/)
  })

  test('text from outside cannot drive the terminal', () => {
    const hostile = '\u001b]0;title\u0007\u009b31m\r\nnext'
    const text = renderPrediction(
      {
        ...prediction,
        parameters: { [hostile]: { value: hostile, unit: hostile, source: 'trace', note: hostile } },
        warnings: [{ code: hostile, message: hostile, where: hostile }],
        points: [{ ...point(1), bottleneck: { resource: hostile, elasticity: 1 } }]
      },
      plain
    )
    expect(text).not.toMatch(/[^\P{Cc}\n]/u)
    expect(text).not.toContain('\nnext')
  })
})

describe('chart', () => {
  test('one point is no curve', () => expect(renderChart([point(1)], plain)).toBe(''))

  test('doubling sizes get a logarithmic axis', () => {
    const points = Array.from({ length: 11 }, (_, index) => point(2 ** index))
    return expect(renderChart(points, { ...plain, columns: 200 })).toMatchFileSnapshot(golden('chart-logarithmic.txt'))
  })

  test('more points than columns', () => {
    const points = Array.from({ length: 500 }, (_, index) => point(index + 1))
    const lines = renderChart(points, plain).split('\n')
    for (const line of lines) expect([...line].length).toBeLessThanOrEqual(80)
    expect(lines.some(line => /workers$/.test(line))).toBe(true)
  })

  test.each([1e-6, 0.003, 1, 7, 999, 123_456])('fits a throughput of %s', mean => {
    const scaled = [1, 2].map(workers => ({
      ...point(workers),
      stepsPerSecond: { mean: mean * workers, ci95: [mean, mean] as [number, number], band95: [mean, mean * 2] as [number, number] }
    }))
    const lines = renderChart(scaled, plain).split('\n')
    expect(lines.join('')).toContain('●')
    for (const line of lines) expect([...line].length).toBeLessThanOrEqual(80)
  })
})

test('inspection', () => expect(renderInspection(inspection, plain)).toMatchFileSnapshot(golden('inspection.txt')))

test('many warnings of a code are cut', () => {
  const warnings = [1, 2, 3, 4, 5].map(workers => ({ code: 'wide', message: `${workers} workers` }))
  expect(renderInspection({ ...inspection, warnings: [...warnings, { code: 'other', message: 'x' }] }, plain)).toMatch(
    /\nwarning wide: 1 workers\n.*\n.*\nwarning wide: and 2 more; --format json lists all\nwarning other: x\n$/
  )
})

test('a long list of files is cut', () => {
  const files = Array.from({ length: 21 }, () => inspection.files[0])
  expect(renderInspection({ ...inspection, files }, plain)).toContain('and 1 more file\n')
})

describe('CSV', () => {
  test('points as rows', () => expect(predictionCsv(prediction)).toMatchFileSnapshot(golden('prediction.csv')))

  test.each<[string | number | null, string]>([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ['two\nlines', '"two\nlines"'],
    [' padded', '" padded"'],
    ['', ''],
    [0.1, '0.1'],
    [Number.NaN, ''],
    [null, '']
  ])('%j', (value, field) => expect(csvField(value)).toBe(field))

  test('a prediction without staleness or latency has empty fields', () => {
    const { staleness: _, ...rest } = point(1)
    const row = predictionCsv({ ...prediction, points: [rest], parameters: {} })
      .split('\n')[1]
      .split(',')
    expect(row[sweepColumns.indexOf('staleness_mean')]).toBe('')
    expect(row[sweepColumns.indexOf('latency_ms')]).toBe('')
  })
})

test('JSON is the document, and harmless in a terminal', () => {
  expect(JSON.parse(renderJson(prediction))).toEqual(prediction)
  expect(renderJson({ a: ['\u009b31m\u007f\u001b'] })).toBe('{\n  "a": [\n    "\\u009b31m\\u007f\\u001b"\n  ]\n}\n')
  const turning = { name: 'a\u202ebp.\u2028\u2066\u200f' }
  expect(renderJson(turning)).toBe('{\n  "name": "a\\u202ebp.\\u2028\\u2066\\u200f"\n}\n')
  expect(JSON.parse(renderJson(turning))).toEqual(turning)
})

describe('numbers', () => {
  test.each<[number | undefined, string]>([
    [0, '0'],
    [0.000123456, '0.0001235'],
    [1, '1.000'],
    [12.3456, '12.35'],
    [123_456.7, '123457'],
    [-2.5, '-2.500'],
    [Number.NaN, '-'],
    [undefined, '-']
  ])('%s with four digits', (value, text) => expect(significant(value)).toBe(text))

  test.each<[number, string]>([
    [0, '0 B'],
    [999, '999 B'],
    [999_990, '1.000 MB'],
    [102_400_000, '102.4 MB'],
    [5e15, '5000 TB']
  ])('%s bytes', (value, text) => expect(bytes(value)).toBe(text))

  test.each<[number, string]>([
    [0, '0 %'],
    [0.005, '0.50 %'],
    [0.042, '4.2 %'],
    [0.62, '62 %'],
    [1, '100 %'],
    [12.5, '1250 %'],
    [-0.03, '-3.0 %']
  ])('%s as a percentage', (value, text) => expect(percent(value)).toBe(text))

  test.each<[number | string, string, string]>([
    [8_000_000, 'bytes', '8.000 MB'],
    [119_600_000, 'bytes/s', '119.6 MB/s'],
    [100, 'us', '100 us'],
    [2_000_000, 'us', '2 s'],
    [2.5, 'threads', '2.500 threads'],
    [1e9, 'bits/s', '1.000 Gbps'],
    [0.00004, 'us/B', '0.04000 us/kB'],
    [0.0218, 'share', '2.2 %'],
    [1.25, 'factor', '1.250'],
    [0.3, '1', '0.3000'],
    ['unlimited', 'B', 'unlimited'],
    [4, '', '4'],
    ['grpc-tf2', '', 'grpc-tf2'],
    ['>= 9.4', 'MB', '>= 9.4 MB']
  ])('%s %s', (value, unit, text) => expect(withUnit(value, unit)).toBe(text))

  test('time', () => expect([time(12.34), time(1500), time(412_000)]).toEqual(['12.34 us', '1.500 ms', '412 ms']))

  test('a column has the decimals its smallest needs', () => {
    const format = columnFormat([0.2421, 3.1, 0])
    expect([0.2421, 3.1, 0, Number.NaN].map(format)).toEqual(['0.2421', '3.1000', '0.0000', '-'])
    expect([1234, 56_789].map(columnFormat([1234, 56_789]))).toEqual(['1234', '56789'])
  })
})

describe('look', () => {
  const terminal = { isTerminal: true, columns: 120, write: async () => {} }
  const pipe = { isTerminal: false, columns: undefined, write: async () => {} }
  test('a terminal', () => expect(lookOf(terminal, { LANG: 'en_GB.UTF-8' })).toEqual({ columns: 120, unicode: true, colour: true }))
  test('a pipe', () => expect(lookOf(pipe, { LANG: 'C.utf8' })).toEqual({ columns: undefined, unicode: true, colour: false }))
  test('a file', () => expect(lookOf(undefined, {})).toEqual({ columns: undefined, unicode: false, colour: false }))
  test('NO_COLOR', () => expect(lookOf(terminal, { NO_COLOR: '1' }).colour).toBe(false))
  test('an empty NO_COLOR does not count', () => expect(lookOf(terminal, { NO_COLOR: '' }).colour).toBe(true))
  test('a dumb terminal', () => expect(lookOf(terminal, { TERM: 'dumb' }).colour).toBe(false))
  test('LC_ALL goes before LANG', () => expect(lookOf(pipe, { LC_ALL: 'C', LANG: 'en_GB.UTF-8' }).unicode).toBe(false))
})
