#!/usr/bin/env node
/**
 * Fuzzes every importer of the built trace parser: `node bench/fuzz/run.mjs [--minutes 10] [--seed N]` in a built checkout. One worker thread
 * tries inputs that fast-check makes of real traces (seeds.mjs, plan.mjs) and holds each to what attempt.mjs says; this one watches over time
 * and memory. What breaks is shrunk, saved below node_modules/.cache and printed, with exit code 1.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../lib/paths.mjs'
import { fuzz } from './fuzz.mjs'
import { makeInput } from './plan.mjs'
import { makeSeeds } from './seeds.mjs'

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string' } } })
const minutes = Number(values.minutes)
const seed = values.seed === undefined ? Date.now() % 1_000_000_000 : Number(values.seed)
if (!(minutes > 0) || !Number.isSafeInteger(seed)) {
  console.error(`--minutes ${values.minutes} --seed ${values.seed}: expected a positive number and an integer`)
  process.exit(2)
}
console.log(`fuzzing for ${minutes} minutes, seed ${seed}`)
const { tallies, findings, peakMemoryBytes } = await fuzz({ minutes, seed, progress: show })
if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')

console.log(
  `\n${'seed'.padEnd(36)}${['tried', 'imported', 'refused', 'ways', 'worst ms/MB'].map(head => head.padStart(13)).join('')}`
)
let total = 0
for (const [name, { tried, imported, refused, slowestMsPerMegabyte }] of [...tallies].sort()) {
  total += tried
  const figures = [tried, imported, tried - imported, refused.size, Math.round(slowestMsPerMegabyte)]
  console.log(name.padEnd(36) + figures.map(figure => figure.toLocaleString('en').padStart(13)).join(''))
}
console.log(
  `\n${total.toLocaleString('en')} inputs, ${findings.length} findings, peak memory ${(peakMemoryBytes / 1e6).toFixed(0)} MB`
)

const folder = join(root, 'node_modules/.cache/foretrain-bench/fuzz')
const seeds = findings.length > 0 ? await makeSeeds() : {}
for (const { plan, message } of findings) {
  console.log(`\n${message}\n${JSON.stringify(plan)}`)
  if (plan === undefined) continue
  const { bytes } = makeInput(plan, seeds)
  mkdirSync(folder, { recursive: true })
  const path = join(folder, createHash('sha256').update(bytes).digest('hex').slice(0, 16))
  writeFileSync(path, bytes)
  console.log(`saved as ${path}`)
}
process.exit(findings.length > 0 ? 1 : 0)

/** @param {import('./fuzz.mjs').Outcome} outcome */
function show(outcome) {
  if (!process.stderr.isTTY) return
  const tried = [...outcome.tallies.values()].reduce((sum, tally) => sum + tally.tried, 0)
  process.stderr.write(`\r${tried.toLocaleString('en')} inputs, ${outcome.findings.length} findings`)
}
