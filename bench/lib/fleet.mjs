import { spawn, spawnSync } from 'node:child_process'
import { command } from './paths.mjs'

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

/** Whether the machine has what a fleet needs. */
export function hasRedis() {
  return spawnSync('redis-server', ['--version']).status === 0
}

/**
 * A Redis that keeps nothing, and workers of one thread each, for as long as something is done with them.
 *
 * @template T
 * @param {number} workers
 * @param {(url: string) => Promise<T>} use
 */
export async function withFleet(workers, use) {
  const port = 20_000 + (process.pid % 20_000)
  const url = `redis://127.0.0.1:${port}`
  const redis = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'])
  const children = [redis]
  try {
    await saying(redis, 'stdout', /Ready to accept connections/)
    for (let worker = 0; worker < workers; worker++) {
      const child = spawn(process.execPath, [command, 'work', '--redis', url, '--jobs', '1'])
      children.push(child)
      await saying(child, 'stderr', /works on/)
    }
    return await use(url)
  } finally {
    for (const child of children.reverse()) child.kill('SIGKILL')
  }
}

/**
 * @param {ChildProcess} child
 * @param {'stdout' | 'stderr'} channel
 * @param {RegExp} words
 * @returns {Promise<void>} when it has said so
 */
function saying(child, channel, words) {
  let text = ''
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', code => reject(new Error(`${child.spawnfile} ended with ${code}: ${text.trim()}`)))
    child[channel]?.on('data', chunk => {
      text += chunk
      if (words.test(text)) resolve()
    })
  })
}
