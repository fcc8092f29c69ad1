import { mostWorkers } from '../checks.ts'
import { QuestionError } from '../question.ts'
import { quoted } from './oneLine.ts'

/**
 * Reads a whole number between two bounds, both inclusive.
 *
 * @throws QuestionError of one line that begins with the flag
 */
export function parseWhole(flag: string, text: string, smallest: number, largest: number): number {
  const value = /^[+-]?[0-9]+$/.test(text.trim()) ? Number(text) : Number.NaN
  if (!(value >= smallest && value <= largest)) {
    throw new QuestionError(`${flag} ${quoted(text)}: must be a whole number between ${smallest} and ${largest}`)
  }
  return value
}

/**
 * Reads a number without a unit between two bounds, both inclusive.
 *
 * @throws QuestionError of one line that begins with the flag
 */
export function parseFactor(flag: string, text: string, smallest: number, largest: number): number {
  const value = /^([0-9]+\.?[0-9]*|\.[0-9]+)$/.test(text.trim()) ? Number(text) : Number.NaN
  if (!(value >= smallest && value <= largest)) {
    throw new QuestionError(`${flag} ${quoted(text)}: must be a number between ${smallest} and ${largest}, such as 1.5`)
  }
  return value
}

/**
 * Reads one of a few words.
 *
 * @throws QuestionError of one line that begins with the flag
 */
export function parseChoice<Word extends string>(flag: string, text: string, words: readonly Word[]): Word {
  const word = words.find(candidate => candidate === text)
  if (word === undefined) throw new QuestionError(`${flag} ${quoted(text)}: accepted: ${words.join(', ')}`)
  return word
}

const mostPoints = 10_000

/** What a list of numbers is of, and its bounds. */
export interface Numbers {
  /** What to write: "cluster sizes such as 8, 1-16 or 1,2,4,8". */
  what: string
  /** One of them: "worker". */
  one: string
  largest: number
}

/**
 * Reads "8", "1-16", "1,2,4,8" or a mixture into ascending numbers without duplicates.
 *
 * @throws QuestionError of one line that begins with the flag
 */
export function parseNumbers(flag: string, text: string, { what, one, largest }: Numbers): number[] {
  const numbers = new Set<number>()
  for (const item of text.split(',')) {
    const [, first, dash, last] = /^ *([0-9]+) *(?:(-) *([0-9]+) *)?$/.exec(item) ?? []
    if (first === undefined) {
      throw new QuestionError(`${flag} ${quoted(text)}: write ${what}`)
    }
    const from = Number(first)
    const to = dash ? Number(last) : from
    if (from < 1 || to < 1) throw new QuestionError(`${flag} ${quoted(text)}: a cluster has at least 1 ${one}`)
    if (from > to) throw new QuestionError(`${flag} ${quoted(text)}: the range ${first}-${last} is reversed; write ${to}-${from}`)
    if (to > largest) throw new QuestionError(`${flag} ${quoted(text)}: at most ${largest} ${one}s`)
    for (let number = from; number <= to; number++) {
      numbers.add(number)
      if (numbers.size > mostPoints) throw new QuestionError(`${flag} ${quoted(text)}: at most ${mostPoints} cluster sizes at once`)
    }
  }
  return [...numbers].sort((a, b) => a - b)
}

/**
 * Reads cluster sizes.
 *
 * @throws QuestionError of one line that begins with the flag
 */
export function parseWorkers(flag: string, text: string): number[] {
  return parseNumbers(flag, text, { what: 'cluster sizes such as 8, 1-16 or 1,2,4,8', one: 'worker', largest: mostWorkers })
}
