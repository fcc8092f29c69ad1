import type { Stats } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { relative } from 'node:path'
import { compareNaturally, type TraceFile } from '@foretrain/trace-parser'
import { describeSystemError, InputError } from '../errors.ts'
import type { Io } from './io.ts'
import { fileBytes } from './pipes.ts'
import { searchFolder } from './searchFolder.ts'

/** A file to be read, with the real path behind its name where it has one. */
export interface FoundTrace extends TraceFile {
  realPath: string | undefined
}

/**
 * Finds the files that TRACE… names: files, folders, globs, "-". Sorted by name with numbers in their order (run_2 before run_10), so
 * that a folder, a quoted glob and a glob the shell expanded give the same profile; a file named twice is read once.
 */
export async function findTraces(names: string[], io: Pick<Io, 'standardInput'>): Promise<FoundTrace[]> {
  const found = new Map<string, FoundTrace>()
  let standardInput = false
  for (const name of names) {
    if (name === '-') standardInput = true
    else for (const one of await expand(name)) await add(found, one)
  }
  const traces = [...found.values()].sort((a, b) => compareNaturally(a.name, b.name))
  if (standardInput) {
    if (io.standardInput.isTerminal)
      throw new InputError('standard input is a terminal: pipe a trace into it, as in "foretrain inspect - < trace.pb"')
    traces.push({ name: 'standard input', bytes: io.standardInput.bytes, realPath: undefined })
  }
  return traces
}

interface Path {
  path: string
  /** Undefined for a file that is named. */
  foundIn: TraceFile['foundIn']
}

async function expand(name: string): Promise<Path[]> {
  let stats: Stats
  try {
    stats = await stat(name)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENAMETOOLONG') return expandGlob(name, error)
    throw new InputError(describeSystemError(error, name))
  }
  return stats.isDirectory() ? inFolder(name) : [{ path: name, foundIn: undefined }]
}

async function inFolder(folder: string): Promise<Path[]> {
  return (await searchFolder(folder)).map(path => ({ path, foundIn: 'folder' }))
}

async function expandGlob(pattern: string, reason: unknown): Promise<Path[]> {
  const { glob, isDynamicPattern } = await import('tinyglobby')
  if (pattern === '' || !isDynamicPattern(pattern))
    throw new InputError(describeSystemError(reason, pattern === '' ? '""' : pattern))
  // Paths come back absolute or relative as the library likes; the name shown is as the user thinks of it.
  const matches = await glob(pattern, { absolute: true, onlyFiles: true, expandDirectories: false })
  const shown = (path: string) => (pattern.startsWith('/') ? path : relative('.', path) || '.')
  if (matches.length > 0) return matches.map(path => ({ path: shown(path), foundIn: 'pattern' }))
  const folders = await glob(pattern, { absolute: true, onlyDirectories: true, expandDirectories: false })
  if (folders.length === 0) throw new InputError(`${pattern}: no file or folder matches`)
  return (await Promise.all(folders.map(folder => inFolder(shown(folder))))).flat()
}

async function add(found: Map<string, FoundTrace>, { path, foundIn }: Path): Promise<void> {
  // Pipes such as /dev/fd/63, which shells put in place of <(command), have no real path.
  const realPath = await realpath(path).catch(() => undefined)
  const key = realPath ?? path
  const known = found.get(key)
  if (known === undefined) found.set(key, { name: path, bytes: fileBytes(path), realPath, ...(foundIn && { foundIn }) })
  // Named as well: what it is then counts.
  else if (foundIn === undefined) delete known.foundIn
}
