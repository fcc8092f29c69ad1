/** The built command as a process: what only a process shows. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
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
  const traces = join(import.meta.dirname, '../../../examples/alexnet-1000/trace')
  const { status, stderr } = spawnSync('sh', ['-c', script, process.execPath, command, traces], { cwd: folder, encoding: 'utf8' })
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: 'foretrain: the current folder: no such file or folder (ENOENT)\n'
  })
})

test('from traces to a prediction, and the same bits from the saved profile', () => {
  const traces = join(import.meta.dirname, '../../../examples/alexnet-1000')
  const inspected = run('inspect', traces, '--save', 'profile.json')
  expect(inspected.status).toBe(0)
  expect(inspected.stderr).toMatch(
    /^note: 4 files passed over as no traces: \S+\/case\.json \(a JSON text\), \S+\/w1\.csv \(a text\) and 2 more\n$/
  )
  const question = ['--workers', '1,2', '--batch', '128', '--format', 'csv']
  const fromTraces = run('predict', join(traces, 'trace'), ...question)
  expect(fromTraces.status).toBe(0)
  // A spreadsheet has no place for warnings: they go to standard error.
  expect(fromTraces.stderr).toMatch(/^(warning [a-z-]+: .+\n)+$/)
  const [header, ...rows] = fromTraces.stdout.trimEnd().split('\n')
  expect(header).toMatch(/^point,workers,.*,error$/)
  expect(rows.map(row => row.split(',').slice(0, 3).join())).toEqual(['0,1,1', '1,2,1'])
  expect(run('predict', 'profile.json', ...question)).toEqual(fromTraces)
})

test('a comparison is the same in one thread and in three', () => {
  const traces = join(import.meta.dirname, '../../../examples/alexnet-1000/trace')
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
  const traces = join(import.meta.dirname, '../../../examples/alexnet-1000/trace')
  writeFileSync(join(folder, 'ranks.csv'), 'variable,rank\nfc6/kernel,1\nfc9/kernel,2\n')
  expect(run('compare', traces, '--workers', '2', '--policy', 'recorded,order:ranks.csv')).toEqual({
    status: 2,
    stdout: '',
    stderr: expect.stringMatching(
      /^foretrain: ranks\.csv:3: the profile has no pull of variable fc9\/kernel: use one of its \d+ names, such as [^\n]+\n$/
    )
  })
})

test('standard input takes a trace in any form; --sizes completes a timeline of TensorFlow', () => {
  const packed = readFileSync(join(import.meta.dirname, '../../../examples/alexnet-1000/trace/run_metadata_014.pb.gz'))
  const [worker, server] = ['worker', 'ps'].map(job => `/job:${job}/replica:0/task:0/cpu:0`)
  const event = (pid: number, ts: number, dur: number, name: string, op: string, ...inputs: string[]) => {
    const args = { name, op, ...Object.fromEntries(inputs.map((input, i) => [`input${i}`, input])) }
    return { ph: 'X', cat: 'Op', name: op, pid, tid: 0, ts: 1.5e15 + ts, dur, args }
  }
  const timeline = [
    ...[worker, server].map((device, pid) => ({ ph: 'M', name: 'process_name', pid, args: { name: `${device} Compute` } })),
    event(1, 1, 1, 'w', 'VariableV2'),
    event(1, 3, 1, 'w/read', 'Identity', 'w'),
    event(0, 4, 90, 'RecvTensor', 'RecvTensor'),
    event(0, 100, 50, 'grad', 'MatMul', 'w/read_S1'),
    event(1, 150, 90, 'RecvTensor', 'RecvTensor'),
    event(1, 250, 9, 'apply', 'ApplyGradientDescent', 'w', 'grad_S3')
  ]
  writeFileSync(join(folder, 'sizes.csv'), 'tensor,bytes\nw,4096\n')
  const inspect = (input: string | Uint8Array, ...flags: string[]) => {
    const commandLine = [command, 'inspect', '-', '--format', 'json', ...flags]
    const { stdout, stderr } = spawnSync(process.execPath, commandLine, { cwd: folder, input, encoding: 'utf8' })
    expect(stderr).toBe('')
    return JSON.parse(stdout)
  }
  const found = (input: string | Uint8Array, ...flags: string[]) => inspect(input, ...flags).files[0]
  expect(found(packed)).toMatchObject({ path: 'standard input', format: 'RunMetadata (gzip)', steps: 1 })
  expect(found(gunzipSync(packed))).toMatchObject({ format: 'RunMetadata', steps: 1 })
  const text = JSON.stringify(timeline)
  expect(found(gzipSync(text), '--sizes', 'sizes.csv')).toMatchObject({ format: 'TensorFlow timeline (gzip)', steps: 1 })
  const { transfers } = inspect(text.slice(0, -1), '--sizes', 'sizes.csv')
  expect(transfers).toMatchObject([
    { direction: 'pull', count: 1, bytes: 4096 },
    { direction: 'push', count: 1, bytes: 4096 }
  ])
})
