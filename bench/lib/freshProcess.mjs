import { spawn } from 'node:child_process'
import { root } from './paths.mjs'

/**
 * Runs in the child before its program: at its end it tells descriptor 3 the largest resident memory it ever had, in KiB. Where there is
 * /proc that is taken from there: on Linux the maxRSS of a process begins with what its parent had, and this parent holds a lot.
 */
const reporter = `data:text/javascript,${encodeURIComponent(`
  import { existsSync, readFileSync, writeSync } from 'node:fs'
  import { isMainThread } from 'node:worker_threads'
  const status = '/proc/self/status'
  const peak = () => existsSync(status) && readFileSync(status, 'utf8').match(/VmHWM:\\s*(\\d+) kB/)?.[1]
  if (isMainThread) process.on('exit', () => writeSync(3, String(peak() || process.resourceUsage().maxRSS)))
`)}`

/**
 * Runs Node once from cold and waits for its end: start-up, loading and compiling count.
 *
 * @param {string[]} nodeArguments program and its arguments
 * @returns {Promise<{ seconds: number, peakMB: number, output: string }>} wall time, peak resident memory (10⁶ bytes), standard output
 * @throws when the process fails: a figure of something that did not work is none
 */
export function freshProcess(nodeArguments) {
  return new Promise((resolve, reject) => {
    const begin = performance.now()
    const child = spawn(process.execPath, ['--import', reporter, ...nodeArguments], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe']
    })
    /** @type {string[]} */
    const texts = ['', '', '', '']
    for (const descriptor of [1, 2, 3]) {
      child.stdio[descriptor]?.on('data', chunk => {
        texts[descriptor] += chunk
      })
    }
    let seconds = Number.NaN
    child.on('error', reject)
    child.on('exit', () => {
      seconds = (performance.now() - begin) / 1000
    })
    child.on('close', code => {
      const [, output, errors, kibibytes] = texts
      if (code !== 0) reject(new Error(`node ${nodeArguments.join(' ')} ended with ${code}: ${errors.trim()}`))
      else resolve({ seconds, peakMB: (Number(kibibytes) * 1024) / 1e6, output })
    })
  })
}
