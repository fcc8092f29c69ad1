/** The built command as a process: what only a process shows. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const command = join(import.meta.dirname, '../bin/foretrain.js')
let folder = ''

beforeAll(() => {
  if (!existsSync(join(import.meta.dirname, '../dist/foretrain.js'))) throw new Error('build packages/cli first: npm run build')
  folder = mkdtempSync(join(tmpdir(), 'foretrain-command-'))
})

afterAll(() => rmSync(folder, { recursive: true }))

function run(...commandLine: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...commandLine], { cwd: folder, encoding: 'utf8' })
  return { status, stdout, stderr }
}

function end(child: ReturnType<typeof spawn>): Promise<{ code: number | null; errors: string }> {
  let errors = ''
  child.stderr?.on('data', chunk => {
    errors += chunk
  })
  return new Promise(resolve => child.on('close', code => resolve({ code, errors })))
}

test('help comes quickly', () => {
  const durationsMs = Array.from({ length: 5 }, () => {
    const startMs = performance.now()
    expect(run('--help').status).toBe(0)
    return performance.now() - startMs
  })
  // It takes about 90 ms; a machine busy with other tests may need longer, the load of a library longer still.
  expect(Math.min(...durationsMs)).toBeLessThan(300)
})

test('a command line at fault: 2', () => {
  expect(run('predict', 'a.pb', '--workers', '0')).toEqual({
    status: 2,
    stdout: '',
    stderr: 'foretrain: --workers "0": a cluster has at least 1 worker\n'
  })
})

test('a missing file: 1', () => {
  expect(run('predict', 'missing.pb', '--workers', '1')).toEqual({
    status: 1,
    stdout: '',
    stderr: 'foretrain: missing.pb: no such file or folder (ENOENT)\n'
  })
})

test('a hostile file name: one printable line', () => {
  const name = 'a\n\u001b[31m\u0007b.pb'
  writeFileSync(join(folder, name), 'no trace')
  const { status, stdout, stderr } = run('inspect', name)
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toMatch(/^foretrain: a\\n\\x1b\[31m\\x07b\.pb: [^\p{Cc}]*\n$/u)
})

test('a reader that closes the pipe: 0, in silence', async () => {
  const child = spawn(process.execPath, [command, 'help', 'predict'], { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  expect(await end(child)).toEqual({ code: 0, errors: '' })
})

test.runIf(process.platform === 'linux')('a full disk behind standard output: 1', () => {
  const { status, stderr } = spawnSync('sh', ['-c', '"$0" "$1" --help > /dev/full', process.execPath, command], {
    encoding: 'utf8'
  })
  expect({ status, stderr }).toEqual({ status: 1, stderr: 'foretrain: standard output: no space left on the disk (ENOSPC)\n' })
})

test('interrupted while it reads: 130, and nothing left behind', async () => {
  const child = spawn(process.execPath, [command, 'predict', '-', '--workers', '1', '--out', 'never.json'], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'pipe']
  })
  const ended = end(child)
  // Listeners are in place well before the process asks for more than the pipe holds.
  child.stdin.on('error', () => {})
  await new Promise<void>(resolve => child.stdin.write(new Uint8Array(1 << 20), () => resolve()))
  child.kill('SIGINT')
  expect(await ended).toEqual({ code: 130, errors: '' })
  expect(readdirSync(folder).filter(name => name.includes('never'))).toEqual([])
})

test.runIf(process.platform === 'linux')('a current folder that is gone: 1, and named', () => {
  const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$1" inspect "$2"'
  const traces = join(import.meta.dirname, '../../../examples/alexnet-1000')
  const { status, stderr } = spawnSync('sh', ['-c', script, process.execPath, command, traces], { cwd: folder, encoding: 'utf8' })
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: 'foretrain: the current folder: no such file or folder (ENOENT)\n'
  })
})

test('from traces to a prediction, and the same bits from the saved profile', () => {
  const traces = join(import.meta.dirname, '../../../examples/alexnet-1000')
  expect(run('inspect', traces, '--save', 'profile.json')).toMatchObject({ status: 0, stderr: '' })
  const question = ['--workers', '1,2', '--batch', '128', '--format', 'csv']
  const fromTraces = run('predict', traces, ...question)
  expect(fromTraces.status).toBe(0)
  // A spreadsheet has no place for warnings: they go to standard error.
  expect(fromTraces.stderr).toMatch(/^(warning [a-z-]+: .+\n)+$/)
  const [header, ...rows] = fromTraces.stdout.trimEnd().split('\n')
  expect(header).toMatch(/^point,workers,.*,error$/)
  expect(rows.map(row => row.split(',').slice(0, 3).join())).toEqual(['0,1,1', '1,2,1'])
  expect(run('predict', 'profile.json', ...question)).toEqual(fromTraces)
})

test('a comparison is the same in one thread and in three', () => {
  const traces = join(import.meta.dirname, '../../../examples/alexnet-1000')
  expect(run('inspect', traces, '--save', 'compared.json')).toMatchObject({ status: 0, stderr: '' })
  const question = ['compare', 'compared.json', '--workers', '3', '--replications', '3', '--steps', '10', '--format', 'json']
  const [one, three] = ['1', '3'].map(jobs => run(...question, '--jobs', jobs))
  expect(one).toMatchObject({ status: 0, stderr: '' })
  expect(three).toEqual(one)
  const { policies, replications } = JSON.parse(one.stdout)
  expect(policies).toHaveLength(6)
  expect(replications).toBe(3)
})

test('what a comparing thread refuses is one line: 2', () => {
  const traces = join(import.meta.dirname, '../../../examples/alexnet-1000')
  writeFileSync(join(folder, 'ranks.csv'), 'variable,rank\nfc6/kernel,1\nfc9/kernel,2\n')
  expect(run('compare', traces, '--workers', '2', '--policy', 'recorded,order:ranks.csv')).toEqual({
    status: 2,
    stdout: '',
    stderr: expect.stringMatching(
      /^foretrain: ranks\.csv:3: the profile has no pull of variable fc9\/kernel: use one of its \d+ names, such as [^\n]+\n$/
    )
  })
})
