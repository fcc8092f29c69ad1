import type { Replay, Warning } from '@foretrain/predictor'
import { oneLine } from '@foretrain/predictor/text'
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
