import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { csvHeader, csvLine } from '@foretrain/predictor/text'
import { parquetReadObjects } from 'hyparquet'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Row, SweepFile, type SweepFormat } from '../src/index.ts'

let folder = ''
let path = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foretrain-sweep-'))
  path = join(folder, 'out.csv')
})
afterEach(() => rmSync(folder, { recursive: true }))

const points = 6
const sweep = 'a'.repeat(64)

function rowsFrom(from: number, to: number): Row[] {
  return Array.from({ length: to - from }, (_, i) => rowOf(from + i))
}

function rowOf(point: number): Row {
  const failed = point === 4
  const figure = failed ? null : point + 0.1
  return {
    point,
    workers: point + 1,
    servers: 1,
    bandwidth: '1Gbps',
    latency_ms: 0.05,
    compute_speed: 1,
    batch_size: 32,
    mode: 'async',
    policy: 'order:a "b", c.csv',
    steps_per_second: figure,
    ci95_low: figure,
    ci95_high: figure,
    examples_per_second: figure,
    speedup: figure,
    efficiency: figure,
    bottleneck: failed ? '' : 'worker compute',
    staleness_mean: failed ? '' : 0.5,
    error: failed ? 'mode: needs 2 workers, é' : ''
  }
}

const whole = csvHeader + rowsFrom(0, points).map(csvLine).join('')

function open(more: { resume?: boolean; force?: boolean; format?: SweepFormat; sweep?: string } = {}) {
  return SweepFile.open(path, { format: 'csv', sweep, points, ...more })
}

describe('one run', () => {
  test('the file grows in the order of points, and the journal goes at the end', async () => {
    const file = await open()
    await file.write(rowsFrom(2, 4))
    expect(existsSync(path)).toBe(false)
    await file.write(rowsFrom(0, 2))
    expect(readFileSync(path, 'utf8')).toBe(csvHeader + rowsFrom(0, 4).map(csvLine).join(''))
    expect(file.head).toBe(4)
    await file.write(rowsFrom(4, 6))
    await file.finish()
    expect(readFileSync(path, 'utf8')).toBe(whole)
    expect(readdirSync(folder)).toEqual(['out.csv'])
  })

  test('JSON Lines: an object a line, in the order of columns', async () => {
    const file = await open({ format: 'jsonl' })
    await file.write(rowsFrom(0, 6))
    await file.finish()
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
    expect(lines.map(line => JSON.parse(line))).toEqual(rowsFrom(0, 6))
    expect(lines[0].startsWith('{"point":0,"workers":1,"servers":1,"bandwidth":"1Gbps","latency_ms":0.05,')).toBe(true)
  })

  test('Parquet: typed columns, null where there is no figure', async () => {
    const file = await open({ format: 'parquet' })
    await file.write(rowsFrom(3, 6))
    await file.write(rowsFrom(0, 3))
    await file.finish()
    const bytes = readFileSync(path)
    const rows = await parquetReadObjects({ file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) })
    const nulled = ({ staleness_mean, ...row }: Row) => ({ ...row, staleness_mean: staleness_mean === '' ? null : staleness_mean })
    expect(rows).toEqual(rowsFrom(0, 6).map(nulled))
    expect(readdirSync(folder)).toEqual(['out.csv'])
  })
})

describe('interrupted', () => {
  test('before the first row, a file that was to be replaced is still what it was', async () => {
    writeFileSync(path, 'mine')
    const file = await open({ force: true })
    await file.write(rowsFrom(3, 5))
    expect(await file.suspend()).toBe(true)
    expect(readFileSync(path, 'utf8')).toBe('mine')
  })

  test('nothing done leaves nothing', async () => {
    const file = await open()
    expect(await file.suspend()).toBe(false)
    expect(readdirSync(folder)).toEqual([])
  })

  test.each(['csv', 'jsonl', 'parquet'] as const)(
    '%s: what was finished is there, and going on gives the same bytes',
    async format => {
      const once = await open({ format })
      await once.write(rowsFrom(0, 6))
      await once.finish()
      const expected = readFileSync(path)
      rmSync(path)

      const first = await open({ format })
      await first.write(rowsFrom(3, 5))
      await first.write(rowsFrom(0, 1))
      expect(await first.suspend()).toBe(true)
      expect(readdirSync(folder)).toEqual(['out.csv', 'out.csv.journal'])
      const seen: number[] = []
      const second = await SweepFile.open(path, {
        format,
        sweep,
        points,
        resume: true,
        onResumed: rows => seen.push(...rows.map(({ point }) => point))
      })
      expect(seen).toEqual([3, 4, 0])
      expect(second.done).toEqual([
        { from: 0, to: 1 },
        { from: 3, to: 5 }
      ])
      await second.write(rowsFrom(5, 6))
      await second.write(rowsFrom(1, 3))
      await second.finish()
      expect(readFileSync(path).equals(expected)).toBe(true)
      expect(readdirSync(folder)).toEqual(['out.csv'])
    }
  )

  test('killed at any byte: what stands in whole lines of the journal counts', async () => {
    const killed = await open()
    await killed.write(rowsFrom(0, 2))
    await killed.write(rowsFrom(2, 4))
    // As if the process had gone: nothing is closed in order.
    await killed.suspend()
    const journal = readFileSync(`${path}.journal`)
    for (let bytes = journal.indexOf(0x0a) + 1; bytes <= journal.length; bytes += 7) {
      writeFileSync(`${path}.journal`, journal)
      truncateSync(`${path}.journal`, bytes)
      const file = await open({ resume: true })
      const done = file.done.reduce((sum, { from, to }) => sum + to - from, 0)
      for (let from = done; from < points; from += 2) await file.write(rowsFrom(from, from + 2))
      await file.finish()
      expect(readFileSync(path, 'utf8')).toBe(whole)
      rmSync(path)
    }
  })
})

describe('refused', () => {
  test('a journal that lies there: neither overwritten nor taken up unasked', async () => {
    const file = await open()
    await file.write(rowsFrom(0, 2))
    await file.suspend()
    await expect(open()).rejects.toThrow('out.csv.journal: was left by an interrupted sweep; add --resume')
    const anew = await open({ force: true })
    expect(anew.done).toEqual([])
    await anew.suspend()
  })

  test('that of another sweep', async () => {
    const file = await open()
    await file.write(rowsFrom(0, 2))
    await file.suspend()
    await expect(open({ resume: true, sweep: 'b'.repeat(64) })).rejects.toMatchObject({
      name: 'QuestionError',
      message: /is of another sweep/
    })
    await expect(SweepFile.open(path, { format: 'csv', sweep, points: 7, resume: true })).rejects.toThrow('of another sweep')
    expect(existsSync(`${path}.journal`)).toBe(true)
  })

  test('nothing to resume', async () => {
    await expect(open({ resume: true })).rejects.toMatchObject({ name: 'SweepError', message: /nothing to resume/ })
    expect(readdirSync(folder)).toEqual([])
  })

  test.each([
    ['empty', ''],
    ['other JSON', '{"schema":"other"}\n'],
    ['no JSON', 'point,workers\n'],
    ['null', 'null\n'],
    ['rows twice', undefined],
    ['a line that is no rows', '[[1,2]]\n']
  ])('a damaged journal: %s', async (name, text) => {
    const file = await open()
    await file.write(rowsFrom(0, 2))
    await file.suspend()
    const journal = readFileSync(`${path}.journal`, 'utf8')
    const [header, rows] = journal.split('\n')
    if (name === 'rows twice') writeFileSync(`${path}.journal`, `${header}\n${rows}\n${rows}\n`)
    else writeFileSync(`${path}.journal`, name.startsWith('a line') ? `${header}\n${text}` : (text ?? ''))
    await expect(open({ resume: true })).rejects.toMatchObject({ name: 'SweepError', message: /^\S+\.journal: is / })
  })
})
