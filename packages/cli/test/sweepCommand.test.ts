/** `foretrain sweep` as a process, with the real simulator. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

const command = join(import.meta.dirname, '../bin/foretrain.js')
const trace = join(import.meta.dirname, '../../../examples/mobilenetv2-200')
let root = ''
let folder = ''
let profile = ''

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'foretrain-sweep-'))
  profile = join(root, 'profile.json')
  expect(spawnSync(process.execPath, [command, 'inspect', trace, '--save', profile]).status).toBe(0)
  // Two of its steps are read and calibrated faster.
  const { traces, steps, ...rest } = JSON.parse(readFileSync(profile, 'utf8'))
  writeFileSync(profile, JSON.stringify({ ...rest, traces: traces.slice(0, 2), steps: steps.slice(0, 2), holes: [] }))
})
afterAll(() => rmSync(root, { recursive: true }))

let next = 0
beforeEach(() => {
  folder = join(root, String(next++))
  mkdirSync(folder)
})

const fast = ['--replications', '1', '--steps', '3']
const grid = ['--workers', '1-4', '--bandwidth', '500Mbps,1Gbps', '--policy', 'recorded,tac', ...fast]
const points = 16

function run(...more: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, 'sweep', profile, ...more], {
    cwd: folder,
    encoding: 'utf8'
  })
  return { status, stdout, stderr }
}

describe('results', () => {
  test('the same bytes on standard output and in a file, whatever the number of threads', () => {
    const one = run(...grid, '--jobs', '1')
    expect(one).toMatchObject({ status: 0, stderr: '' })
    const lines = one.stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(points + 1)
    expect(lines.slice(1).map(line => Number(line.split(',')[0]))).toEqual(Array.from({ length: points }, (_, i) => i))
    expect(run(...grid, '--jobs', '3', '--out', 'out.csv')).toEqual({ status: 0, stdout: '', stderr: '' })
    expect(readFileSync(join(folder, 'out.csv'), 'utf8')).toBe(one.stdout)
    expect(readdirSync(folder)).toEqual(['out.csv'])
    expect(run(...grid, '--seed', '2').stdout).not.toBe(one.stdout)
  })

  test('a plan file asks the same as flags, and flags go before it', () => {
    writeFileSync(
      join(folder, 'plan.yaml'),
      'workers: [1, 2, 3, 4]\nbandwidth: [500Mbps, 1Gbps]\npolicy: [recorded, tac]\nreplications: 1\nsteps: 3\n'
    )
    expect(run('--plan', 'plan.yaml').stdout).toBe(run(...grid).stdout)
    expect(run('--plan', 'plan.yaml', '--workers', '2', '--policy', 'fifo').stdout.trimEnd().split('\n')).toHaveLength(3)
  })

  test('summary and chart', () => {
    const { status, stdout } = run(...grid, '--out', 'out.jsonl', '--summary', '--chart', 'out.svg')
    expect(status).toBe(0)
    expect(stdout).toMatch(/^points +16 in [\d.]+ s, [\d.]+ a second; 0 failed\nfastest +[\d.]+ steps\/s with /)
    const svg = readFileSync(join(folder, 'out.svg'), 'utf8')
    expect(svg.match(/<polyline/g)).toHaveLength(4)
    expect(readFileSync(join(folder, 'out.jsonl'), 'utf8').trimEnd().split('\n')).toHaveLength(points)
  })

  test('points that fail have their error, a warning says how many, and the rest counts', () => {
    const result = run('--workers', '1-3', '--mode', 'sync:backup=2', ...fast)
    expect(result.status).toBe(0)
    expect(result.stderr).toMatch(
      /^warning points-failed: 2 of 3 points could not be simulated, the first of them point 0: mode is /
    )
    expect(result.stdout.split('\n')[1]).toContain(',,,,,,,"mode is sync:backup=2, which leaves nobody of 1 worker')
  })
})

describe('interrupted', () => {
  /** Ends a sweep of much work when some of it is done. */
  async function interrupted(signal: NodeJS.Signals, name: string): Promise<{ code: number | null; errors: string }> {
    const child = spawn(process.execPath, [command, 'sweep', profile, ...long, '--jobs', '2', '--out', name], { cwd: folder })
    let errors = ''
    child.stderr.on('data', text => {
      errors += text
    })
    const ended = new Promise<number | null>(resolve => child.on('close', resolve))
    const journal = join(folder, `${name}.journal`)
    while (!existsSync(journal) || readFileSync(journal, 'utf8').split('\n').length < 3)
      await new Promise(resolve => setTimeout(resolve, 20))
    child.kill(signal)
    return { code: await ended, errors }
  }
  const long = ['--workers', '1-30', '--policy', 'recorded,tac', '--replications', '2', '--steps', '10']

  let whole = ''
  beforeAll(() => {
    whole = run(...long).stdout
  })

  test.each(['SIGINT', 'SIGKILL'] as const)('by %s, the same command with --resume ends with the same bytes', async signal => {
    const { code, errors } = await interrupted(signal, 'out.csv')
    if (signal === 'SIGINT') {
      expect(code).toBe(130)
      expect(errors).toMatch(
        /^foretrain: interrupted: (out.csv has the first [1-9]\d* of 60 points|nothing of it is in out.csv yet), .* with --resume goes on\n$/
      )
    }
    const part = existsSync(join(folder, 'out.csv')) ? readFileSync(join(folder, 'out.csv'), 'utf8') : ''
    expect(whole.startsWith(part)).toBe(true)
    expect(part === '' || part.endsWith('\n')).toBe(true)
    expect(run(...long, '--out', 'out.csv', '--resume', '--seed', '9')).toMatchObject({ status: 2, stderr: /of another sweep/ })
    expect(run(...long, '--out', 'out.csv', '--resume', '--summary').stdout).toMatch(/^points +60 in /)
    expect(readFileSync(join(folder, 'out.csv'), 'utf8')).toBe(whole)
    expect(readdirSync(folder).sort()).toEqual(['out.csv'])
  })
})

describe('at fault: one line, the right exit code, no file', () => {
  const cases: Array<[string, number, string[], RegExp]> = [
    ['an unwritable folder', 1, ['--out', 'missing/out.csv'], /^missing\/out.csv: its folder cannot be written to: no such file/],
    ['a device that is full', 1, ['--out', '/dev/full'], /^\/dev\/full: no space left on the disk \(ENOSPC\)$/],
    ['a format that there is not', 2, ['--out', 'out.xlsx'], /^--out "out.xlsx": the ending says the format/],
    ['a plan that there is not', 1, ['--plan', 'none.yaml'], /^none.yaml: no such file or folder/],
    ['a chart of one cluster size', 2, ['--workers', '4', '--chart', 'out.svg'], /^--chart draws throughput against workers/],
    ['a chart that is no SVG', 2, ['--chart', 'out.png'], /^--chart "out.png"/],
    ['nothing to resume', 1, ['--out', 'out.csv', '--resume'], /^out.csv.journal: there is no such journal/],
    ['no point that can be simulated', 2, ['--workers', '1', '--mode', 'sync:backup=1'], /^--mode "sync:backup=1"/]
  ]
  test.each(cases)('%s', (_, code, more, message) => {
    const { status, stdout, stderr } = run(...grid, ...more)
    expect(stderr.startsWith('foretrain: ')).toBe(true)
    expect(stderr.slice('foretrain: '.length).trimEnd()).toMatch(message)
    expect(stderr.trimEnd()).not.toContain('\n')
    expect(stdout).toBe('')
    expect(status).toBe(code)
    expect(readdirSync(folder)).toEqual([])
  })

  test('an output that exists', () => {
    writeFileSync(join(folder, 'out.csv'), 'mine')
    expect(run(...grid, '--out', 'out.csv')).toMatchObject({
      status: 1,
      stderr: 'foretrain: out.csv: exists already; add --force to replace it\n'
    })
    expect(readFileSync(join(folder, 'out.csv'), 'utf8')).toBe('mine')
    expect(run(...grid, '--out', 'out.csv', '--force').status).toBe(0)
    expect(readFileSync(join(folder, 'out.csv'), 'utf8')).toMatch(/^point,workers/)
  })

  test('a typo in a plan', () => {
    writeFileSync(join(folder, 'plan.yaml'), 'workers: 1-4\nbandwith: 1Gbps\n')
    const { status, stderr } = run('--plan', 'plan.yaml')
    expect(status).toBe(2)
    expect(stderr).toMatch(/^foretrain: plan.yaml:2: bandwith: is no field of this place: use fields workers, /)
  })

  test('a disk that fills up: whole rows, and the way on', () => {
    // A limit on the size of files ends writing as a full disk does, and needs no disk.
    const limited = `ulimit -f 4; exec "$0" "$@"`
    const { status, stderr } = spawnSync(
      'bash',
      ['-c', limited, process.execPath, command, 'sweep', profile, '--workers', '1-40', ...fast, '--jobs', '1', '--out', 'out.csv'],
      { cwd: folder, encoding: 'utf8' }
    )
    expect(status).toBe(1)
    expect(stderr).toMatch(/^foretrain: out.csv.*file too large.*; out.csv has the first \d+ of 40 points, .* goes on\n$/)
    expect(readFileSync(join(folder, 'out.csv'), 'utf8')).toMatch(/\n$/)
    expect(run('--workers', '1-40', ...fast, '--out', 'out.csv', '--resume').status).toBe(0)
    expect(readFileSync(join(folder, 'out.csv'), 'utf8')).toBe(run('--workers', '1-40', ...fast).stdout)
  })
})
