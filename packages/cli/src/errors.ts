import { oneLine } from '@foretrain/predictor/text'
import type { InterruptedError } from './io/interrupt.ts'

/** What the process ends with (design: "The command"). */
export const exitCodes = { done: 0, input: 1, commandLine: 2, bug: 3, check: 4, interrupted: 130 } as const

/** The command line is at fault. `message` is one line: which flag, what was found, what would be right. */
export class CommandLineError extends Error {
  override name = 'CommandLineError'
}

/** The input or the surroundings are at fault: a file, a disk, a terminal. `message` is one line. */
export class InputError extends Error {
  override name = 'InputError'
}

/** A check that was asked for failed. `message` is one line: what was found, where, and the limit. */
export class CheckError extends Error {
  override name = 'CheckError'
}

/** The reader of standard output has gone away, as `head` does: no failure, and nobody left to tell. */
export class ClosedPipeError extends Error {
  override name = 'ClosedPipeError'
}

export interface Failure {
  exitCode: number
  /** For standard error, without the newline; '' when nothing is to be said. */
  text: string
}

/**
 * Turns whatever was thrown into an exit code and one line.
 *
 * Errors of the libraries are told by name: an `instanceof` would need the libraries loaded, and does not survive a thread boundary.
 */
export function describeFailure(thrown: unknown, debug = false): Failure {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  if (error.name === 'ClosedPipeError') return { exitCode: exitCodes.done, text: '' }
  if (error.name === 'CommandLineError' || error.name === 'QuestionError') return failure(exitCodes.commandLine, error.message)
  if (['InputError', 'SweepError', 'TraceError', 'CaseError'].includes(error.name)) return failure(exitCodes.input, error.message)
  if (error.name === 'InterruptedError') return failure((error as InterruptedError).exitCode, error.message)
  if (error.name === 'CheckError') return failure(exitCodes.check, error.message)
  if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return failure(
      exitCodes.input,
      'not enough memory for this simulation: ask for smaller clusters or fewer steps, or set NODE_OPTIONS'
    )
  }
  if (isSystemError(error)) return failure(exitCodes.input, describeSystemError(error))
  const hint = 'please report it with the command line and, if you can, the trace'
  const line = failure(exitCodes.bug, `bug: ${error.message || error.name} (${hint}; FORETRAIN_DEBUG=1 shows the stack)`)
  return debug ? { ...line, text: `${line.text}\n${error.stack ?? ''}` } : line
}

function failure(exitCode: number, message: string): Failure {
  return { exitCode, text: `foretrain: ${oneLine(message)}` }
}

/** Whether the operating system says so: a file, a disk, a pipe. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  if (!(error instanceof Error)) return false
  const { code, syscall } = error as NodeJS.ErrnoException
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) && typeof syscall === 'string'
}

const systemErrors: Record<string, string> = {
  EACCES: 'permission denied',
  EBUSY: 'in use',
  EDQUOT: 'disk quota exceeded',
  EEXIST: 'exists already',
  EIO: 'input/output error',
  EISDIR: 'is a folder',
  ELOOP: 'too many symbolic links',
  EMFILE: 'too many open files',
  ENAMETOOLONG: 'name too long',
  ENOENT: 'no such file or folder',
  ENOSPC: 'no space left on the disk',
  ENOTDIR: 'a part of the path is not a folder',
  EPERM: 'operation not permitted',
  EROFS: 'the file system is read-only'
}

/** "no such file or folder (ENOENT)", with the path in front where the error carries one and the caller gave none. */
export function describeSystemError(error: unknown, path?: string): string {
  const { code = '', message, path: ownPath, syscall } = error as NodeJS.ErrnoException
  const words = systemErrors[code] ? `${systemErrors[code]} (${code})` : message
  const place = path ?? ownPath ?? (syscall === 'uv_cwd' ? 'the current folder' : undefined)
  return place === undefined ? words : `${place}: ${words}`
}
