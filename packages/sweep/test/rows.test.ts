import { csvHeader, csvLine, sweepColumns } from '@foretrain/predictor/text'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packRows, type Row, unpackRows } from '../src/local/index.ts'
import { InOrder } from '../src/node/inOrder.ts'

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(value => value + 0),
  fc.constant(null)
)
const text = fc.string({ unit: 'grapheme' })

/** Rows of consecutive points, with any text and any finite figure. */
export const rows: fc.Arbitrary<Row[]> = fc
  .tuple(fc.nat(1000), fc.array(fc.tuple(text, number, text), { minLength: 1, maxLength: 5 }))
  .map(([from, cells]) => cells.map(([word, figure, error], i) => rowWith(from + i, word, figure, error)))

function rowWith(point: number, word: string, figure: number | null, error: string): Row {
  const texts = { bandwidth: word, mode: 'async', policy: word, bottleneck: word, staleness_mean: figure ?? '', error }
  const figures = Object.fromEntries(sweepColumns.map(column => [column, figure]))
  return { ...figures, ...texts, point, workers: 1 } as unknown as Row
}

test('packed rows are unpacked as they were', () => {
  fc.assert(
    fc.property(rows, given => {
      expect(unpackRows(JSON.parse(JSON.stringify(packRows(given))))).toEqual(given)
    })
  )
})

test('what are no rows is not taken for some', () => {
  fc.assert(fc.property(fc.jsonValue(), value => unpackRows(value) === undefined))
  const [values] = packRows([rowWith(3, 'a', 1, '')])
  expect(unpackRows([values])).toHaveLength(1)
  for (const [at, wrong] of [
    [0, -1],
    [0, 1.5],
    [0, '3'],
    [1, 'one'],
    [3, 7],
    [17, null]
  ] as const)
    expect(unpackRows([values.with(at, wrong)])).toBeUndefined()
  expect(unpackRows([values, values])).toBeUndefined()
  expect(unpackRows([values.slice(1)])).toBeUndefined()
  expect(unpackRows([{ __proto__: null, length: 18 }])).toBeUndefined()
})

test('a line of CSV has as many fields as the header, whatever the text', () => {
  // A reader as RFC 4180 has it.
  const fieldsOf = (line: string) => line.match(/("(?:[^"]|"")*"|[^,]*)(?:,|\n$)/gs)?.length
  fc.assert(
    fc.property(rows, given => {
      for (const row of given) expect(fieldsOf(csvLine(row))).toBe(fieldsOf(csvHeader))
    })
  )
})

test('rows come out in the order of their points, however they go in', () => {
  const shuffled = fc
    .array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 12 })
    .map(sizes => {
      let next = 0
      return sizes.map(size => Array.from({ length: size }, () => rowWith(next++, '', 1, '')))
    })
    .chain(chunks => fc.tuple(fc.constant(chunks.flat().length), fc.shuffledSubarray(chunks, { minLength: chunks.length })))
  fc.assert(
    fc.property(shuffled, ([points, chunks]) => {
      const order = new InOrder()
      const out = chunks.flatMap(chunk => order.accept(chunk))
      expect(out.map(({ point }) => point)).toEqual(Array.from({ length: points }, (_, i) => i))
      expect(order.head).toBe(points)
    })
  )
})
