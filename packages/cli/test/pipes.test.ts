/** Named pipes, whose other end may never come. The process must end on a signal nevertheless. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkOutputFile, writeOutputFile } from '../src/io/outputFile.ts'
import { readSmallFile } from '../src/io/smallFile.ts'

const command = join(import.meta.dirname, '../bin/foretrain.js')
const trace = join(import.meta.dirname, '../../../examples/alexnet-1000/trace/run_metadata_000.pb.gz')
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foretrain-pipes-'))
})

afterAll(() => rm(folder, { recursive: true }))

function makePipe(name: string): string {
  const path = join(folder, name)
  execFileSync('mkfifo', [path])
  return path
}

function run(commandLine: string[]): { child: ChildProcess; ended: Promise<{ code: number | null; errors: string }> } {
  const child = spawn(process.execPath, [command, ...commandLine], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.on('data', chunk => {
    errors += chunk
  })
  return { child, ended: new Promise(resolve => child.on('close', code => resolve({ code, errors }))) }
}

describe.runIf(process.platform === 'linux')('a pipe whose other end does not come', () => {
  test.concurrent.each([
    { name: 'traces', commandLine: ['inspect', 'traces'] },
    { name: 'plan.yaml', commandLine: ['sweep', trace, '--plan', 'plan.yaml'] },
    { name: 'saved.json', commandLine: ['inspect', trace, '--save', 'saved.json'] },
    {
      name: 'rows.csv',
      commandLine: ['sweep', trace, '--workers', '1', '--replications', '1', '--steps', '1', '--out', 'rows.csv']
    }
  ])('ends on a signal: $name', async ({ name, commandLine }) => {
    makePipe(name)
    const { child, ended } = run(commandLine)
    // Half of them read a trace first. A signal that comes before they wait for the pipe has to end them as well.
    const timer = setTimeout(() => child.kill('SIGINT'), 2500)
    const { code, errors } = await ended
    clearTimeout(timer)
    expect(code).toBe(130)
    expect(errors).toMatch(/^(foretrain: interrupted: nothing is left behind\n)?$/)
    expect((await readdir(folder)).filter(file => file.endsWith('.tmp'))).toEqual([])
  })

  test('is waited for, and then read and written like a file', async () => {
    const pipe = makePipe('late')
    const text = 'ä'.repeat(100_000)
    const read = readSmallFile(pipe, 1 << 20)
    await new Promise(resolve => setTimeout(resolve, 100))
    await writeOutputFile(await checkOutputFile(pipe, false), text)
    expect(await read).toBe(text)
    const written = writeOutputFile(await checkOutputFile(pipe, false), text)
    await new Promise(resolve => setTimeout(resolve, 100))
    expect(await readSmallFile(pipe, 1 << 20)).toBe(text)
    await written
  })

  test('that a reader closes early ends the command in silence', async () => {
    const pipe = makePipe('short')
    const { ended } = run(['timeline', trace, '--workers', '2', '--out', pipe])
    execFileSync('head', ['-c', '10', pipe])
    expect((await ended).code).toBe(0)
  })
})

test('a file of settings that is too large is not read to its end', async () => {
  const path = join(folder, 'large.yaml')
  await writeFile(path, readFileSync(trace))
  await expect(readSmallFile(path, 1024)).rejects.toThrow(`${path}: larger than 1 KiB; that is no file of this kind`)
})
