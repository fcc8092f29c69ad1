import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { looksLikeTrace } from '@foretrain/trace-parser'
import { describeSystemError, InputError } from '../errors.ts'

/**
 * The traces in a folder and the folders below it, in no particular order. Only what its name shows to be a trace is taken: a case folder
 * also holds case.json and tables, a log folder also holds models. Hidden files and folders are passed over.
 */
export async function searchFolder(folder: string): Promise<string[]> {
  const traces: string[] = []
  const skipped: string[] = []
  await walk(folder, new Set(), traces, skipped)
  if (traces.length === 0) throw new InputError(`${folder}: no traces in this folder (${describeSkipped(skipped)})`)
  return traces
}

async function walk(folder: string, visited: Set<string>, traces: string[], skipped: string[]): Promise<void> {
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
    if (target?.isDirectory()) await walk(path, visited, traces, skipped)
    else if (target?.isFile() && looksLikeTrace(entry.name)) traces.push(path)
    else skipped.push(entry.name)
  }
}

function describeSkipped(skipped: string[]): string {
  const wanted = 'looked for *.pb, *.pb.gz and names with "run_metadata"'
  if (skipped.length === 0) return `${wanted}; it is empty`
  const named = skipped.sort().slice(0, 3).join(', ')
  return `${wanted}; skipped ${named}${skipped.length > 3 ? ` and ${skipped.length - 3} more` : ''}`
}
