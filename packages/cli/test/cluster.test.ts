/** Servers, placements and unequal workers on the command line. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Prediction } from '@foretrain/predictor'
import { predictionCsv } from '@foretrain/predictor/text'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { main } from '../src/main.ts'
import { renderPrediction } from '../src/render/prediction.ts'
import { fakeIo, fakeLibraries, plain, point, prediction } from './fixture.ts'

const originalFolder = process.cwd()
let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'foretrain-cluster-'))
  process.chdir(folder)
  writeFileSync('a.pb', 'trace')
  writeFileSync(
    'c.yaml',
    'servers: 2\nbandwidth: 1Gbps\nlatency: 1ms\nbuffer: 20ms\nplacement: greedy\nworkers: [{count: 3}, {count: 2, speed: 0.5}]\n'
  )
  writeFileSync('home.yaml', 'colocate: true\nworkers: [{count: 2}]\n')
  writeFileSync('p.json', '{"conv1/kernel": 1}')
  writeFileSync('bad.yaml', 'workers:\n  - count: 2\n    speed: -1\n')
  writeFileSync('large.yaml', `# ${'x'.repeat(1e7)}`)
  writeFileSync('large.json', `{"a": ${' '.repeat(1e7)}0}`)
  writeFileSync('binary.yaml', Buffer.from([0xff, 0xfe, 0x00, 0xc3]))
})

afterAll(() => {
  process.chdir(originalFolder)
  rmSync(folder, { recursive: true })
})

async function run(...flags: string[]) {
  const libraries = fakeLibraries()
  const io = fakeIo()
  const exitCode = await main(['predict', 'a.pb', ...flags], io, libraries)
  const [question] = libraries.asked as Array<Record<string, unknown>>
  const { profile, ...asked } = question ?? {}
  return { exitCode, ...io.written, asked, read: libraries.read }
}

const hosts = { workers: [{ count: 3 }, { count: 2, speed: 0.5 }] }

describe('what is asked', () => {
  test('servers, placement and parts', async () => {
    const { asked } = await run('--workers', '4', '--servers', '1-2,4', '--placement', 'greedy', '--partition-variables', '3')
    expect(asked).toEqual({ workers: [4], servers: [1, 2, 4], placement: 'greedy', variableParts: 3 })
  })

  test('a placement from a file', async () => {
    expect((await run('--workers', '4', '--placement', 'p.json')).asked).toEqual({ workers: [4], placement: { 'conv1/kernel': 1 } })
  })

  test('a cluster file: all its workers, and what it says', async () => {
    expect((await run('--cluster', 'c.yaml')).asked).toEqual({
      workers: [5],
      servers: [2],
      placement: 'greedy',
      bandwidthBitsPerSecond: 1e9,
      latencyUs: 1000,
      bufferUs: 20_000,
      hosts
    })
  })

  test('servers on workers’ hosts, by the flag or by the file', async () => {
    expect((await run('--workers', '4', '--colocate')).asked).toEqual({ workers: [4], colocate: true })
    expect((await run('--cluster', 'home.yaml')).asked).toEqual({
      workers: [2],
      hosts: { workers: [{ count: 2 }], colocate: true }
    })
  })

  test('flags go before the file; the traced bandwidth scales what it says', async () => {
    const flags = ['--workers', '1-3', '--servers', '4', '--placement', 'round-robin', '--bandwidth', '10Gbps', '--latency', '2ms']
    expect((await run('--cluster', 'c.yaml', ...flags, '--buffer', '5ms', '--traced-bandwidth', '1Gbps')).asked).toEqual({
      workers: [1, 2, 3],
      servers: [4],
      placement: 'round-robin',
      bandwidthBitsPerSecond: 1e10,
      tracedBandwidthBitsPerSecond: 1e9,
      latencyUs: 2000,
      bufferUs: 5000,
      hosts
    })
    expect((await run('--cluster', 'c.yaml', '--traced-bandwidth', '1Gbps')).exitCode).toBe(0)
  })
})

describe('what is refused, before a trace is read and with nothing written', () => {
  test.each<[number, string, string[]]>([
    [2, 'bad.yaml:3: workers[0].speed: is -1: use a number from 0.000001 to 1000000', ['--cluster', 'bad.yaml']],
    [2, '--workers "6": c.yaml has 5 workers', ['--cluster', 'c.yaml', '--workers', '6']],
    [1, 'missing.yaml: no such file or folder (ENOENT)', ['--cluster', 'missing.yaml']],
    [1, '.: is a folder (EISDIR)', ['--cluster', '.']],
    [1, 'large.yaml: larger than 64 KiB; that is no file of this kind', ['--cluster', 'large.yaml']],
    [1, 'large.json: larger than 4096 KiB; that is no file of this kind', ['--workers', '1', '--placement', 'large.json']],
    [1, 'binary.yaml: is no text in UTF-8', ['--cluster', 'binary.yaml']],
    [2, '--cluster "": write the name of a YAML file', ['--cluster', '']],
    [
      2,
      '--placement "random": accepted: profile, round-robin, greedy, or a file that ends in .json',
      ['--workers', '1', '--placement', 'random']
    ],
    [1, 'none.json: no such file or folder (ENOENT)', ['--workers', '1', '--placement', 'none.json']],
    [2, '--servers "0": a cluster has at least 1 server', ['--workers', '1', '--servers', '0']],
    [2, '--servers "two": write numbers of servers such as 2, 1-4 or 1,2,4', ['--workers', '1', '--servers', 'two']],
    [2, '--servers "9999": at most 1024 servers', ['--workers', '1', '--servers', '9999']],
    [2, '--partition-variables "0": must be a whole number between 1 and 64', ['--workers', '1', '--partition-variables', '0']],
    [2, 'predict needs cluster sizes: --workers 8, 1-16 or 1,2,4,8, or --cluster FILE.yaml', []]
  ])('%i: %s', async (exitCode, message, flags) => {
    const result = await run(...flags, '--out', 'never.json')
    expect(result).toEqual({ exitCode, output: '', errors: `foretrain: ${message}\n`, asked: {}, read: [] })
    expect(existsSync('never.json')).toBe(false)
  })
})

const several: Prediction = {
  ...prediction,
  points: [1, 2].flatMap(servers =>
    [1, 4].map(workers => ({
      ...point(workers),
      servers,
      computeSpeed: 0.75,
      ...(workers === 4 && {
        groups: [
          { label: 'as traced', workers: 2, stepsPerSecond: 0.6 },
          { label: 'speed 0.5, 100Mbps', workers: 2, stepsPerSecond: 0.3 }
        ]
      })
    }))
  ),
  warnings: [{ code: 'hot-server', message: 'of 2 servers, server 0 carries 82 % of the bytes; a fair share would be 50 %' }]
}

test('several numbers of servers and unequal workers as a table', () =>
  expect(renderPrediction(several, plain)).toMatchFileSnapshot('golden/prediction-servers.txt'))

test('and as CSV', () => {
  const [header, ...rows] = predictionCsv(several).trimEnd().split('\n')
  const at = (row: string, name: string) => row.split(',')[header.split(',').indexOf(name)]
  expect(rows.map(row => [at(row, 'point'), at(row, 'workers'), at(row, 'servers'), at(row, 'compute_speed')])).toEqual([
    ['0', '1', '1', '0.75'],
    ['1', '4', '1', '0.75'],
    ['2', '1', '2', '0.75'],
    ['3', '4', '2', '0.75']
  ])
})

test('the example in docs/cluster.md is read as it stands there', async () => {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/cluster.md'), 'utf8')
  const [, example] = /```yaml\n([\s\S]*?)```/.exec(text) ?? []
  writeFileSync('example.yaml', example ?? '')
  expect(await run('--cluster', 'example.yaml')).toMatchObject({ exitCode: 0, errors: '' })
})
