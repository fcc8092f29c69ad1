import { oneLine } from '@foretrain/predictor/text'
import { problem } from '../state.ts'

/** Long enough to finish a word in a field. */
const typingMs = 600

/** Errors whose one line is for the visitor; any other is a bug. */
const known = new Set(['TraceError', 'QuestionError', 'CaseError', 'FilesError', 'LinkError', 'ExportError'])

let later: ReturnType<typeof setTimeout> | undefined

export function clearProblem(): void {
  clearTimeout(later)
  problem.value = undefined
}

export function fail(error: unknown): void {
  clearTimeout(later)
  problem.value = lineOf(error)
}

/** Of a field that is being typed into: half a word is no mistake yet. */
export function failLater(error: unknown): void {
  clearTimeout(later)
  later = setTimeout(() => fail(error), problem.value === undefined ? typingMs : 0)
}

function lineOf(error: unknown): string {
  const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) }
  return known.has(name)
    ? oneLine(message)
    : `bug: ${oneLine(message)} (please report it with what you did and, if you can, the trace)`
}
