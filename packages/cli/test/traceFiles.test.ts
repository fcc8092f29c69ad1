import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { InputError } from '../src/errors.ts'
import { findTraces } from '../src/io/traceFiles.ts'
import { fakeIo } from './fixture.ts'

const originalFolder = process.cwd()
let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'foretrain-traces-'))
  process.chdir(folder)
  mkdirSync('case/trace/deep', { recursive: true })
  mkdirSync('case/.cache')
  mkdirSync('empty')
  mkdirSync('other')
  for (const name of [
    'case/case.json',
    'case/steps.csv',
    'case/.cache/a.pb',
    'case/trace/run_metadata_10.pb',
    'case/trace/run_metadata_2.pb.gz',
    'case/trace/deep/RunMetadata-7',
    'other/notes.txt',
    'star[1].pb',
    'profile.json'
  ]) {
    writeFileSync(name, name)
  }
  symlinkSync('..', 'case/trace/up')
  symlinkSync('missing', 'case/trace/dangling.pb')
  symlinkSync(join('case', 'trace', 'run_metadata_10.pb'), 'link.pb')
})

afterAll(() => {
  process.chdir(originalFolder)
  rmSync(folder, { recursive: true })
})

const find = async (...names: string[]) => (await findTraces(names, fakeIo({ input: 'piped' }))).map(trace => trace.name)
const inCase = ['case/trace/deep/RunMetadata-7', 'case/trace/run_metadata_2.pb.gz', 'case/trace/run_metadata_10.pb']

describe('what TRACE... names', () => {
  test('a folder is searched, through loops and past other files', async () => {
    expect(await find('case')).toEqual(inCase)
    expect(await find('case/')).toEqual(inCase)
  })

  test('a glob, sorted as people do', async () => {
    expect(await find('case/trace/run_*')).toEqual(inCase.slice(1))
    expect(await find('case/trace/run_metadata_10.pb', 'case/trace/run_metadata_2.pb.gz')).toEqual(inCase.slice(1))
  })

  test('an absolute glob gives absolute names', async () => {
    expect(await find(join(folder, 'case/trace/*_2.pb.gz'))).toEqual([join(folder, 'case/trace/run_metadata_2.pb.gz')])
  })

  test('a glob of folders searches them', async () => {
    expect(await find('ca*')).toEqual(inCase)
  })

  test('a file whose name looks like a glob', async () => {
    expect(await find('star[1].pb')).toEqual(['star[1].pb'])
  })

  test('the same file twice is one', async () => {
    expect(await find('case', 'case/trace', './case/trace/run_metadata_10.pb', 'link.pb')).toEqual(inCase)
  })

  test('a file given by name is taken whatever its name', async () => {
    expect(await find('profile.json')).toEqual(['profile.json'])
  })

  test('standard input, once and last', async () => {
    expect(await find('-', 'case', '-')).toEqual([...inCase, 'standard input'])
  })

  test.each([
    ['missing.pb', 'missing.pb: no such file or folder (ENOENT)'],
    ['', '"": no such file or folder (ENOENT)'],
    ['missing/*.pb', 'missing/*.pb: no file or folder matches'],
    ['profile.json/x.pb', 'profile.json/x.pb: a part of the path is not a folder (ENOTDIR)'],
    ['empty', 'empty: no traces in this folder (looked for *.pb, *.pb.gz and names with "run_metadata"; it is empty)'],
    ['other', 'other: no traces in this folder (looked for *.pb, *.pb.gz and names with "run_metadata"; skipped notes.txt)'],
    ['x'.repeat(5000), `${'x'.repeat(5000)}: name too long (ENAMETOOLONG)`]
  ])('%.20s is refused', async (name, message) => {
    await expect(find(name)).rejects.toThrow(new InputError(message))
  })

  test('a terminal is no trace', async () => {
    await expect(findTraces(['-'], fakeIo())).rejects.toThrow(/^standard input is a terminal: /)
  })

  test('a file that vanishes before it is read', async () => {
    writeFileSync('short-lived.pb', '')
    const [trace] = await findTraces(['short-lived.pb'], fakeIo())
    rmSync('short-lived.pb')
    const read = async () => {
      for await (const _ of trace.bytes);
    }
    await expect(read()).rejects.toThrow(new InputError('short-lived.pb: no such file or folder (ENOENT)'))
  })
})
