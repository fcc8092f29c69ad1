import { expect, test } from 'vitest'
import { barSummary, barText, missed } from '../lib/bars.mjs'
import { rowOf } from '../lib/row.mjs'
import { tabulate } from '../lib/table.mjs'

test.each([
  [{ bar: 2 }, 1, '≤ 2', undefined],
  [{ bar: 2 }, 2, '≤ 2', undefined],
  [{ bar: 2 }, 2.01, '≤ 2', 'OVER'],
  [{ least: 2 }, 2, '≥ 2', undefined],
  [{ least: 2 }, 1.99, '≥ 2', 'UNDER'],
  [{}, 5, '', undefined]
])('a bar of %j and a median of %d', (bar, median, text, miss) => {
  const row = rowOf('a', '×', [median], bar)
  expect([barText(row), missed(row)]).toEqual([text, miss])
})

test('a least is written as such in both kinds of table', () => {
  expect(tabulate([rowOf('a', '×', [1], { least: 2 }), rowOf('b', '×', [3], { least: 2 })]).map(line => line.at(-1))).toEqual([
    'bar',
    '≥ 2: UNDER',
    '≥ 2: kept'
  ])
  const rows = [8, 100].map(workers => rowOf('ratio', '×', [workers / 10], { measure: `${workers} workers`, least: 1 }))
  expect(tabulate([...rows, rowOf('time', 's', [3], { measure: '8 workers' })])).toEqual([
    ['', '8 workers', '100 workers'],
    ['ratio (×, bar ≥ 1)', '0.8 UNDER', '10'],
    ['time (s)', '3', '–']
  ])
})

test('the summary counts bars and begins with those that are missed', () => {
  const results = [
    { suite: 'parse', rows: [rowOf('a', 's', [0.5], { bar: 1 }), rowOf('no bar', 's', [3])] },
    { suite: 'simulate', rows: [rowOf('b', '×', [0.5], { measure: '8 workers', least: 1 }), rowOf('c', '%', [1.5], { bar: 1 })] }
  ]
  expect(barSummary(results)).toBe(
    [
      'Bars: 1 of 3 kept.',
      '  UNDER  simulate: b, 8 workers: 0.5 × (bar ≥ 1)',
      '  OVER  simulate: c: 1.5 % (bar ≤ 1)',
      '  kept  parse: a: 0.5 s (bar ≤ 1)'
    ].join('\n')
  )
  expect(barSummary([{ suite: 'x', rows: [rowOf('no bar', 's', [3])] }])).toBe('No bars.')
})
