import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describeSystemError, InputError } from '../errors.ts'

/** Each is opened to see what it is. */
const mostFiles = 100_000

/**
 * The files in a folder and the folders below it, in no particular order: which of them are traces shows when they are read. Hidden files and
 * folders are passed over.
 */
export async function searchFolder(folder: string): Promise<string[]> {
  const files: string[] = []
  await walk(folder, new Set(), files)
  if (files.length === 0) throw new InputError(`${folder}: no files in this folder`)
  return files
}

async function walk(folder: string, visited: Set<string>, files: string[]): Promise<void> {
  let entries: Dirent[]
  try {
    const real = await realpath(folder)
    // Symbolic links may lead back up.
    if (visited.has(real)) return
    visited.add(real)
    entries = await readdir(folder, { withFileTypes: true })
  } catch (error) {
    throw new InputError(describeSystemError(error, folder))
  }
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue
    const path = join(folder, entry.name)
    const target = entry.isSymbolicLink() ? await stat(path).catch(() => undefined) : entry
    if (target?.isDirectory()) await walk(path, visited, files)
    else if (target?.isFile()) files.push(path)
    if (files.length > mostFiles) throw new InputError(`${folder}: more than ${mostFiles} files; name the folder with the traces`)
  }
}
