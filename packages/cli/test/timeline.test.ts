import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseWindow } from '../src/flags/timeline.ts'
import type { Libraries } from '../src/io/libraries.ts'
import { main } from '../src/main.ts'
import { fakeIo, fakeLibraries } from './fixture.ts'

const originalFolder = process.cwd()
let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'foretrain-timeline-'))
  process.chdir(folder)
  writeFileSync('a.pb', 'trace a')
})

afterAll(() => {
  process.chdir(originalFolder)
  rmSync(folder, { recursive: true })
})

const written = '{"traceEvents":[\n]}\n'
const sizes = 'timeline: about 1234 events, 250.0 kB of JSON\ntimeline: written, 20 B of JSON'

async function run(commandLine: string, libraries: Libraries = fakeLibraries()) {
  const io = fakeIo()
  const exitCode = await main(commandLine.split(' '), io, libraries)
  return { exitCode, ...io.written }
}

/** A timeline of so many bytes, as is said, of which `chunks` come. */
function timelineOf(bytes: number, chunks: () => AsyncGenerator<string>): Libraries {
  return fakeLibraries({ timeline: async () => ({ estimate: { events: 1234, bytes }, chunks: chunks() }) })
}

describe('a file', () => {
  test('is written, with its size said before and after', async () => {
    expect(await run('timeline a.pb --workers 4 --out run.json')).toEqual({ exitCode: 0, output: '', errors: `${sizes}\n` })
    expect(readFileSync('run.json', 'utf8')).toBe(written)
  })

  test('that ends in .gz is gzip', async () => {
    const { errors } = await run('timeline a.pb --workers 4 --out run.json.gz')
    expect(gunzipSync(readFileSync('run.json.gz')).toString()).toBe(written)
    expect(errors).toBe(`${sizes}, ${readFileSync('run.json.gz').length} B as gzip\n`)
  })

  test('that exists stops it before any work, unless forced', async () => {
    writeFileSync('kept.json', 'mine')
    const libraries = fakeLibraries()
    expect(await run('timeline a.pb --workers 4 --out kept.json', libraries)).toEqual({
      exitCode: 1,
      output: '',
      errors: 'foretrain: kept.json: exists already; add --force to replace it\n'
    })
    expect(libraries.read).toEqual([])
    expect((await run('timeline a.pb --workers 4 --out kept.json --force')).exitCode).toBe(0)
    expect(readFileSync('kept.json', 'utf8')).toBe(written)
  })

  test('is no trace that is read', async () => {
    expect(await run('timeline a.pb --workers 4 --out a.pb --force')).toMatchObject({
      exitCode: 2,
      errors: 'foretrain: --out a.pb: is one of the traces to read\n'
    })
  })

  test('of more than 2 GB is refused before it is begun, unless forced', async () => {
    const libraries = timelineOf(2.5e9, async function* () {
      yield 'all of it'
    })
    expect(await run('timeline a.pb --workers 4 --out large.json', libraries)).toEqual({
      exitCode: 1,
      output: '',
      errors:
        'foretrain: large.json: this timeline has about 1234 events, 2.500 GB of JSON, more than 2.000 GB; ask for a shorter --window or fewer --trace-workers, or add --force\n'
    })
    expect(existsSync('large.json')).toBe(false)
    expect((await run('timeline a.pb --workers 4 --out large.json --force', libraries)).exitCode).toBe(0)
  })

  test.each(['half.json', 'half.json.gz'])('%s that fails half-way leaves nothing', async name => {
    const before = readdirSync('.')
    const libraries = timelineOf(100, async function* () {
      yield 'x'.repeat(1_000_000)
      throw Object.assign(new Error('4 workers need more than 2 GiB of memory'), { name: 'QuestionError' })
    })
    const { exitCode, errors } = await run(`timeline a.pb --workers 4 --out ${name}`, libraries)
    expect(exitCode).toBe(2)
    expect(errors).toBe('timeline: about 1234 events, 100 B of JSON\nforetrain: 4 workers need more than 2 GiB of memory\n')
    expect(readdirSync('.')).toEqual(before)
  })
})

test('standard output', async () => {
  expect(await run('timeline a.pb --workers 4 --out -')).toEqual({ exitCode: 0, output: written, errors: `${sizes}\n` })
})

test('asks what the flags say', async () => {
  const libraries = fakeLibraries()
  await run(
    'timeline a.pb --workers 8 --trace-workers 0-2,5,1 --window 2s@30s --stream-window 8MiB --seed 7 --bandwidth 1Gbps --out -',
    libraries
  )
  const profile = { schema: 'foretrain/profile@1' }
  expect(libraries.asked).toEqual([
    {
      question: { workers: [8], windowBytes: 8 * 2 ** 20, seed: 7, bandwidthBitsPerSecond: 1e9, profile },
      options: { window: { kind: 'time', lengthUs: 2e6, fromUs: 30e6 }, tracedWorkers: [0, 1, 2, 5] }
    }
  ])
})

test.each([
  ['3steps', { kind: 'steps', count: 3 }],
  ['1step', { kind: 'steps', count: 1 }],
  ['3 steps@10', { kind: 'steps', count: 3, from: 10 }],
  ['3steps@0', { kind: 'steps', count: 3, from: 0 }],
  ['2s', { kind: 'time', lengthUs: 2e6 }],
  ['500ms@0s', { kind: 'time', lengthUs: 500e3, fromUs: 0 }]
])('--window %s', (text, window) => {
  expect(parseWindow(text)).toEqual(window)
})

describe('command lines at fault end with 2 and one line', () => {
  test.each<[string, RegExp]>([
    ['--out r.json', /timeline needs the size of the cluster: --workers 4/],
    ['--workers 4', /timeline needs a file: --out run.json, --out run.json.gz, or --out - for standard output/],
    ['--workers 1-4 --out r.json', /--workers "1-4": must be a whole number between 1 and 100000/],
    ['--workers 4 --out r.json --window 3', /--window "3": write 3steps, 3steps@10/],
    ['--workers 4 --out r.json --window 0steps', /--window "0": must be a whole number between 1 and/],
    ['--workers 4 --out r.json --window 8MiB', /--window "8MiB": unknown unit; accepted: us, ms or s/],
    ['--workers 4 --out r.json --window 3steps@2s', /--window …@ "2s": must be a whole number/],
    ['--workers 4 --out r.json --window 2s@3', /--window …@ "3": a unit is needed/],
    ['--workers 4 --out r.json --window 2s@3s@4s', /--window "2s@3s@4s": write 3steps/],
    [
      '--workers 4 --out r.json --trace-workers 0,4',
      /--trace-workers "0,4": write numbers of workers such as 0,1 or 0-3; the first is 0, the last of this cluster 3/
    ],
    ['--workers 4 --out r.json --trace-workers 2-1', /--trace-workers "2-1": write numbers/],
    ['--workers 4 --out r.json --stream-window 8', /--stream-window "8": a unit is needed/],
    ['--workers 4 --out r.json --jobs 2', /unknown flag "--jobs"; timeline has --workers, --window, --trace-workers, --out/]
  ])('%s', async (flags, message) => {
    const { exitCode, output, errors } = await run(`timeline a.pb ${flags}`)
    expect({ exitCode, output }).toEqual({ exitCode: 2, output: '' })
    expect(errors).toMatch(message)
    expect(errors.split('\n')).toHaveLength(2)
  })
})
