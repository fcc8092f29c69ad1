import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseValidateFlags } from '../src/flags/validate.ts'
import type { Libraries } from '../src/io/libraries.ts'
import { main } from '../src/main.ts'
import { renderValidation } from '../src/render/validation.ts'
import { ascii, failureOf, fakeIo, fakeLibraries, plain, validation } from './fixture.ts'

const originalFolder = process.cwd()
let folder = ''

const link = { payloadFraction: 0.95, bufferMs: 5, latencyMs: 0.05 }
const document = {
  schema: 'foretrain/case@1',
  name: 'tiny',
  model: 'tiny',
  batchSize: 32,
  mode: 'async',
  servers: 1,
  bandwidth: '1Gbps',
  link,
  traces: 'trace/*.pb',
  tracedWorker: 0,
  measurements: [{ workers: 2, stepsPerSecond: 1, ci95: [0.9, 1.1] }]
}

function writeCase(path: string, changes: object = {}): void {
  mkdirSync(join(path, 'trace'), { recursive: true })
  writeFileSync(join(path, 'case.json'), JSON.stringify({ ...document, ...changes }))
  for (const step of [10, 2]) writeFileSync(join(path, 'trace', `step_${step}.pb`), `${path} ${step}`)
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'foretrain-validate-'))
  process.chdir(folder)
  writeCase('cases/b10')
  writeCase('cases/b9', { name: 'other' })
  mkdirSync('cases/no-case')
  writeCase('brackets [1]')
})

afterAll(() => {
  process.chdir(originalFolder)
  rmSync(folder, { recursive: true })
})

async function run(commandLine: string[], libraries: Libraries = fakeLibraries()) {
  const io = fakeIo()
  const exitCode = await main(['validate', ...commandLine], io, libraries)
  return { exitCode, ...io.written }
}

describe('cases', () => {
  test('a folder of case folders, in the order of their names, each with its traces in theirs', async () => {
    const libraries = fakeLibraries()
    expect(await run(['cases', '--seed', '7', '--steps', '50'], libraries)).toMatchObject({ exitCode: 0, errors: '' })
    expect(libraries.asked).toEqual([{ cases: ['other', 'tiny'], options: { seed: 7, fixed: { replications: 4, steps: 50 } } }])
    expect(libraries.read.map(([name]) => name)).toEqual([
      'cases/b9/trace/step_2.pb',
      'cases/b9/trace/step_10.pb',
      'cases/b10/trace/step_2.pb',
      'cases/b10/trace/step_10.pb'
    ])
  })

  test('a folder, its document, and a link to it are one case', async () => {
    symlinkSync('cases/b9', 'link')
    const libraries = fakeLibraries()
    expect(await run(['cases/b9', 'cases/b9/case.json', 'link'], libraries)).toMatchObject({ exitCode: 0 })
    expect(libraries.asked).toEqual([{ cases: ['other'], options: {} }])
  })

  test('the name of a folder is no pattern', async () => {
    expect(await run(['brackets [1]'])).toMatchObject({ exitCode: 0, errors: '' })
  })

  test('one that cannot be predicted is named on standard error', async () => {
    const validate: Libraries['validate'] = async (_cases, _options, hooks) => {
      hooks?.onSkipped?.('a\nb', 'other placements are not simulated yet')
      return validation
    }
    expect(await run(['cases'], fakeLibraries({ validate }))).toMatchObject({
      exitCode: 0,
      errors: 'warning case-skipped: a\\nb: other placements are not simulated yet\n'
    })
  })

  test('none that can be predicted: 1', async () => {
    const validate: Libraries['validate'] = async (_cases, _options, hooks) => {
      hooks?.onSkipped?.('tiny', 'other placements are not simulated yet')
      return { ...validation, cases: [] }
    }
    expect(await run(['cases'], fakeLibraries({ validate }))).toEqual({
      exitCode: 1,
      output: '',
      errors: 'foretrain: no case can be predicted: tiny: other placements are not simulated yet\n'
    })
  })
})

describe('bad cases: 1, one line with file and field', () => {
  test.each<[string, object, string]>([
    ['schema', { schema: 'foretrain/case@2' }, 'schema is "foretrain/case@2": use "foretrain/case@1"'],
    ['name', { name: 7 }, 'name is 7: use a name'],
    ['batchSize', { batchSize: 0 }, 'batchSize is 0: use a whole number from 1 to 1000000000'],
    ['mode', { mode: 'ring' }, 'mode is "ring": use async, sync, sync:backup=N, ssp:N or ssp:inf'],
    ['servers', { servers: 1.5 }, 'servers is 1.5: use a whole number from 1 to 65535'],
    [
      'bandwidth',
      { bandwidth: '1000' },
      'bandwidth is "1000": use a rate with its unit (bps, kbps, Mbps, Gbps or Tbps), such as "1000Mbps"'
    ],
    [
      'tracedBandwidth',
      { tracedBandwidth: 1e9 },
      'tracedBandwidth is 1000000000: use a rate with its unit (bps, kbps, Mbps, Gbps or Tbps), such as "1000Mbps"'
    ],
    ['link', { link: undefined }, 'link is missing: use an object'],
    [
      'payloadFraction',
      { link: { ...link, payloadFraction: 1448 } },
      'link.payloadFraction is 1448: use a share above 0, at most 1'
    ],
    ['bufferMs', { link: { ...link, bufferMs: -1 } }, 'link.bufferMs is -1: use a number from 0 to 3600000'],
    ['latencyMs', { link: { ...link, latencyMs: 4e6 } }, 'link.latencyMs is 4000000: use a number from 0 to 3600000'],
    ['burstBytes', { link: { ...link, burstBytes: '1MB' } }, 'link.burstBytes is "1MB": use a number from 0 to 1000000000000000'],
    [
      'more burst',
      { link: { ...link, burstBytes: 2e15 } },
      'link.burstBytes is 2000000000000000: use a number from 0 to 1000000000000000'
    ],
    ['a slow link', { bandwidth: '999bps' }, 'bandwidth is "999bps": use a rate from 1kbps to 1000Tbps'],
    ['a fast link', { tracedBandwidth: '1001Tbps' }, 'tracedBandwidth is "1001Tbps": use a rate from 1kbps to 1000Tbps'],
    ['slowdown', { computeSlowdown: { 1: 0 } }, 'computeSlowdown.1 is 0: use a positive number'],
    ['slowed worker', { computeSlowdown: { a: 2 } }, "computeSlowdown.a is for no worker: use workers' indices 0, 1, 2 … as names"],
    [
      'a worker of no cluster',
      { computeSlowdown: { 100000: 2 } },
      "computeSlowdown.100000 is for no worker: use workers' indices 0, 1, 2 … as names"
    ],
    ['traces', { traces: '../*' }, 'traces is "../*": use a glob below the folder of the case, such as "trace/*.pb.gz"'],
    ['measurements', { measurements: [] }, 'measurements is an empty list: use a list with one measured number of workers or more'],
    [
      'workers',
      { measurements: [...document.measurements, { workers: 0, stepsPerSecond: 1, ci95: [1, 1] }] },
      'measurements[1].workers is 0: use a whole number from 1 to 100000'
    ],
    [
      'ci95',
      { measurements: [{ workers: 2, stepsPerSecond: 1, ci95: [1.1, 0.9] }] },
      'measurements[0].ci95 is [1.1,0.9]: use the two ends of an interval, the lower first'
    ],
    [
      'stepsPerSecond',
      { measurements: [{ workers: 2, ci95: [0.9, 1.1] }] },
      'measurements[0].stepsPerSecond is missing: use a positive number'
    ]
  ])('%s', async (_field, changes, message) => {
    writeCase('bad', changes)
    const libraries = fakeLibraries()
    expect(await run(['bad'], libraries)).toEqual({ exitCode: 1, output: '', errors: `foretrain: bad/case.json: ${message}\n` })
    expect(libraries.read).toEqual([])
    rmSync('bad', { recursive: true })
  })

  test.each([
    ['[1]', 'the document is a list of 1: use an object'],
    ['{"schema"', 'is no JSON ('],
    ['', 'is no JSON (']
  ])('%j', async (text, message) => {
    mkdirSync('bad')
    writeFileSync('bad/case.json', text)
    const { exitCode, errors } = await run(['bad'])
    expect({ exitCode, errors }).toEqual({ exitCode: 1, errors: expect.stringContaining(`foretrain: bad/case.json: ${message}`) })
    expect(errors.trimEnd()).not.toContain('\n')
    rmSync('bad', { recursive: true })
  })

  test.each([
    ['cases/no-case', 'cases/no-case: no case.json in this folder or in the folders in it'],
    ['nowhere', 'nowhere: no such file or folder (ENOENT)'],
    ['cases/b9/trace/step_2.pb', 'cases/b9/trace/step_2.pb: is no folder; name a folder with case.json']
  ])('%s', async (name, message) => {
    expect(await run([name])).toEqual({ exitCode: 1, output: '', errors: `foretrain: ${message}\n` })
  })

  test.each(['..{/cases,}/b9/trace/*.pb', '.\\./cases/b9/trace/*.pb'])('traces outside its folder, spelt %s', async traces => {
    writeCase('bad', { traces })
    const libraries = fakeLibraries()
    expect(await run(['bad'], libraries)).toEqual({
      exitCode: 1,
      output: '',
      errors: `foretrain: bad/case.json: traces: ${JSON.stringify(traces)} matches ../cases/b9/trace/step_10.pb: use a glob below the folder of the case\n`
    })
    expect(libraries.read).toEqual([])
    rmSync('bad', { recursive: true })
  })

  test('without its traces', async () => {
    cpSync('cases/b9', 'lost', { recursive: true })
    rmSync('lost/trace', { recursive: true })
    expect(await run(['lost'])).toEqual({
      exitCode: 1,
      output: '',
      errors: 'foretrain: lost/case.json: traces: no file below the folder matches "trace/*.pb"\n'
    })
  })
})

describe('results', () => {
  test('the table', async () => {
    await expect(renderValidation(validation, plain)).toMatchFileSnapshot('golden/validation.txt')
    await expect(renderValidation(validation, { ...ascii, columns: 80 })).toMatchFileSnapshot('golden/validation-ascii-80.txt')
  })

  test('JSON and CSV', async () => {
    expect(JSON.parse((await run(['cases', '--format', 'json'])).output)).toEqual(validation)
    await expect((await run(['cases', '--format', 'csv'])).output).toMatchFileSnapshot('golden/validation.csv')
  })

  test('a file, once, and never over a case', async () => {
    expect(await run(['cases', '--out', 'out.csv'])).toMatchObject({ exitCode: 0, output: '' })
    expect(readFileSync('out.csv', 'utf8')).toMatch(/^case,workers,measured,/)
    expect(await run(['cases', '--out', 'out.csv'])).toMatchObject({ exitCode: 1 })
    expect(await run(['cases', '--out', 'out.csv', '--force'])).toMatchObject({ exitCode: 0 })
    expect(await run(['cases', '--out', 'cases/b9/case.json', '--force'])).toEqual({
      exitCode: 2,
      output: '',
      errors: 'foretrain: --out cases/b9/case.json: is one of the cases to read\n'
    })
  })
})

describe('--max-error', () => {
  test('above it: 4 and the worst point, after the table', async () => {
    const { exitCode, output, errors } = await run(['cases', '--max-error', '10%'])
    expect(exitCode).toBe(4)
    expect(output).toContain('near')
    expect(errors).toBe(
      'foretrain: far, "and" odd, 3 workers: the error of 20.0 % (predicted 2.400, measured 2.000 steps/s) is above --max-error 10%\n'
    )
  })

  test('counts the others', async () => {
    expect((await run(['cases', '--max-error', '1%'])).errors).toMatch(/is above --max-error 1%; so is 1 other point\n$/)
  })

  test('not above it: 0; one worker does not count', async () => {
    expect(await run(['cases', '--max-error', '20%'])).toMatchObject({ exitCode: 0, errors: '' })
    const [near] = validation.cases
    const alone = { ...validation, cases: [{ ...near, points: near.points.slice(0, 1) }] }
    const libraries = fakeLibraries({ validate: async () => alone })
    expect(await run(['cases', '--max-error', '0%'], libraries)).toMatchObject({ exitCode: 0, errors: '' })
  })

  test.each(['10', '-1%', 'x', '1001%'])('refuses %j', text => {
    expect(failureOf(() => parseValidateFlags({ maxError: text }))?.exitCode).toBe(2)
  })
})

test('without a folder: 2', async () => {
  expect(await run([])).toEqual({
    exitCode: 2,
    output: '',
    errors: 'foretrain: validate needs case folders: folders with case.json and traces, or folders of such folders\n'
  })
})

test('the built command, on a measured cluster', () => {
  const command = join(import.meta.dirname, '../bin/foretrain.js')
  const examples = join(import.meta.dirname, '../../../examples')
  const folders = [join(examples, 'alexnet-1000'), join(examples, 'mobilenetv2-200-sync')]
  const effort = ['--replications', '1', '--steps', '20']
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, 'validate', ...folders, ...effort, '--format', 'json'], {
    encoding: 'utf8'
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const { schema, cases } = JSON.parse(stdout)
  expect(schema).toBe('foretrain/validation@1')
  const sizes = cases.map(({ points }: { points: Array<{ workers: number }> }) => points.map(({ workers }) => workers))
  expect(sizes).toEqual([
    [1, 2, 4],
    [2, 4]
  ])
})
