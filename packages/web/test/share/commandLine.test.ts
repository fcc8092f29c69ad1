import { execFileSync } from 'node:child_process'
import { cpSync, createReadStream, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Prediction, predict } from '@foretrain/predictor'
import { predictionCsv, renderJson } from '@foretrain/predictor/text'
import { readProfile } from '@foretrain/trace-parser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { questionOf } from '../../src/question.ts'
import { defaultSettings, type Settings } from '../../src/settings.ts'
import { commandLineOf } from '../../src/share/commandLine.ts'

const root = join(import.meta.dirname, '../../../..')
/** Of a name that a shell would take apart. */
const folder = "it's a $HOME; trace"
let place: string

beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'foretrain-command-'))
  const traces = join(root, 'examples/alexnet-1000/trace')
  mkdirSync(join(place, folder))
  for (const file of readdirSync(traces).slice(0, 3)) cpSync(join(traces, file), join(place, folder, file))
  mkdirSync(join(place, 'bin'))
  symlinkSync(join(root, 'packages/cli/bin/foretrain.js'), join(place, 'bin/foretrain'))
})
afterAll(() => rmSync(place, { recursive: true, force: true }))

function inShell(command: string): string {
  const environment = { ...process.env, PATH: `${join(place, 'bin')}:${process.env.PATH}` }
  return execFileSync('sh', ['-c', command], { cwd: place, env: environment, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

async function predicted(settings: Settings): Promise<Prediction> {
  const files = readdirSync(join(place, folder)).sort()
  const { profile } = await readProfile(
    files.map(name => ({ name: join(folder, name), bytes: createReadStream(join(place, folder, name)) }))
  )
  return predict({ ...questionOf(settings), profile })
}

const cases: Array<[string, Partial<Settings>, string]> = [
  ['a page just opened but for its size', { workers: '1-3' }, '--workers 1-3'],
  [
    'every field',
    {
      workers: '2,4',
      servers: 2,
      bandwidth: '1.5 Gbps',
      latency: '0.2ms',
      computeSpeed: 1.5,
      batch: 64,
      policy: 'priority',
      partition: '2MB',
      credit: '8MB',
      mode: 'ssp:3',
      placement: 'greedy',
      seed: 7,
      precision: '3%'
    },
    "--workers 2,4 --servers 2 --placement greedy --bandwidth '1.5 Gbps' --latency 0.2ms --compute-speed 1.5 --batch 64 " +
      '--policy priority --partition 2MB --credit 8MB --mode ssp:3 --seed 7 --precision 3%'
  ]
]

test.each(cases)('the command of %s says the same to the last digit', async (_, changes, flags) => {
  const settings = { ...defaultSettings, ...changes }
  const command = commandLineOf(settings, folder)
  expect(command).toBe(String.raw`foretrain predict 'it'\''s a $HOME; trace' ` + flags)
  const prediction = await predicted(settings)
  expect(prediction.points.length).toBeGreaterThan(1)
  expect(inShell(`${command} --format json`)).toBe(renderJson(prediction))
  expect(inShell(`${command} --format csv`)).toBe(predictionCsv(prediction))
})

test('chunk sizes are of no other policy', () => {
  expect(commandLineOf({ ...defaultSettings, partition: '4MB', credit: '8MB' })).toBe('foretrain predict TRACE --workers 1-16')
})

test.each([
  [undefined, 'TRACE'],
  ['', 'TRACE'],
  ['steps\nrm -rf ~', 'TRACE'],
  ['a\u202eb', 'TRACE'],
  ['-rf', './-rf'],
  ['run 1/trace', "'run 1/trace'"],
  ['`id`', "'`id`'"]
])('a trace named %j', (name, word) => {
  expect(commandLineOf(defaultSettings, name)).toBe(`foretrain predict ${word} --workers 1-16`)
})
