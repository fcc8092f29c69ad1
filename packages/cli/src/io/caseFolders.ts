import type { Dirent } from 'node:fs'
import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { compareNaturally } from '@foretrain/trace-parser'
import { describeSystemError, InputError } from '../errors.ts'
import { type FoundTrace, findTraces } from './traceFiles.ts'

/** The document of a case, not read any further than its text. */
interface FoundCase {
  folder: string
  /** Path of case.json, for messages. */
  file: string
  /** The same, symbolic links followed. */
  realPath: string
  text: string
}

const caseFile = 'case.json'
/** A case is some kilobytes; beyond this it is another kind of file. */
const largestCaseBytes = 16 * 2 ** 20

/** Finds the cases that CASE_DIR… names: folders with case.json, or folders of such folders. A case named twice is read once. */
export async function findCases(names: readonly string[]): Promise<FoundCase[]> {
  const found = new Map<string, FoundCase>()
  for (const name of names) {
    for (const folder of await caseFoldersIn(name)) {
      const one = await readCaseFile(folder)
      if (!found.has(one.realPath)) found.set(one.realPath, one)
    }
  }
  return [...found.values()]
}

/** The traces of a case: a glob below its folder, in which the folder's own name stands for itself whatever it holds. */
export async function findCaseTraces({ folder, file }: FoundCase, pattern: string): Promise<FoundTrace[]> {
  const { glob } = await import('tinyglobby')
  const matches = await glob(pattern, { cwd: folder, onlyFiles: true, expandDirectories: false })
  if (matches.length === 0) throw new InputError(`${file}: traces: no file below the folder matches ${JSON.stringify(pattern)}`)
  // Braces and backslashes can spell ".." in ways that show only in what they match: "..{/other,}/*.pb".
  const outside = matches.find(match => !isBelow(folder, match))
  if (outside !== undefined)
    throw new InputError(`${file}: traces: ${JSON.stringify(pattern)} matches ${outside}: use a glob below the folder of the case`)
  return findTraces(
    matches.map(match => join(folder, match)),
    { standardInput: { bytes: noBytes(), isTerminal: true } }
  )
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, resolve(folder, path))
  // To another drive there is no relative one.
  return !isAbsolute(way) && way.split(sep)[0] !== '..'
}

async function caseFoldersIn(name: string): Promise<string[]> {
  const given = await stat(name).catch(error => {
    throw new InputError(describeSystemError(error, name === '' ? '""' : name))
  })
  if (!given.isDirectory()) {
    if (basename(name) === caseFile) return [dirname(name)]
    throw new InputError(`${name}: is no folder; name a folder with ${caseFile}`)
  }
  if (await isFile(join(name, caseFile))) return [name]
  let entries: Dirent[]
  try {
    entries = await readdir(name, { withFileTypes: true })
  } catch (error) {
    throw new InputError(describeSystemError(error, name))
  }
  const folders: string[] = []
  for (const entry of entries) {
    const folder = join(name, entry.name)
    if (!entry.name.startsWith('.') && (await isFile(join(folder, caseFile)))) folders.push(folder)
  }
  if (folders.length === 0) throw new InputError(`${name}: no ${caseFile} in this folder or in the folders in it`)
  return folders.sort(compareNaturally)
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() ?? false
}

async function readCaseFile(folder: string): Promise<FoundCase> {
  const file = join(folder, caseFile)
  try {
    const { size } = await stat(file)
    if (size > largestCaseBytes) throw new InputError(`${file}: has ${size} bytes; a case is a document of some kilobytes`)
    return { folder, file, realPath: await realpath(file), text: await readFile(file, 'utf8') }
  } catch (error) {
    throw error instanceof InputError ? error : new InputError(describeSystemError(error, file))
  }
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}
