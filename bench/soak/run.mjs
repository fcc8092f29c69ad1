#!/usr/bin/env node
/**
 * Sweeps in one process, one after the other, for long: `node bench/soak/run.mjs [--minutes 20]` in a built checkout. Every sweep is of its own
 * seed, sizes, bandwidths and policies, and set up anew. Memory is looked at after each, with all that is no longer used collected; at the end it
 * is to be where it was when the code was warm. Exit code 1 when it is not.
 */
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { inThisThread } from '@foretrain/sweep/local'
import { readProfile } from '@foretrain/trace-parser'
import { root } from '../lib/paths.mjs'
import { median } from '../lib/statistics.mjs'

/** Growth of the median of the last third over that of the second: above this it is a leak. */
const mostGrowth = 1.1
/** @type {import('@foretrain/predictor').PolicyName[]} */
const policies = ['recorded', 'random', 'fifo', 'tic', 'tac', 'priority']
const points = 40
const runs = { replications: 2, steps: 20 }

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '20' } } })
const minutes = Number(values.minutes)
if (!(minutes > 0)) {
  console.error(`--minutes ${values.minutes}: expected a positive number`)
  process.exit(2)
}
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')

const cases = readdirSync(join(root, 'examples')).filter(name => /-\d+(-|$)/.test(name))
const profiles = []
for (const name of cases) profiles.push((await readProfile(tracesOf(name))).profile)

const started = Date.now()
/** @type {{ rss: number, used: number }[]} */
const memory = []
let sweeps = 0
let simulatedSeconds = 0
while (Date.now() - started < minutes * 60_000) {
  const profile = profiles[sweeps % profiles.length]
  const axes = {
    workers: [1 + (sweeps % 7), 8 + (sweeps % 23)],
    bandwidthBitsPerSecond: [1e8 * (1 + (sweeps % 31)), 1e9 * (1 + (sweeps % 11))],
    policy: policies.slice(sweeps % 2, 5 + (sweeps % 2)),
    computeSpeed: [1, 1 + (sweeps % 13) / 10]
  }
  const sweep = await inThisThread(profile, { common: { seed: sweeps + 1, tracedBandwidthBitsPerSecond: 1e9, fixed: runs }, axes })
  for (const row of await sweep.run({ from: 0, to: points })) {
    if (row.steps_per_second === null) throw new Error(`sweep ${sweeps}, point ${row.point}: ${row.error}`)
    simulatedSeconds += (runs.replications * row.workers * runs.steps * 1.2) / row.steps_per_second
  }
  await sweep.close()
  sweeps += 1
  collect()
  const { rss, heapUsed, arrayBuffers, external } = process.memoryUsage()
  memory.push({ rss, used: heapUsed + arrayBuffers + external })
  if (process.stderr.isTTY) process.stderr.write(`\r${sweeps} sweeps, ${(rss / 1e6).toFixed(0)} MB`)
}
if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')

const third = Math.floor(memory.length / 3)
const medianOf = (/** @type {number} */ from, /** @type {number} */ to, /** @type {'used' | 'rss'} */ name) =>
  median(memory.slice(from, to).map(one => one[name]))
const figures = /** @type {const} */ (['used', 'rss']).map(name => {
  const [before, after] = [medianOf(third, 2 * third, name), medianOf(2 * third, memory.length, name)]
  return { name, before, after, growth: after / before }
})
const days = simulatedSeconds / 86_400
console.log(
  `${sweeps.toLocaleString('en')} sweeps, ${(sweeps * points).toLocaleString('en')} points, ${days.toFixed(0)} days of simulated training in ${minutes} minutes`
)
for (const { name, before, after, growth } of figures) {
  const what = name === 'used' ? 'in use' : 'resident'
  console.log(`memory ${what}: ${mb(before)} in the second third, ${mb(after)} in the last: ${growth.toFixed(3)} ×`)
}
const grown = third === 0 || figures.some(({ growth }) => growth > mostGrowth)
if (grown) console.error(third === 0 ? 'too few sweeps to tell: more minutes' : 'memory grows')
process.exit(grown ? 1 : 0)

/** @param {string} name of a measured cluster */
function tracesOf(name) {
  const folder = join(root, 'examples', name, 'trace')
  return readdirSync(folder)
    .sort()
    .map(file => ({ name: file, bytes: bytesOf(join(folder, file)) }))
}

/** @param {string} path */
async function* bytesOf(path) {
  yield await readFile(path)
}

/** @param {number} bytes */
function mb(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
