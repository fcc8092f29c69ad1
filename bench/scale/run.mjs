#!/usr/bin/env node
/**
 * How the cost of a simulation grows with its cluster: `node bench/scale/run.mjs [--quick | --page]`. Measures the default transport at 1 to 100,000
 * workers, each run in a process of its own, saves results/scale.json and renews docs/performance/scale.svg and the generated part of
 * docs/performance.md, with the queues of results/queue.json. With --quick it stops at 1,000 workers and saves nothing;
 * with --page it measures nothing and writes the page of what is saved.
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freshProcess } from '../lib/freshProcess.mjs'
import { interleave } from '../lib/interleave.mjs'
import { describeMachine } from '../lib/machine.mjs'
import { benchFolder, root } from '../lib/paths.mjs'
import { markersOf, replaceGenerated, writeWhole } from '../lib/results.mjs'
import { plainTable } from '../lib/table.mjs'
import { chartOf } from './chart.mjs'
import { fitOf, pointOf, reportOf, scaleTable } from './report.mjs'

/** Worker-steps of a run: thousands, and at least two of every worker. */
const sizes = [
  { workers: 1, steps: 4000 },
  { workers: 10, steps: 4000 },
  { workers: 100, steps: 6000 },
  { workers: 1000, steps: 8000 },
  { workers: 10_000, steps: 30_000 }
]
const rounds = 5
/** Takes as long as all others together: once. */
const largest = { workers: 100_000, steps: 200_000 }

/**
 * @param {{ workers: number, steps: number }} size
 * @returns {Promise<import('./report.mjs').Run>}
 */
async function once({ workers, steps }) {
  const { output, peakMB } = await freshProcess([join(benchFolder, 'lib/simulateOnce.mjs'), String(workers), String(steps)])
  return { ...JSON.parse(output), workers, steps, peakMB }
}

/** @returns {Promise<{ machine: ReturnType<typeof describeMachine>, points: import('./report.mjs').ScalePoint[] }>} */
async function measure() {
  const machine = describeMachine()
  const measured = quick ? sizes.slice(0, 4) : sizes
  const runs = await interleave(Object.fromEntries(measured.map(size => [`${size.workers}`, () => once(size)])), quick ? 1 : rounds)
  const points = measured.map(({ workers }) => pointOf(runs[`${workers}`]))
  if (!quick) points.push(pointOf([await once(largest)]))
  return { machine, points }
}

/** @param {string} path */
function saved(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

/**
 * @param {number} code
 * @param {string} message
 * @returns {never}
 */
function fail(code, message) {
  console.error(`scale: ${message}`)
  process.exit(code)
}

const given = process.argv.slice(2)
const quick = given.includes('--quick')
const pageOnly = given.includes('--page')
if (given.length > 1 || given.some(argument => !['--quick', '--page'].includes(argument)))
  fail(2, 'there is one flag at a time: --quick or --page')
if (!existsSync(join(root, 'packages/predictor/dist/index.js'))) fail(1, 'packages are not built; build first: npm run build')
const results = join(benchFolder, 'results')
const figures = join(results, 'scale.json')
const { machine, points } =
  (pageOnly ? saved(figures) : await measure()) ?? fail(1, 'nothing is saved; run: node bench/scale/run.mjs')
const fit = fitOf(points)
console.log(`\nscale: cost of a worker-step by the number of workers\n\n${plainTable(scaleTable(points))}`)
console.log(`\nfitted exponent of the cost of a worker-step: ${fit.exponent.toFixed(3)}`)
if (!quick) {
  const pictures = join(root, 'docs/performance')
  const page = join(root, 'docs/performance.md')
  mkdirSync(results, { recursive: true })
  mkdirSync(pictures, { recursive: true })
  writeWhole(figures, `${JSON.stringify({ suite: 'scale', machine, points, fit }, null, 2)}\n`)
  writeWhole(join(pictures, 'scale.svg'), chartOf(points, fit))
  const report = reportOf({ machine, points, fit, queue: saved(join(results, 'queue.json')) })
  writeWhole(page, replaceGenerated(readFileSync(page, 'utf8'), report, markersOf('bench/scale/run.mjs')))
}
