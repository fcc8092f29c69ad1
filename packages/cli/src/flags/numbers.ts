import { CommandLineError } from '../errors.ts'
import { quoted } from '../oneLine.ts'

/** Reads a whole number between two bounds, both inclusive. */
export function parseWhole(flag: string, text: string, smallest: number, largest: number): number {
  const value = /^[+-]?[0-9]+$/.test(text.trim()) ? Number(text) : Number.NaN
  if (!(value >= smallest && value <= largest)) {
    throw new CommandLineError(`${flag} ${quoted(text)}: must be a whole number between ${smallest} and ${largest}`)
  }
  return value
}

/** Reads one of a few words. */
export function parseChoice<Word extends string>(flag: string, text: string, words: readonly Word[]): Word {
  const word = words.find(candidate => candidate === text)
  if (word === undefined) throw new CommandLineError(`${flag} ${quoted(text)}: accepted: ${words.join(', ')}`)
  return word
}

/** As many as the predictor takes. */
export const largestCluster = 100_000
const mostPoints = 10_000

/** Reads "8", "1-16", "1,2,4,8" or a mixture into ascending cluster sizes without duplicates. */
export function parseWorkers(flag: string, text: string): number[] {
  const sizes = new Set<number>()
  for (const item of text.split(',')) {
    const [, first, dash, last] = /^ *([0-9]+) *(?:(-) *([0-9]+) *)?$/.exec(item) ?? []
    if (first === undefined) {
      throw new CommandLineError(`${flag} ${quoted(text)}: write cluster sizes such as 8, 1-16 or 1,2,4,8`)
    }
    const from = Number(first)
    const to = dash ? Number(last) : from
    if (from < 1 || to < 1) throw new CommandLineError(`${flag} ${quoted(text)}: a cluster has at least 1 worker`)
    if (from > to)
      throw new CommandLineError(`${flag} ${quoted(text)}: the range ${first}-${last} is reversed; write ${to}-${from}`)
    if (to > largestCluster) throw new CommandLineError(`${flag} ${quoted(text)}: at most ${largestCluster} workers`)
    for (let workers = from; workers <= to; workers += 1) {
      sizes.add(workers)
      if (sizes.size > mostPoints)
        throw new CommandLineError(`${flag} ${quoted(text)}: at most ${mostPoints} cluster sizes at once`)
    }
  }
  return [...sizes].sort((a, b) => a - b)
}
