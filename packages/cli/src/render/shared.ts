import type { Replay, Warning } from '@foretrain/predictor'
import { oneLine, unprintable } from '@foretrain/predictor/text'
import { type Look, paint } from './look.ts'
import { percent, significant } from './numbers.ts'

/** How well one worker, replayed, meets its own trace. */
export function replayText(replay: Replay): string {
  const { recordedMs, simulatedMs, meanAbsError, worst, pinnedShare } = replay
  return (
    `one worker: recorded ${significant(recordedMs)} ms, simulated ${significant(simulatedMs)} ms a step; ` +
    `error ${percent(meanAbsError)} mean, ${percent(worst)} worst; ${percent(pinnedShare)} of it pinned to recorded times`
  )
}

const mostOfACode = 3

/** One line a warning; '' without any. Of many with the same code, one for every point for instance, the first few and how many follow. */
export function renderWarnings(warnings: Warning[], look: Look): string {
  const codes = [...new Set(warnings.map(({ code }) => code))]
  return codes.map(code => renderCode(code, warnings, look)).join('')
}

function renderCode(code: string, warnings: Warning[], look: Look): string {
  const label = paint(look, 'yellow', `warning ${oneLine(code)}:`)
  const own = warnings.filter(warning => warning.code === code)
  const lines = own.slice(0, mostOfACode).map(({ message, where }) => {
    const place = where === undefined || where === '' ? '' : ` [${oneLine(where)}]`
    return `${label} ${oneLine(message)}${place}\n`
  })
  if (own.length > mostOfACode) lines.push(`${label} and ${own.length - mostOfACode} more; --format json lists all\n`)
  return lines.join('')
}

/** A document as JSON text. What JSON leaves as it is and a terminal may act on is escaped too; newlines between its lines stay. */
export function renderJson(document: unknown): string {
  const lines = JSON.stringify(document, null, 2).split('\n')
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return lines.map(line => `${line.replace(unprintable, escaped)}\n`).join('')
}
