import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { InputError } from '../src/errors.ts'
import { checkOutputFile, writeOutputFile } from '../src/io/outputFile.ts'

const originalFolder = process.cwd()
let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foretrain-out-'))
  process.chdir(folder)
})

afterEach(() => {
  process.chdir(originalFolder)
  rmSync(folder, { recursive: true })
})

test('a new file appears whole and alone', async () => {
  await writeOutputFile(await checkOutputFile('new.json', false), 'text')
  expect(readFileSync('new.json', 'utf8')).toBe('text')
  expect(readdirSync('.')).toEqual(['new.json'])
})

test('a name as long as a file system takes, in any script', async () => {
  const name = `${'\u00e9'.repeat(125)}.json`
  await writeOutputFile(await checkOutputFile(name, false), 'text')
  expect(readdirSync('.')).toEqual([name])
})

test('a name that ends as a folder does is refused', async () => {
  await expect(checkOutputFile('new.json/', false)).rejects.toThrow(new InputError('new.json/: names a folder; name a file'))
  expect(readdirSync('.')).toEqual([])
})

test('checking touches nothing', async () => {
  await checkOutputFile('new.json', false)
  expect(readdirSync('.')).toEqual([])
})

test('an existing file is refused without force, and keeps its permissions with it', async () => {
  writeFileSync('old.json', 'old')
  chmodSync('old.json', 0o640)
  await expect(checkOutputFile('old.json', false)).rejects.toThrow(
    new InputError('old.json: exists already; add --force to replace it')
  )
  await writeOutputFile(await checkOutputFile('old.json', true), 'new')
  expect(readFileSync('old.json', 'utf8')).toBe('new')
  expect(statSync('old.json').mode & 0o777).toBe(0o640)
})

test('a file that came into being meanwhile is kept', async () => {
  const file = await checkOutputFile('raced.json', false)
  writeFileSync('raced.json', 'theirs')
  await expect(writeOutputFile(file, 'ours')).rejects.toThrow('raced.json: exists already; add --force to replace it')
  expect(readFileSync('raced.json', 'utf8')).toBe('theirs')
  expect(readdirSync('.')).toEqual(['raced.json'])
})

test('a folder that vanished meanwhile', async () => {
  mkdirSync('gone')
  const file = await checkOutputFile('gone/a.json', false)
  rmSync('gone', { recursive: true })
  await expect(writeOutputFile(file, 'text')).rejects.toThrow(new InputError('gone/a.json: no such file or folder (ENOENT)'))
})

test('a symbolic link is written through', async () => {
  writeFileSync('target.json', 'old')
  symlinkSync('target.json', 'link.json')
  await writeOutputFile(await checkOutputFile('link.json', true), 'new')
  expect(readFileSync('target.json', 'utf8')).toBe('new')
  expect(readdirSync('.').sort()).toEqual(['link.json', 'target.json'])
})

test('a device is written to, never replaced', async () => {
  await writeOutputFile(await checkOutputFile('/dev/null', false), 'text')
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true)
})

test('a long name leaves room for the temporary one', async () => {
  const name = 'n'.repeat(250)
  await writeOutputFile(await checkOutputFile(name, false), 'text')
  expect(readdirSync('.')).toEqual([name])
})

test.each([
  ['.', '.: is a folder; name a file'],
  ['missing/a.json', 'missing/a.json: its folder cannot be written to: no such file or folder (ENOENT)']
])('%s is refused', async (name, message) => {
  await expect(checkOutputFile(name, true)).rejects.toThrow(new InputError(message))
})

test('a file in place of the folder', async () => {
  writeFileSync('file', '')
  await expect(checkOutputFile('file/a.json', false)).rejects.toThrow(/not a folder/)
})
