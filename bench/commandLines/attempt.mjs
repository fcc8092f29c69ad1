import { spawn } from 'node:child_process'
import { command } from '../lib/paths.mjs'
import { contents, damage, tidyUp } from './folder.mjs'

/** Commands that go on until a signal ends them: they are given so long to say what is wrong with their flags. */
const endless = { commands: ['serve', 'work'], flag: '--redis', afterMs: 3000 }

/**
 * @typedef {object} Ended
 * @property {number | null} code
 * @property {NodeJS.Signals | null} signal
 * @property {boolean} interrupted by us
 * @property {string} errors
 * @property {number} seconds
 */

/**
 * Runs one command line and holds it to what is promised of any: it ends, soon, with an exit code that is no bug's, one line says what is
 * wrong, and no file is damaged.
 *
 * @param {string[]} commandLine @param {string} folder filled by fillFolder @param {number} mostSeconds
 * @returns {Promise<{ code: number | null, faults: string[], errors: string, seconds: number }>}
 */
export async function attempt(commandLine, folder, mostSeconds) {
  const before = contents(folder)
  const ended = await run(commandLine, folder, mostSeconds)
  const faults = [...faultsOf(ended, mostSeconds), ...damage(folder, before)]
  tidyUp(folder)
  return { code: ended.code, faults, errors: ended.errors, seconds: ended.seconds }
}

/** @param {string[]} commandLine @param {string} folder @param {number} mostSeconds @returns {Promise<Ended>} */
function run(commandLine, folder, mostSeconds) {
  return new Promise((resolve, reject) => {
    const startMs = performance.now()
    const child = spawn(process.execPath, [command, ...commandLine], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
    let errors = ''
    let interrupted = false
    child.stderr.on('data', chunk => {
      errors += chunk
    })
    const isEndless = endless.commands.includes(commandLine[0]) || commandLine.some(word => word.startsWith(endless.flag))
    const interrupting = setTimeout(
      () => {
        interrupted = child.kill('SIGINT')
      },
      isEndless ? endless.afterMs : mostSeconds * 1000
    )
    const killing = setTimeout(() => child.kill('SIGKILL'), (mostSeconds + 5) * 1000)
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearTimeout(interrupting)
      clearTimeout(killing)
      resolve({ code, signal, interrupted: interrupted && isEndless, errors, seconds: (performance.now() - startMs) / 1000 })
    })
  })
}

/** @param {Ended} ended @param {number} mostSeconds @returns {string[]} */
export function faultsOf({ code, signal, interrupted, errors, seconds }, mostSeconds) {
  const faults = []
  const lines = errors.split('\n').filter(line => line !== '')
  const own = lines.filter(line => line.startsWith('foretrain: '))
  // Beside the error there may be notes and warnings, a line each; a sweep over Redis and a worker tell how it stands with theirs.
  const others = lines.filter(line => !/^(foretrain: |note: |warning [a-z-]+: |timeline: )/.test(line))
  const isRight = code !== null && (interrupted ? [0, 1, 2, 130] : [0, 1, 2, 4]).includes(code)
  if (!isRight) faults.push(`ended with ${signal ?? code}`)
  if (seconds > mostSeconds) faults.push(`took ${seconds.toFixed(1)} s`)
  if (!interrupted && code !== 0 && own.length !== 1) faults.push(`${own.length} lines of error`)
  if (others.length > 0) faults.push(`says ${JSON.stringify(others[0])}`)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not reach a terminal is looked for
  if (/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.test(errors)) faults.push('prints control characters')
  return faults
}
