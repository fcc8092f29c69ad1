import { compareNaturally } from '@foretrain/trace-parser'
import type { GivenFile } from './worker/protocol.ts'

/** What a visitor dropped, sorted into what is read and what is not. */
export interface Given {
  /** In the order of their steps. */
  traces: GivenFile[]
  /** Documents of measured clusters. */
  cases: GivenFile[]
  /** Names of files of a folder that a page cannot read. */
  tooLarge: string[]
  /** Where the page knows better than by the paths of the traces. */
  title?: { name: string; path: string }
}

/** What was given cannot be read here. One line: what, where, what would be right. */
export class FilesError extends Error {
  override name = 'FilesError'
}

const MEBIBYTE = 1024 * 1024
/** The tab would die before the parser could say no. */
const largestFile = 512 * MEBIBYTE
const largestInAll = 1024 * MEBIBYTE
const mostFiles = 2_000
const mostEntries = 20_000
/** Text of a case.json. */
const largestCase = 4 * MEBIBYTE

/** Files from a file or folder field. */
export function fromFileList(list: FileList): Promise<Given> {
  const files = Array.from(list, file => ({ name: file.webkitRelativePath || file.name, file }))
  return sortOut(files, files.some(({ name }) => name.includes('/')) ? 'folder' : 'files')
}

/** Files and folders from a drop. What was dropped must be taken out before the event ends, so this is to be called within it. */
export async function fromDrop(transfer: DataTransfer): Promise<Given> {
  const dropped = Array.from(transfer.items, item => ({
    file: item.getAsFile(),
    entry: item.webkitGetAsEntry(),
    handle: item.getAsFileSystemHandle?.()
  }))
  const files: GivenFile[] = []
  let from: 'folder' | 'files' = 'files'
  for (const { file, entry, handle } of dropped) {
    if (entry?.isDirectory) {
      from = 'folder'
      // Chromium reads no entries on a page from a disk, but it reads handles there.
      if (handle === undefined) await walk(entry, files)
      else await walkHandle(await handle, '', files)
    } else if (file !== null) files.push({ name: file.name, file })
  }
  return sortOut(files, from)
}

/** @param from which files of a folder are traces shows when they are read; what was named one by one is all meant */
async function sortOut(files: GivenFile[], from: 'folder' | 'files'): Promise<Given> {
  const given: Given = { traces: [], cases: [], tooLarge: [] }
  for (const one of files) {
    const base = one.name.split('/').at(-1) ?? one.name
    if (await isCase(base, one.file)) given.cases.push(one)
    else if (from === 'files') given.traces.push(one)
    else if (one.file.size > largestFile) given.tooLarge.push(one.name)
    else given.traces.push({ ...one, foundIn: 'folder' })
  }
  given.traces.sort((a, b) => compareNaturally(a.name, b.name))
  checkSizes(given.traces)
  return given
}

async function isCase(name: string, file: Blob): Promise<boolean> {
  if (!/\.json$/i.test(name) || file.size > largestCase) return false
  return /"foretrain\/case@/.test(await file.slice(0, 4096).text())
}

function checkSizes(traces: readonly GivenFile[]): void {
  if (traces.length > mostFiles)
    throw new FilesError(`${traces.length} files are too many: at most ${mostFiles}, and 20 steps are enough`)
  for (const { name, file } of traces) {
    if (file.size > largestFile)
      throw new FilesError(
        `${name}: ${mebibytes(file.size)} is more than a page can read (${mebibytes(largestFile)}): use the command, foretrain inspect FILE --save profile.json, and drop the profile`
      )
  }
  const sum = traces.reduce((total, { file }) => total + file.size, 0)
  if (sum > largestInAll)
    throw new FilesError(`${mebibytes(sum)} in all is more than a page can read (${mebibytes(largestInAll)}): 20 steps are enough`)
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / MEBIBYTE)} MiB`
}

async function walk(entry: FileSystemEntry, files: GivenFile[]): Promise<void> {
  checkCount(entry.fullPath, files)
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
    files.push({ name: entry.fullPath.replace(/^\//, ''), file })
  } else if (isDirectory(entry)) {
    const reader = entry.createReader()
    // A reader gives at most 100 entries at a time.
    for (;;) {
      const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
      if (some.length === 0) break
      for (const child of some) if (!isHidden(child)) await walk(child, files)
    }
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
const isHidden = ({ name }: { name: string }) => name.startsWith('.')

/** @param folder path of what holds it, with a slash at the end; '' for what was dropped */
async function walkHandle(handle: FileSystemHandle | null, folder: string, files: GivenFile[]): Promise<void> {
  if (handle === null) return
  const path = `${folder}${handle.name}`
  checkCount(path, files)
  if (handle instanceof FileSystemFileHandle) files.push({ name: path, file: await handle.getFile() })
  else if (handle instanceof FileSystemDirectoryHandle)
    for await (const child of handle.values()) if (!isHidden(child)) await walkHandle(child, `${path}/`, files)
}

function checkCount(path: string, files: readonly GivenFile[]): void {
  if (files.length >= mostEntries) throw new FilesError(`${path}: more than ${mostEntries} files; drop the folder of the traces`)
}
