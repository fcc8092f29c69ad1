import type { Replay, Warning } from '@foretrain/predictor'
import { oneLine } from '../oneLine.ts'
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

/** One line a warning; '' without any. */
export function renderWarnings(warnings: Warning[], look: Look): string {
  return warnings
    .map(({ code, message, count, where }) => {
      const times = count !== undefined && count > 1 ? ` (${count} times)` : ''
      const place = where === undefined || where === '' ? '' : ` [${oneLine(where)}]`
      return `${paint(look, 'yellow', `warning ${oneLine(code)}:`)} ${oneLine(message)}${times}${place}\n`
    })
    .join('')
}

/** A document as JSON text. DEL and the C1 controls, which JSON leaves as they are, could drive a terminal: they are escaped too. */
export function renderJson(document: unknown): string {
  const text = JSON.stringify(document, null, 2)
  return `${text.replace(/[\u007f-\u009f]/g, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`
}
