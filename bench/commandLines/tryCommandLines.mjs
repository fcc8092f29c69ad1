import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { command } from '../lib/paths.mjs'
import { withTemporaryFolder } from '../lib/temporaryFolder.mjs'
import { attempt } from './attempt.mjs'
import { fillFolder } from './folder.mjs'
import { commandLines } from './generate.mjs'
import { commandNames, parseHelp } from './help.mjs'

/**
 * @typedef {object} Broken
 * @property {string[]} commandLine
 * @property {string[]} faults
 * @property {string} errors
 */

/** What the help of the built command says that it takes. */
export function readGrammar() {
  const help = (/** @type {string[]} */ ...words) =>
    execFileSync(process.execPath, [command, ...words, '--help'], { encoding: 'utf8' })
  return commandNames(help()).map(name => parseHelp(help(name)))
}

/**
 * Runs random command lines one after the other in a folder of their own.
 *
 * @param {{ count: number, seed: number, mostSeconds: number }} options
 * @param {(tried: number) => void} [progress]
 * @returns {Promise<{ codes: Map<number | null, number>, broken: Broken[], slowest: number }>} how many ended with which exit code; `slowest` in seconds
 */
export function tryCommandLines({ count, seed, mostSeconds }, progress) {
  return withTemporaryFolder(async folder => {
    fillFolder(folder)
    const codes = new Map()
    const broken = []
    let slowest = 0
    for (const [tried, commandLine] of fc.sample(commandLines(readGrammar()), { numRuns: count, seed }).entries()) {
      const { code, faults, errors, seconds } = await attempt(commandLine, folder, mostSeconds)
      codes.set(code, (codes.get(code) ?? 0) + 1)
      slowest = Math.max(slowest, seconds)
      if (faults.length > 0) broken.push({ commandLine, faults, errors })
      progress?.(tried + 1)
    }
    return { codes, broken, slowest }
  })
}
