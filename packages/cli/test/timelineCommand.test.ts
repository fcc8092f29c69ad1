/** Timelines by the built command as a process. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const command = join(import.meta.dirname, '../bin/foretrain.js')
const traces = join(import.meta.dirname, '../../../examples/alexnet-1000/trace')
let folder = ''

beforeAll(() => {
  if (!existsSync(join(import.meta.dirname, '../dist/foretrain.js'))) throw new Error('build packages/cli first: npm run build')
  folder = mkdtempSync(join(tmpdir(), 'foretrain-timeline-command-'))
})

afterAll(() => rmSync(folder, { recursive: true }))

function run(...commandLine: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...commandLine], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 28
  })
  return { status, stdout, stderr }
}

test('a timeline of one worker is predicted from like a trace', () => {
  const { status, stdout, stderr } = run('timeline', traces, '--workers', '1', '--window', '3steps', '--out', 'one.json.gz')
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
  expect(stderr).toMatch(
    /^timeline: about \d+ events, [\d.]+ kB of JSON\ntimeline: written, [\d.]+ kB of JSON, [\d.]+ kB as gzip\n$/
  )
  const inspected = run('inspect', 'one.json.gz', '--format', 'json')
  expect(JSON.parse(inspected.stdout)).toMatchObject({
    files: [{ path: 'one.json.gz', format: 'foretrain timeline (gzip)', steps: 3 }],
    steps: { used: 3, dropped: 0 }
  })
  const predicted = run('predict', 'one.json.gz', '--workers', '1', '--format', 'csv')
  expect(predicted.stdout.split('\n')).toHaveLength(3)
})

test('standard output and a file get the same text', () => {
  const question = ['timeline', traces, '--workers', '2', '--window', '1step']
  expect(run(...question, '--out', 'two.json').status).toBe(0)
  const { stdout } = run(...question, '--out', '-')
  expect(stdout).toBe(readFileSync(join(folder, 'two.json'), 'utf8'))
})

test('a reader that closes the pipe: 0, and nothing but the estimate is said', () => {
  const script = '"$0" "$1" timeline "$2" --workers 2 --window 50steps --out - | head -c 100 > head.txt; echo $PIPESTATUS'
  const { stdout, stderr } = spawnSync('bash', ['-c', script, process.execPath, command, traces], { cwd: folder, encoding: 'utf8' })
  expect(stdout).toBe('0\n')
  expect(stderr).toMatch(/^timeline: about [^\n]*\n$/)
})

test('interrupted while it writes: 130, and nothing left behind', async () => {
  const child = spawn(
    process.execPath,
    [command, 'timeline', traces, '--workers', '2', '--window', '2000steps', '--out', 'never.json'],
    {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe']
    }
  )
  const ended = new Promise<number | null>(resolve => child.on('close', resolve))
  const begun = () => readdirSync(folder).some(name => name.startsWith('.never.json'))
  for (let waited = 0; waited < 300 && !begun(); waited++) await new Promise(resolve => setTimeout(resolve, 100))
  expect(begun()).toBe(true)
  child.kill('SIGINT')
  expect(await ended).toBe(130)
  expect(readdirSync(folder).filter(name => name.includes('never'))).toEqual([])
})
