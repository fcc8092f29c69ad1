import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { InputError } from '../src/errors.ts'
import { readSizes } from '../src/flags/sizes.ts'
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
const inTrace = ['case/trace/deep/RunMetadata-7', 'case/trace/run_metadata_2.pb.gz', 'case/trace/run_metadata_10.pb']
/** What of these is a trace shows when they are read. */
const inCase = ['case/case.json', 'case/steps.csv', ...inTrace]

describe('what TRACE... names', () => {
  test('a folder is searched, through loops and past hidden files', async () => {
    expect(await find('case')).toEqual(inCase)
    expect(await find('case/')).toEqual(inCase)
  })

  test('a glob, sorted as people do', async () => {
    expect(await find('case/trace/run_*')).toEqual(inTrace.slice(1))
    expect(await find('case/trace/run_metadata_10.pb', 'case/trace/run_metadata_2.pb.gz')).toEqual(inTrace.slice(1))
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

  test('nobody named what a folder or a pattern gives, unless it is named as well', async () => {
    const foundIn = async (...names: string[]) =>
      (await findTraces(names, fakeIo({ input: 'piped' }))).map(({ name, foundIn }) => [name, foundIn])
    expect(await foundIn('case/trace/*', 'other', 'profile.json')).toEqual([
      ['case/trace/run_metadata_2.pb.gz', 'pattern'],
      ['case/trace/run_metadata_10.pb', 'pattern'],
      ['other/notes.txt', 'folder'],
      ['profile.json', undefined]
    ])
    expect(await foundIn('other', 'other/notes.txt')).toEqual([['other/notes.txt', undefined]])
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
    ['empty', 'empty: no files in this folder'],
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

describe('--sizes', () => {
  const read = async (text: string) => {
    writeFileSync('sizes.csv', text)
    return readSizes('sizes.csv')
  }

  test('a line a tensor; names may hold commas', async () => {
    expect([...(await read('\ufefftensor,bytes\r\nw/read,4096\r\n"a,""b""",0\r\na,b:0,12\n\n'))]).toEqual([
      ['w/read', 4096],
      ['a,"b"', 0],
      ['a,b:0', 12]
    ])
  })

  test.each([
    ['', 'sizes.csv:1: is ""; expected the columns tensor,bytes'],
    ['w,1\n', 'sizes.csv:1: is "w,1"; expected the columns tensor,bytes'],
    ['tensor,bytes\n', 'sizes.csv: no sizes; expected a line for each tensor below tensor,bytes'],
    ['tensor,bytes\nw\n', 'sizes.csv:2: no name of a tensor in "w"; expected a tensor and its bytes, as in "w/read,4096"'],
    ['tensor,bytes\nw,4 kB\n', 'sizes.csv:2: bytes of "4 kB"; expected a whole number from 0 to 9007199254740991'],
    ['tensor,bytes\nw,-1\n', 'sizes.csv:2: bytes of "-1"; expected a whole number from 0 to 9007199254740991'],
    ['tensor,bytes\nw,NaN\n', 'sizes.csv:2: bytes of "NaN"; expected a whole number from 0 to 9007199254740991'],
    [
      'tensor,bytes\nw,99999999999999999\n',
      'sizes.csv:2: bytes of "99999999999999999"; expected a whole number from 0 to 9007199254740991'
    ],
    ['tensor,bytes\nw,1\nw,1\nw,2\n', 'sizes.csv:4: "w" has 2 bytes here and 1 above; expected one size for each tensor']
  ])('%j is refused', async (text, message) => {
    await expect(read(text)).rejects.toThrow(new InputError(message))
  })
})
