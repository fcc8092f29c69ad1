import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { comparedPolicies } from '@foretrain/predictor'
import { predictionCsv } from '@foretrain/predictor/text'
import type { Profile } from '@foretrain/trace-parser'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ClosedPipeError } from '../src/errors.ts'
import type { Libraries } from '../src/io/libraries.ts'
import { main } from '../src/main.ts'
import { renderComparisonCsv } from '../src/render/comparisonCsv.ts'
import { comparison, type FakeIo, fakeIo, fakeLibraries, inspection, prediction } from './fixture.ts'

const originalFolder = process.cwd()
let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'foretrain-main-'))
  process.chdir(folder)
  writeFileSync('a.pb', 'trace a')
  writeFileSync('b.pb', 'trace b')
})

afterAll(() => {
  process.chdir(originalFolder)
  rmSync(folder, { recursive: true })
})

async function run(commandLine: string[], { io = fakeIo(), libraries = fakeLibraries() as Libraries } = {}) {
  const exitCode = await main(commandLine, io, libraries)
  return { exitCode, ...io.written }
}

/** An error that a library would throw, known by its name alone. */
const named = (name: string, message: string) => Object.assign(new Error(message), { name })

describe('predict', () => {
  test('asks what the flags say, of all traces in order', async () => {
    const libraries = fakeLibraries()
    const result = await run(['predict', 'b.pb', 'a.pb', '--workers', '1,2', '--bandwidth', '10Gbps', '--steps=50'], { libraries })
    expect(result).toMatchObject({ exitCode: 0, errors: '' })
    expect(libraries.read).toEqual([
      ['a.pb', 'trace a'],
      ['b.pb', 'trace b']
    ])
    expect(libraries.asked).toEqual([
      {
        workers: [1, 2],
        bandwidthBitsPerSecond: 1e10,
        fixed: { replications: 4, steps: 50 },
        profile: { schema: 'foretrain/profile@1' }
      }
    ])
    expect(result.output).toContain('workers          steps/s')
  })

  test('as JSON and as CSV', async () => {
    const json = await run(['predict', 'a.pb', '--workers', '1', '--format', 'json'])
    expect(json.output).toBe(`${JSON.stringify(prediction, null, 2)}\n`)
    const csv = await run(['predict', 'a.pb', '--workers', '1', '--format', 'csv'])
    expect(csv.output).toBe(predictionCsv(prediction))
  })

  test('into a file, whose ending gives the format', async () => {
    const result = await run(['predict', 'a.pb', '--workers', '1', '--out', 'result.csv'])
    const warnings = prediction.warnings.map(({ code }) => expect.stringContaining(`warning ${code}: `))
    expect(result).toMatchObject({ exitCode: 0, output: '' })
    for (const warning of warnings) expect(result.errors).toEqual(warning)
    expect(readFileSync('result.csv', 'utf8')).toBe(predictionCsv(prediction))
  })

  test('an existing file stops it before any work', async () => {
    writeFileSync('kept.txt', 'mine')
    const libraries = fakeLibraries()
    const result = await run(['predict', 'a.pb', '--workers', '1', '--out', 'kept.txt'], { libraries })
    expect(result).toEqual({ exitCode: 1, output: '', errors: 'foretrain: kept.txt: exists already; add --force to replace it\n' })
    expect(libraries.read).toEqual([])
    expect(readFileSync('kept.txt', 'utf8')).toBe('mine')
    expect((await run(['predict', 'a.pb', '--workers', '1', '--out', 'kept.txt', '--force'])).exitCode).toBe(0)
    expect(readFileSync('kept.txt', 'utf8')).toContain('throughput, steps/s')
  })

  test('a trace is not replaced, not even by force', async () => {
    const result = await run(['predict', '.', '--workers', '1', '--out', './a.pb', '--force'])
    expect(result).toEqual({ exitCode: 2, output: '', errors: 'foretrain: --out ./a.pb: is one of the traces to read\n' })
    expect(readFileSync('a.pb', 'utf8')).toBe('trace a')
  })

  test.each([
    { name: 'cluster.csv', flags: ['--cluster', './cluster.csv'], text: 'workers: [{count: 1}]\n' },
    { name: 'ranks.csv', flags: ['--workers', '1', '--policy', 'order:ranks.csv'], text: 'variable,rank\nw,1\n' },
    { name: 'sizes.csv', flags: ['--workers', '1', '--sizes', 'sizes.csv'], text: 'tensor,bytes\nw,1\n' }
  ])('nor is a file of settings: $name', async ({ name, flags, text }) => {
    writeFileSync(name, text)
    const result = await run(['predict', 'a.pb', ...flags, '--out', name, '--force'])
    expect(result).toEqual({ exitCode: 2, output: '', errors: `foretrain: --out ${name}: is one of the files to read\n` })
    expect(readFileSync(name, 'utf8')).toBe(text)
    rmSync(name)
  })

  test('a failed prediction leaves no file', async () => {
    const before = readdirSync('.')
    const predict = () => Promise.reject(named('QuestionError', '--bandwidth: too slow'))
    const result = await run(['predict', 'a.pb', '--workers', '1', '--out', 'none.csv'], { libraries: fakeLibraries({ predict }) })
    expect(result).toEqual({ exitCode: 2, output: '', errors: 'foretrain: --bandwidth: too slow\n' })
    expect(readdirSync('.')).toEqual(before)
  })

  test('progress is for terminals, and is wiped', async () => {
    const io = fakeIo({ terminal: true })
    const { errors, output } = await run(['predict', 'a.pb', '--workers', '1,2'], { io })
    expect(errors).toContain('1/2 points, 8 workers')
    expect(errors.endsWith('\r\u001b[2K')).toBe(true)
    expect(output).toContain('\u001b[')
  })
})

describe('compare', () => {
  test('asks for the policies of the list, with their files', async () => {
    writeFileSync('ranks.csv', 'conv1/kernel,1')
    const libraries = fakeLibraries()
    const commandLine = ['compare', 'a.pb', '--workers', '8', '--policy', 'tic, order:ranks.csv,priority']
    const result = await run([...commandLine, '--tune', '--priority-order', 'tac', '--precision', '2%'], { libraries })
    expect(result).toMatchObject({ exitCode: 0, errors: '' })
    expect(libraries.asked).toEqual([
      {
        workers: [8],
        policies: ['tic', 'order:ranks.csv', 'priority'],
        priority: { order: 'tac' },
        tune: true,
        precision: 0.02,
        orders: { 'order:ranks.csv': { file: 'ranks.csv', text: 'conv1/kernel,1' } },
        profile: { schema: 'foretrain/profile@1' }
      }
    ])
    expect(result.output).toContain('gain over recorded')
  })

  test('without a list: all that are simulated', async () => {
    const libraries = fakeLibraries()
    await run(['compare', 'a.pb', '--workers', '8'], { libraries })
    expect(libraries.asked).toEqual([{ workers: [8], policies: [...comparedPolicies], profile: { schema: 'foretrain/profile@1' } }])
  })

  test('as JSON, and as CSV with its warnings on standard error', async () => {
    const json = await run(['compare', 'a.pb', '--workers', '8', '--format', 'json'])
    expect(json.output).toBe(`${JSON.stringify(comparison, null, 2)}\n`)
    const csv = await run(['compare', 'a.pb', '--workers', '8', '--format', 'csv'])
    expect(csv.output).toBe(renderComparisonCsv(comparison))
    expect(csv.errors).toContain('warning policy-not-measured: ')
  })

  test('a file of ranks that is not there stops it, and predict, before any work', async () => {
    for (const command of ['compare', 'predict']) {
      const libraries = fakeLibraries()
      const result = await run([command, 'a.pb', '--workers', '8', '--policy', 'order:none.csv'], { libraries })
      expect(result).toEqual({ exitCode: 1, output: '', errors: 'foretrain: none.csv: no such file or folder (ENOENT)\n' })
      expect(libraries.read).toEqual([])
    }
  })
})

describe('inspect', () => {
  test('shows the inspection', async () => {
    const libraries = fakeLibraries()
    const result = await run(['inspect', 'a.pb', '--transport', 'whole'], { libraries })
    expect(result).toMatchObject({ exitCode: 0, errors: '' })
    expect(result.output).toContain('pull            0')
    expect(libraries.asked).toEqual([{ transport: 'whole' }])
  })

  test('saves the profile', async () => {
    const result = await run(['inspect', '-', '--save', 'profile.json', '--format', 'json'], { io: fakeIo({ input: 'trace' }) })
    expect(result.exitCode).toBe(0)
    expect(JSON.parse(result.output).schema).toBe('foretrain/inspection@1')
    expect(readFileSync('profile.json', 'utf8')).toBe('{"schema":"foretrain/profile@1"}\n')
    const again = await run(['inspect', 'a.pb', '--save', 'profile.json'])
    expect(again).toEqual({
      exitCode: 1,
      output: '',
      errors: 'foretrain: profile.json: exists already; add --force to replace it\n'
    })
    const itself = await run(['inspect', 'profile.json', '--save', 'profile.json', '--force'])
    expect(itself).toMatchObject({ exitCode: 2, output: '' })
  })
})

describe('inspect --redact', () => {
  test('shows and saves what has no names', async () => {
    const profile = { schema: 'foretrain/profile@1', worker: '/job:secret' } as Profile
    const seen: unknown[] = []
    const libraries = fakeLibraries({
      readProfile: async () => ({
        profile,
        files: [{ name: 'secret/a.pb', format: 'RunMetadata', bytes: 1, steps: 1 }],
        passedOver: [{ name: 'secret/notes', what: 'a text' }]
      }),
      serializeProfile: async given => JSON.stringify(given),
      inspectProfile: async read => {
        seen.push(read)
        return inspection
      }
    })
    const result = await run(['inspect', 'a.pb', '--redact', '--save', 'redacted.json'], { libraries })
    expect(result).toMatchObject({ exitCode: 0, errors: 'note: 1 file passed over as no traces: secret/notes (a text)\n' })
    expect(readFileSync('redacted.json', 'utf8')).toBe('{"schema":"foretrain/profile@1","worker":"redacted"}')
    const redacted = { ...profile, worker: 'redacted' }
    expect(seen).toEqual([
      {
        profile: redacted,
        files: [{ name: 'file_1', format: 'RunMetadata', bytes: 1, steps: 1 }],
        passedOver: []
      }
    ])
  })
})

describe('help and version', () => {
  test.each([
    ['--help'],
    ['-h'],
    ['help'],
    ['predict', '--help'],
    ['inspect', '--help'],
    ['compare', '--help'],
    ['plan', '--help'],
    ['help', 'predict']
  ])('%s %s', async (...words) => {
    const result = await run(words.filter(word => typeof word === 'string'))
    expect(result).toMatchObject({ exitCode: 0, errors: '' })
    expect(result.output).toContain('\nExamples:\n  foretrain ')
  })

  test('version', async () => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'))
    expect(await run(['--version'])).toEqual({ exitCode: 0, output: `${version}\n`, errors: '' })
  })
})

describe('command lines at fault end with 2 and one line', () => {
  test.each<[string, RegExp]>([
    ['', /a command is needed: inspect, predict/],
    ['surfing a.pb --workers 1', /unknown command "surfing"; commands: inspect, predict/],
    ['sweep a.pb', /sweep needs cluster sizes: --workers 1-64/],
    ['surf', /unknown command "surf"/],
    ['serve --port 65536', /--port "65536": must be a whole number between 0 and 65535/],
    ['help surfing', /unknown command "surfing"/],
    ['--verbose', /unknown flag "--verbose"; commands: inspect, predict/],
    ['predict', /predict needs traces: /],
    ['inspect', /inspect needs traces: /],
    ['predict a.pb', /predict needs cluster sizes: --workers 8/],
    ['predict a.pb --workers', /--workers needs a value: --workers <LIST>/],
    ['predict a.pb --workers 4 --shards 2', /unknown flag "--shards"; predict has --workers, --servers, .*--help/],
    ['predict a.pb --workers 4 --policy fast', /--policy "fast": accepted: recorded, random, .*, order:FILE/],
    ['predict a.pb --workers 4 --policy tic,tac', /--policy "tic,tac": accepted: /],
    ['predict a.pb --workers 4 --policy order:', /--policy "order:": write the name of a file after it/],
    ['predict a.pb --workers 4 --partition 4MB', /--partition is for --policy priority, which is not asked for/],
    ['predict a.pb --workers 4 --policy tic --priority-order tac', /--priority-order is for --policy priority/],
    ['predict a.pb --workers 4 --policy priority --partition 0B', /--partition "0B": must be between 1B and /],
    ['predict a.pb --workers 4 --policy priority --credit 16', /--credit "16": a unit is needed/],
    ['predict a.pb --workers 4 --policy priority --priority-order tic', /--priority-order "tic": accepted: fifo, tac/],
    ['compare', /compare needs traces: /],
    ['compare a.pb', /compare needs one cluster size: --workers 8/],
    ['compare a.pb --workers 1-4', /--workers "1-4": compare takes one cluster size/],
    ['compare a.pb --workers 4 --policy tic,,tac', /--policy "": accepted: /],
    ['compare a.pb --workers 4 --policy tic,tic', /--policy "tic,tic": tic stands there twice/],
    ['compare a.pb --workers 4 --replications 1', /--replications "1": compare needs at least 2/],
    ['compare a.pb --workers 4 --tune --credit 16MB', /--tune looks for partition and credit itself: leave out --credit/],
    ['predict a.pb --workers 4 --straggler p=0.5,factor=0', /--straggler "p=0.5,factor=0": factor must be between 1 and/],
    ['compare a.pb --workers 4 --policy recorded,tic --tune', /--tune is for --policy priority, which is not asked for/],
    ['compare a.pb --workers 4 --policy tic --credit 16MB', /--credit is for --policy priority/],
    ['compare a.pb --workers 4 --target 3', /unknown flag "--target"; compare has --workers/],
    ['predict a.pb --workers 4 --mode ring', /--mode "ring": accepted: async, sync, sync:backup=N, ssp:N, ssp:inf/],
    ['predict a.pb --workers 4 --mode sync:backup=4', /--mode "sync:backup=4": leaves nobody of 4 workers/],
    ['predict a.pb --workers 4 --straggler 0.1', /--straggler "0.1": write p=0.05,factor=3/],
    ['predict a.pb --workers 4 --traced-bandwidth 1Gbps', /--traced-bandwidth changes nothing alone/],
    ['predict a.pb --workers 4 --batch -1', /--batch "-1": must be a whole number/],
    ['predict a.pb --workers 4 --bandwidth 10', /--bandwidth "10": a unit is needed \(bps, kbps, Mbps or Gbps\)/],
    ['predict a.pb --workers 4 --bandwidth 0Gbps', /--bandwidth "0Gbps": must be between/],
    ['predict a.pb --workers 4 --latency NaN', /--latency "NaN": write a number and a unit/],
    ['predict a.pb --workers 9999999999', /at most 100000 workers/],
    ['predict a.pb --workers 4 --format xml', /--format "xml": accepted: table, json, csv/],
    ['predict a.pb --workers 4 --precision 1% --replications 2', /exclude each other/],
    ['inspect a.pb --workers 4', /unknown flag "--workers"; inspect has --save/],
    ['inspect a.pb --window 8MiB', /unknown flag "--window"; inspect has --save/],
    ['inspect a.pb --format csv', /--format "csv": accepted: table, json/],
    ['inspect a.pb --save x.json --out x.json', /--save and --out name the same file/],
    ['inspect a.pb --save x.json --out ./x.json', /--save and --out name the same file/],
    ['inspect a.pb --save -', /--save -: standard output takes the inspection/]
  ])('foretrain %s', async (commandLine, message) => {
    const before = readdirSync('.')
    const result = await run(commandLine === '' ? [] : commandLine.split(' '))
    expect(result).toMatchObject({ exitCode: 2, output: '' })
    expect(result.errors).toMatch(message)
    expect(result.errors).toMatch(/^foretrain: [^\n]+\n$/)
    expect(readdirSync('.')).toEqual(before)
  })

  test('control characters in it are shown, not sent', async () => {
    const { errors } = await run(['predict', 'a.pb', '--\u001b[31mx\n', '--workers', '1'])
    expect(errors).toMatch(/^foretrain: unknown flag "--\\x1b\[31mx\\n"; [^\n]+\n$/)
  })
})

describe('failures', () => {
  const failing = (error: Error) => fakeLibraries({ readProfile: () => Promise.reject(error) })
  const predict = ['predict', 'a.pb', '--workers', '1']

  test('of a trace: 1', async () => {
    const libraries = failing(named('TraceError', 'a.pb: offset 12: wire type 7'))
    expect(await run(predict, { libraries })).toEqual({
      exitCode: 1,
      output: '',
      errors: 'foretrain: a.pb: offset 12: wire type 7\n'
    })
  })

  test('with text from a file in the message: one line', async () => {
    const libraries = failing(named('TraceError', 'evil\n\u001b]0;x\u0007\u009b\u2028\u202e.pb: empty'))
    const { errors } = await run(predict, { libraries })
    expect(errors).toBe('foretrain: evil\\n\\x1b]0;x\\x07\\x9b\\u{2028}\\u{202e}.pb: empty\n')
  })

  test('of the system: 1', async () => {
    const libraries = failing(Object.assign(new Error('ENOSPC: write'), { code: 'ENOSPC', syscall: 'write', path: 'x' }))
    expect(await run(predict, { libraries })).toMatchObject({
      exitCode: 1,
      errors: 'foretrain: x: no space left on the disk (ENOSPC)\n'
    })
  })

  test('a bug: 3, with the stack only on demand', async () => {
    const libraries = failing(new TypeError('x is undefined'))
    const result = await run(predict, { libraries })
    expect(result.exitCode).toBe(3)
    expect(result.errors).toMatch(/^foretrain: bug: x is undefined \(please report it .*FORETRAIN_DEBUG=1 shows the stack\)\n$/)
    const debugged = await run(predict, { libraries, io: fakeIo({ environment: { FORETRAIN_DEBUG: '1' } }) })
    expect(debugged.errors).toMatch(/\n {4}at /)
  })

  test('something thrown that is no error: 3', async () => {
    const libraries = fakeLibraries({ readProfile: () => Promise.reject('text') })
    expect(await run(predict, { libraries })).toMatchObject({ exitCode: 3 })
  })

  test('a reader that went away: 0, in silence', async () => {
    const io: FakeIo = {
      ...fakeIo(),
      output: { ...fakeIo().output, write: () => Promise.reject(new ClosedPipeError('standard output')) }
    }
    expect(await run(predict, { io })).toEqual({ exitCode: 0, output: '', errors: '' })
    expect(await run(['--help'], { io })).toEqual({ exitCode: 0, output: '', errors: '' })
  })

  test('nothing is left behind', () => {
    expect(existsSync('none.csv')).toBe(false)
    expect(readdirSync('.').filter(name => name.endsWith('.tmp'))).toEqual([])
  })
})
