import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Plan, type PlanQuestion, plan as planOf } from '@foretrain/predictor'
import type { Profile } from '@foretrain/trace-parser'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parsePlanFlags } from '../src/flags/plan.ts'
import type { Libraries } from '../src/io/libraries.ts'
import { main } from '../src/main.ts'
import { renderPlan } from '../src/render/plan.ts'
import { renderPlanChart } from '../src/render/planChart.ts'
import { renderPlanCsv } from '../src/render/planCsv.ts'
import { ascii, fakeIo, fakeLibraries, plain, point, prediction } from './fixture.ts'

const originalFolder = process.cwd()
let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'foretrain-plan-'))
  process.chdir(folder)
  mkdirSync('traces')
  writeFileSync('traces/a.pb', 'trace a')
  writeFileSync('profile.json', '{"schema":"foretrain/profile@1"}')
})

afterAll(() => {
  process.chdir(originalFolder)
  rmSync(folder, { recursive: true })
})

const needed = ['--target', '45examples/s', '--price', 'worker=0.90,server=0.20', '--batch', '32']

async function run(commandLine: string[], { io = fakeIo(), libraries = fakeLibraries() as Libraries } = {}) {
  const exitCode = await main(commandLine, io, libraries)
  return { exitCode, ...io.written }
}

/** A plan of the points of the fixture: 16 examples/s a worker up to 64, 58 with four. */
function fixturePlan(changes: Partial<PlanQuestion> = {}): Promise<Plan> {
  const asked: PlanQuestion = {
    question: { profile: {} as Profile, batchSize: 32 },
    workers: [1, 2, 3, 4, 8, 16],
    target: { value: 60, unit: 'examples/s' },
    prices: { worker: 0.9, server: 0.2 },
    ...changes
  }
  return planOf(asked, { predict: async ({ workers }) => ({ ...prediction, points: workers.map(point) }) })
}

describe('flags', () => {
  const required = { target: '500examples/s', price: 'worker=0.90,server=0.20' }

  test('only what is given is asked', () => {
    expect(parsePlanFlags(required)).toEqual({
      question: {},
      target: { value: 500, unit: 'examples/s' },
      prices: { worker: 0.9, server: 0.2 }
    })
    expect(Object.keys(parsePlanFlags(required))).toEqual(['question', 'target', 'prices'])
  })

  test('those of predict go into the question', () => {
    const flags = {
      target: ' 2.5 steps/s',
      price: ' server = 0 , worker=1',
      workers: '4,2',
      knee: '20%',
      bandwidth: '10Gbps',
      batch: '8'
    }
    expect(parsePlanFlags(flags)).toEqual({
      question: { bandwidthBitsPerSecond: 1e10, batchSize: 8 },
      workers: [2, 4],
      target: { value: 2.5, unit: 'steps/s' },
      prices: { worker: 1, server: 0 },
      kneeShare: 0.2
    })
  })
})

describe('a plan', () => {
  test('asks what the flags say', async () => {
    const libraries = fakeLibraries()
    const result = await run(['plan', 'traces', ...needed, '--workers', '1-4', '--seed', '3'], { libraries })
    expect(result).toMatchObject({ exitCode: 0, errors: '' })
    expect(libraries.asked).toEqual([
      {
        question: { batchSize: 32, seed: 3, profile: { schema: 'foretrain/profile@1' } },
        workers: [1, 2, 3, 4],
        target: { value: 45, unit: 'examples/s' },
        prices: { worker: 0.9, server: 0.2 }
      }
    ])
    expect(result.output).toContain(
      'cheapest  3 workers, 1 server: 48.00 examples/s (1.500 steps/s), 2.90 an hour, 16.78 a million examples'
    )
  })

  test('as a table', async () => {
    const plan = await fixturePlan()
    await expect(renderPlan(plan, plain)).toMatchFileSnapshot('golden/plan.txt')
    await expect(renderPlan(plan, { ...ascii, columns: 80 })).toMatchFileSnapshot('golden/plan-ascii-80.txt')
  })

  test('as CSV and as JSON', async () => {
    await expect(renderPlanCsv(await fixturePlan())).toMatchFileSnapshot('golden/plan.csv')
    const { exitCode, output } = await run(['plan', 'traces', ...needed, '--workers', '1-4', '--format', 'json'])
    expect(exitCode).toBe(0)
    expect(JSON.parse(output)).toMatchObject({ schema: 'foretrain/plan@1', target: '45examples/s', cheapest: { workers: 3 } })
  })

  test('none is an answer: 0, and what can be reached', async () => {
    const { exitCode, output } = await run(['plan', 'traces', '--target', '65examples/s', '--batch', '32', ...needed.slice(2, 4)])
    expect(exitCode).toBe(0)
    expect(output).toContain(
      'cheapest  none of the simulated clusters meets the target\nfastest   5 workers, 1 server: 64.00 examples/s'
    )
    expect(output).toContain('warning target-not-met: ')
  })

  test('warnings of a CSV go to standard error', async () => {
    const { output, errors } = await run(['plan', 'traces', ...needed, '--workers', '1-4', '--format', 'csv'])
    expect(output).toMatch(/^workers,servers,steps_per_second,/)
    expect(errors).toMatch(/^warning few-steps: [^\n]+\n/)
  })

  test('progress is for terminals, and is wiped', async () => {
    const searched = await run(['plan', 'traces', ...needed], { io: fakeIo({ terminal: true }) })
    expect(searched.errors).toContain('1 point, searching at 1 worker')
    expect(searched.errors.endsWith('\r\u001b[2K')).toBe(true)
    const listed = await run(['plan', 'traces', ...needed, '--workers', '2-4'], { io: fakeIo({ terminal: true }) })
    expect(listed.errors).toContain('1/3 points, 2 workers')
  })

  test('the examples of the help are command lines that work', async () => {
    const { output } = await run(['plan', '--help'])
    const examples = [...output.matchAll(/^ {2}foretrain (plan .*)$/gm)].map(match => match[1].split(' '))
    expect(examples.length).toBeGreaterThan(2)
    for (const example of examples) expect(await run(example)).toMatchObject({ exitCode: 0, errors: '' })
    expect(readdirSync('.').sort()).toEqual(['cost.svg', 'plan.json', 'profile.json', 'traces'])
    for (const made of ['cost.svg', 'plan.json']) rmSync(made)
  })
})

describe('the chart', () => {
  test('of a plan', async () => {
    await expect(renderPlanChart(await fixturePlan())).toMatchFileSnapshot('golden/plan.svg')
  })

  test('has a mark for each cluster and one accent colour for light, one for dark', async () => {
    const svg = renderPlanChart(await fixturePlan())
    expect(svg.match(/<circle class="(on-front|other)"/g)).toHaveLength(6)
    expect(svg.match(/<circle class="cheapest"/g)).toHaveLength(1)
    expect(svg).toContain('prefers-color-scheme: dark')
  })

  test('stays within its plot, whatever the costs and the target', async () => {
    for (const worker of [0, 1e-6, 1, 1e9]) {
      for (const target of [1e-6, 60, 90, 1e12]) {
        const asked = { prices: { worker, server: 0.5 }, target: { value: target, unit: 'examples/s' } } as const
        const svg = renderPlanChart(await fixturePlan(asked))
        expect(svg).not.toMatch(/NaN|Infinity/)
        for (const [, x, y] of svg.matchAll(/<circle [^>]*cx="([^"]+)" cy="([^"]+)"/g)) {
          expect(Number(x)).toBeGreaterThanOrEqual(72)
          expect(Number(x)).toBeLessThanOrEqual(736)
          expect(Number(y)).toBeGreaterThanOrEqual(64)
          expect(Number(y)).toBeLessThanOrEqual(376)
        }
      }
    }
  })
})

describe('files', () => {
  test('the result and the chart, once, and again by force', async () => {
    const commandLine = ['plan', 'traces', ...needed, '--out', 'out.csv', '--chart', 'chart.svg']
    expect(await run(commandLine)).toMatchObject({ exitCode: 0, output: '' })
    expect(readFileSync('out.csv', 'utf8')).toMatch(/^workers,servers,/)
    expect(readFileSync('chart.svg', 'utf8')).toMatch(/^<svg .*<\/svg>\n$/s)
    rmSync('out.csv')
    const again = await run(commandLine)
    expect(again).toEqual({ exitCode: 1, output: '', errors: 'foretrain: chart.svg: exists already; add --force to replace it\n' })
    expect(readdirSync('.')).not.toContain('out.csv')
    expect(await run([...commandLine, '--force'])).toMatchObject({ exitCode: 0 })
    for (const made of ['out.csv', 'chart.svg']) rmSync(made)
  })

  test('a trace is not replaced, not even by force', async () => {
    writeFileSync('traces/b.svg', 'trace b')
    expect(await run(['plan', 'traces', ...needed, '--chart', 'traces/b.svg', '--force'])).toEqual({
      exitCode: 2,
      output: '',
      errors: 'foretrain: --chart traces/b.svg: is one of the traces to read\n'
    })
    expect(readFileSync('traces/b.svg', 'utf8')).toBe('trace b')
    rmSync('traces/b.svg')
  })
})

describe('command lines at fault end with 2 and one line, and nothing written', () => {
  const price = '--price worker=0.90,server=0.20'
  test.each<[string, string]>([
    [price, 'plan needs a target: --target 500examples/s or 20steps/s'],
    ['--target 5steps/s', 'plan needs the cost of a host an hour: --price worker=0.90,server=0.20'],
    [`--target 500 ${price}`, '--target "500": a unit is needed (examples/s or steps/s), such as 500examples/s'],
    [
      `--target 500images/s ${price}`,
      '--target "500images/s": unknown unit; accepted: examples/s or steps/s, such as 500examples/s'
    ],
    [`--target -5steps/s ${price}`, '--target "-5steps/s": must be between 0.000001 and 1000000000000'],
    [`--target 0steps/s ${price}`, '--target "0steps/s": must be between 0.000001 and 1000000000000'],
    [`--target fast ${price}`, '--target "fast": write a number and a unit (examples/s or steps/s), such as 500examples/s'],
    [
      '--target 5steps/s --price worker=0.9',
      '--price "worker=0.9": the price of a server is missing; add it, server=0 if it costs nothing, such as --price worker=0.90,server=0.20'
    ],
    [
      '--target 5steps/s --price worker=0.9,ps=0.2',
      '--price "worker=0.9,ps=0.2": unknown host "ps"; accepted: worker, server, such as --price worker=0.90,server=0.20'
    ],
    [
      '--target 5steps/s --price worker=1,worker=2,server=1',
      '--price "worker=1,worker=2,server=1": worker stands there twice; give it once, such as --price worker=0.90,server=0.20'
    ],
    [
      '--target 5steps/s --price worker=-1,server=1',
      '--price "worker=-1,server=1": worker=-1: must be between 0 and 1000000000, such as --price worker=0.90,server=0.20'
    ],
    [
      '--target 5steps/s --price worker=$1,server=1',
      '--price "worker=$1,server=1": worker=$1 is no price; write a number without a currency, such as --price worker=0.90,server=0.20'
    ],
    [
      '--target 5steps/s --price 0.9',
      '--price "0.9": write host=number for worker and server, such as --price worker=0.90,server=0.20'
    ],
    [
      '--target 5steps/s --price worker=0,server=0',
      '--price "worker=0,server=0": one of the hosts must cost something, such as --price worker=0.90,server=0.20'
    ],
    [`--target 5steps/s ${price} --knee 0%`, '--knee "0%": must be between 0.1% and 100%'],
    [`--target 5steps/s ${price} --knee half`, '--knee "half": write a number and a unit (%), such as 50%'],
    [`--target 5steps/s ${price} --workers 0`, '--workers "0": a cluster has at least 1 worker'],
    [`--target 5steps/s ${price} --chart -`, '--chart "-": write the name of a file that ends in .svg'],
    [`--target 5steps/s ${price} --out x.svg --chart ./x.svg`, '--chart and --out name the same file: give each its own']
  ])('foretrain plan traces %s', async (flags, message) => {
    const before = readdirSync('.')
    const libraries = fakeLibraries()
    expect(await run(['plan', 'traces', ...flags.split(' ')], { libraries })).toEqual({
      exitCode: 2,
      output: '',
      errors: `foretrain: ${message}\n`
    })
    expect(libraries.read).toEqual([])
    expect(readdirSync('.')).toEqual(before)
  })

  test('unknown flags', async () => {
    const { exitCode, errors } = await run(['plan', 'traces', ...needed, '--budget', '5'])
    expect(exitCode).toBe(2)
    expect(errors).toMatch(
      /^foretrain: unknown flag "--budget"; plan has --target, --price, --workers, --knee, --chart, .*--help\n$/
    )
  })
})

test('the built command, on a measured cluster', () => {
  const command = join(import.meta.dirname, '../bin/foretrain.js')
  const traces = join(import.meta.dirname, '../../../examples/resnet50-1000/trace')
  const flags = [
    '--target',
    '1steps/s',
    '--price',
    'worker=0.90,server=0.20',
    '--replications',
    '2',
    '--steps',
    '20',
    '--format',
    'json'
  ]
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, 'plan', traces, ...flags], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const plan: Plan = JSON.parse(stdout)
  // Measured: 0.55 steps/s with one worker, 1.05 with two, 1.1 at most.
  expect(plan.cheapest).toMatchObject({ workers: 2, servers: 1, meetsTarget: true })
  expect(plan.cheapest?.costPerHour).toBeCloseTo(2, 12)
  expect(plan.knee.workers).toBe(2)
  expect(plan.points.map(({ workers }) => workers)).toEqual(expect.arrayContaining([1, 2, 4, 8, 16, 32]))
})
