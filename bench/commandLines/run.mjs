#!/usr/bin/env node
/**
 * Runs random command lines: `node bench/commandLines/run.mjs [--count 200] [--seed N] [--seconds 20]` in a built checkout. Commands and flags
 * are those of the built command's own help, so that a new flag takes part as soon as it is there. What breaks a promise of attempt.mjs is
 * printed, with exit code 1.
 */
import { parseArgs } from 'node:util'
import { tryCommandLines } from './tryCommandLines.mjs'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string' },
    seconds: { type: 'string', default: '20' }
  }
})
const [count, seed, mostSeconds] = [values.count, values.seed ?? Date.now() % 1_000_000_000, values.seconds].map(Number)
if (!(count > 0) || !Number.isSafeInteger(count) || !Number.isSafeInteger(seed) || !(mostSeconds > 0)) {
  console.error(
    `--count ${values.count} --seed ${values.seed} --seconds ${values.seconds}: expected two integers and a time above 0`
  )
  process.exit(2)
}
console.log(`${count} command lines, seed ${seed}`)
const { codes, broken, slowest } = await tryCommandLines({ count, seed, mostSeconds }, tried => {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${tried} of ${count}`)
})
if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')

for (const { commandLine, faults, errors } of broken) {
  console.log(`\nforetrain ${commandLine.map(word => JSON.stringify(word)).join(' ')}\n  ${faults.join('; ')}`)
  console.log(`  ${JSON.stringify(errors.slice(0, 400))}`)
}
const tally = [...codes].sort(([a], [b]) => Number(a) - Number(b)).map(([code, times]) => `${times} ended with ${code}`)
console.log(`\n${tally.join(', ')}; ${broken.length} broke a promise; the slowest took ${slowest.toFixed(1)} s`)
process.exit(broken.length > 0 ? 1 : 0)
