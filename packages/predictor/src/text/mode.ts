import { type Question, QuestionError } from '../question.ts'
import { quoted } from './oneLine.ts'

/** As `Question.mode` takes it. */
export type Mode = NonNullable<Question['mode']>

/** How modes are written, for help and errors; N stands for a whole number. */
export const modes = ['async', 'sync', 'sync:backup=N', 'ssp:N', 'ssp:inf'] as const
const mostStaleness = 1_000_000

/**
 * Reads how workers wait for each other. `sizes` are the clusters asked for: each must have a worker that is no backup.
 *
 * @throws QuestionError of one line that begins with the flag
 */
export function parseMode(text: string, sizes: readonly number[]): Mode {
  const match = /^(?:async|sync|ssp:inf|sync:backup=([0-9]+)|ssp:([0-9]+))$/.exec(text)
  if (match === null) throw new QuestionError(`--mode ${quoted(text)}: accepted: ${modes.join(', ')}, with N a whole number`)
  const [, backup, staleness] = match
  if (staleness !== undefined && Number(staleness) > mostStaleness)
    throw new QuestionError(`--mode ${quoted(text)}: at most ${mostStaleness} steps, or ssp:inf`)
  const fewest = Math.min(...sizes)
  if (backup !== undefined && Number(backup) >= fewest) {
    const workers = fewest === 1 ? '1 worker' : `${fewest} workers`
    throw new QuestionError(`--mode ${quoted(text)}: leaves nobody of ${workers}: fewer backups, or larger clusters in --workers`)
  }
  return text as Mode
}

/**
 * Reads "p=0.05,factor=3".
 *
 * @throws QuestionError of one line that begins with the flag
 */
export function parseStraggler(text: string): NonNullable<Question['straggler']> {
  const number = '([0-9]+\\.?[0-9]*|\\.[0-9]+)'
  const [, probability, factor] = new RegExp(`^p=${number}, ?factor=${number}$`).exec(text.trim()) ?? []
  if (probability === undefined || factor === undefined)
    throw new QuestionError(
      `--straggler ${quoted(text)}: write p=0.05,factor=3 for one step in twenty that takes three times as long`
    )
  if (Number(probability) > 1) throw new QuestionError(`--straggler ${quoted(text)}: p must be between 0 and 1`)
  if (!(Number(factor) >= 1 && Number(factor) <= 1e6))
    throw new QuestionError(`--straggler ${quoted(text)}: factor must be between 1 and 1000000`)
  return { probability: Number(probability), factor: Number(factor) }
}
