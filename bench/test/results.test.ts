import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { formatNumber } from '../lib/format.mjs'
import {
  markersOf,
  type Result,
  replaceGenerated,
  resultsAsMarkdown,
  savedResults,
  saveResult,
  writeWhole
} from '../lib/results.mjs'
import { rowOf } from '../lib/row.mjs'
import { markdownTable, plainTable, tabulate } from '../lib/table.mjs'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foretrain-results-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const result: Result = {
  suite: 'parse',
  title: 'a title',
  machine: { cpu: 'A CPU', cores: 2, platform: 'linux x64', node: 'v20.19.0', load: 0.1, date: '2026-01-02' },
  rows: [rowOf('a', 'ms', [2, 1, 3]), rowOf('b', 's', [1.2345], { bar: 1 })],
  notes: ['A note.']
}

test.each([
  [0, '0'],
  [0.000045, '0.000045'],
  [0.12345, '0.123'],
  [12.345, '12.3'],
  [99.96, '100'],
  [1234.5, '1,235'],
  [-3.4567, '-3.46']
])('%d is written %s', (value, text) => {
  expect(formatNumber(value)).toBe(text)
})

test('a line a row; a bar is kept up to itself', () => {
  expect(tabulate([...result.rows, rowOf('c', 's', [1], { bar: 1 })])).toEqual([
    ['', 'median', 'range', 'unit', 'runs', 'bar'],
    ['a', '2', '1–3', 'ms', '3', ''],
    ['b', '1.23', '', 's', '1', '≤ 1: OVER'],
    ['c', '1', '', 's', '1', '≤ 1: kept']
  ])
})

test('rows with measures: a line a name, a column a measure, units where they are shared', () => {
  const rows = [
    rowOf('x', 'ms', [4], { measure: 'time' }),
    rowOf('x', '%', [5], { measure: 'error', bar: 3 }),
    rowOf('y', 'ms', [6], { measure: 'time' })
  ]
  expect(tabulate(rows)).toEqual([
    ['', 'time (ms)', 'error (%, bar ≤ 3)'],
    ['x', '4', '5 OVER'],
    ['y', '6', '–']
  ])
  expect(
    tabulate([
      rowOf('x', 'ms', [4, 6], { measure: '8' }),
      rowOf('y', '%', [6], { measure: '8' }),
      rowOf('y', '%', [7], { measure: '9' })
    ])
  ).toEqual([
    ['', '8', '9'],
    ['x (ms)', '5 (4–6)', '–'],
    ['y (%)', '6', '7']
  ])
})

test('tables as text and as Markdown', () => {
  const table = [
    ['', 'n'],
    ['a|b', '10'],
    ['c', '9']
  ]
  expect(plainTable(table)).toBe('      n\na|b  10\nc     9')
  expect(markdownTable(table)).toBe('|      |  n |\n| ---- | -: |\n| a\\|b | 10 |\n| c    |  9 |')
})

test('results come back in the order asked for, without those that were not run, and nothing else is left behind', () => {
  saveResult(folder, { ...result, suite: 'simulate' })
  saveResult(folder, { ...result, title: 'old' })
  saveResult(folder, result)
  expect(savedResults(folder, ['parse', 'replay', 'simulate'])).toEqual([result, { ...result, suite: 'simulate' }])
  expect(readdirSync(folder).sort()).toEqual(['parse.json', 'simulate.json'])
})

test('a file that cannot be replaced leaves no temporary one', () => {
  expect(() => writeWhole(folder, 'text')).toThrow()
  expect(readdirSync(join(folder, '..')).filter(name => name.startsWith(`${folder.split('/').at(-1)}.`))).toEqual([])
  writeWhole(join(folder, 'a'), 'text')
  expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('text')
})

test('the generated part of a page is replaced, the rest stays', () => {
  const { begin: beginMarker, end: endMarker } = markersOf('run.mjs')
  const page = `before\n${beginMarker}\nold\n${endMarker}\nafter\n`
  const once = replaceGenerated(page, resultsAsMarkdown([result]))
  expect(once).toBe(
    `before\n${beginMarker}\n\n### parse: a title\n\nA CPU, 2 cores, linux x64, Node v20.19.0, 2026-01-02, load 0.1 at the start\n\n` +
      '|   | median | range | unit | runs |       bar |\n| - | -----: | ----: | ---: | ---: | --------: |\n' +
      '| a |      2 |   1–3 |   ms |    3 |           |\n| b |   1.23 |       |    s |    1 | ≤ 1: OVER |\n\n' +
      `- A note.\n\n${endMarker}\nafter\n`
  )
  expect(replaceGenerated(once, resultsAsMarkdown([result]))).toBe(once)
  expect(() => replaceGenerated('no markers', '')).toThrow('lacks')
})
