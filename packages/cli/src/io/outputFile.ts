import { randomBytes } from 'node:crypto'
import { constants, rmSync } from 'node:fs'
import { access, chmod, lstat, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { ClosedPipeError, describeSystemError, InputError, isSystemError } from '../errors.ts'
import { openPipe, type Writer } from './pipes.ts'

/** A file to be written, checked but not yet touched. */
export interface OutputFile {
  /** As given on the command line. */
  name: string
  /** Absolute, symbolic links followed. */
  path: string
  force: boolean
  /** A device or pipe: it is written to, never replaced. */
  special: boolean
  /** Of what is special: a named pipe, or what a shell puts in place of >(command). */
  pipe: boolean
  /** Permission bits of the file to be replaced. */
  permissions: number | undefined
}

/** Half-written files, removed when the process ends before they get their name. */
const unfinished = new Set<string>()

/** Looks whether the file may and can be written, before any work is spent on what goes into it. */
export async function checkOutputFile(name: string, force: boolean): Promise<OutputFile> {
  if (name.endsWith('/') || name.endsWith(sep)) throw new InputError(`${name}: names a folder; name a file`)
  const path = await realpath(name).catch(() => resolve(name))
  const existing = await stat(path).catch(() => lstat(path).catch(() => undefined))
  if (existing?.isDirectory()) throw new InputError(`${name}: is a folder; name a file`)
  const folder = await stat(dirname(path)).catch(() => undefined)
  if (folder && !folder.isDirectory()) throw new InputError(`${name}: ${dirname(path)} is not a folder`)
  const special = existing !== undefined && !existing.isFile() && !existing.isSymbolicLink()
  if (existing && !special && !force) throw new InputError(`${name}: exists already; add --force to replace it`)
  try {
    if (special) await access(path, constants.W_OK)
    else await access(dirname(path), constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new InputError(describeSystemError(error, special ? name : `${name}: its folder cannot be written to`))
  }
  const pipe = existing?.isFIFO() ?? false
  return { name, path, force, special, pipe, permissions: existing?.isFile() ? existing.mode & 0o777 : undefined }
}

/** What goes into a file: all at once, or as it comes. */
type FileContent = string | AsyncIterable<Uint8Array>

/** Writes the whole content under a temporary name in the same folder, then gives it its own: readers see all of it or nothing. */
export async function writeOutputFile(file: OutputFile, content: FileContent): Promise<void> {
  const target = file.special ? file.path : join(dirname(file.path), temporaryName(file.path))
  if (!file.special) unfinished.add(target)
  try {
    await writeAll(await openWriter(file, target), content)
    if (file.special) return
    if (file.permissions !== undefined) await chmod(target, file.permissions)
    // It may have come into being since it was checked.
    if (!file.force && (await exists(file.path))) throw new InputError(`${file.name}: exists already; add --force to replace it`)
    await rename(target, file.path)
  } catch (error) {
    if (!file.special) await rm(target, { force: true }).catch(() => {})
    throw explain(error, file)
  } finally {
    unfinished.delete(target)
  }
}

/** Writes to a device or a pipe piece by piece. */
export function specialOutput(file: OutputFile): (text: string) => Promise<void> {
  let opened: Promise<Writer> | undefined
  return async text => {
    try {
      opened ??= openWriter(file, file.path)
      await (await opened).write(text)
    } catch (error) {
      throw explain(error, file)
    }
  }
}

/** For the end of the process: removes what was begun and not finished. */
export function removeUnfinishedFiles(): void {
  for (const path of unfinished) {
    try {
      rmSync(path, { force: true })
    } catch {
      // The process is ending; there is nobody to tell.
    }
  }
}

async function openWriter(file: OutputFile, target: string): Promise<Writer> {
  if (file.pipe) return openPipe(target)
  const handle = await open(target, file.special ? 'w' : 'wx')
  // Each piece goes where the one before it ended.
  return { write: piece => handle.writeFile(piece), close: () => handle.close() }
}

async function writeAll(writer: Writer, content: FileContent): Promise<void> {
  try {
    if (typeof content === 'string') await writer.write(content)
    else for await (const piece of content) await writer.write(piece)
  } finally {
    await writer.close()
  }
}

function explain(error: unknown, { name, pipe }: OutputFile): unknown {
  if (!isSystemError(error)) return error
  return pipe && error.code === 'EPIPE' ? new ClosedPipeError(name) : new InputError(describeSystemError(error, name))
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined
}

/** Recognisable, hidden, and never too long: file systems bound names by bytes, most of them at 255. */
function temporaryName(path: string): string {
  return `.${basename(path).slice(0, 50)}.${randomBytes(6).toString('hex')}.tmp`
}
