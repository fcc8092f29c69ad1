#!/usr/bin/env node
/**
 * Measures the built packages: `node bench/run.mjs [suite…] [--quick] [--all]`. Prints a table a suite, saves it in results/, brings the tables of
 * README.md up to date and ends with all bars. With --quick there are fewer runs, and nothing is saved. With --all scale/run.mjs follows, which
 * renews docs/performance.md: then every figure of speed is of this run.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { barSummary } from './lib/bars.mjs'
import { describeMachine, machineLine } from './lib/machine.mjs'
import { benchFolder, root } from './lib/paths.mjs'
import { replaceGenerated, resultsAsMarkdown, savedResults, saveResult, writeWhole } from './lib/results.mjs'
import { plainTable, tabulate } from './lib/table.mjs'

const suites = ['parse', 'formats', 'replay', 'predict', 'sweep', 'fleet', 'queue', 'simulate', 'page', 'large']
const built = [
  'core-wasm/dist/index.js',
  'trace-parser/dist/index.js',
  'predictor/dist/index.js',
  'cli/dist/foretrain.js',
  'web/dist/foretrain.html'
]

/**
 * @param {number} code
 * @param {string} message
 */
function fail(code, message) {
  console.error(`bench: ${message}`)
  process.exit(code)
}

const flags = ['--quick', '--all']
const wanted = process.argv.slice(2).filter(argument => !flags.includes(argument))
const quick = process.argv.includes('--quick')
const all = process.argv.includes('--all')
for (const name of wanted) {
  if (!suites.includes(name)) fail(2, `unknown suite "${name}"; there are ${suites.join(', ')}, and ${flags.join(', ')}`)
}
if (all && (quick || wanted.length > 0)) fail(2, '--all is for every suite and for saving: it goes with nothing else')
for (const path of built) {
  if (!existsSync(join(root, 'packages', path))) fail(1, `packages/${path} is missing; build first: npm run build`)
}

const results = join(benchFolder, 'results')
const page = join(benchFolder, 'README.md')
const finished = []
for (const suite of suites.filter(name => wanted.length === 0 || wanted.includes(name))) {
  const machine = describeMachine()
  const { title, run } = await import(`./suites/${suite}.mjs`)
  const { rows, notes } = await run({ quick })
  console.log(`\n${suite}: ${title}\n${machineLine(machine)}\n\n${plainTable(tabulate(rows))}\n\n${notes.join('\n')}`)
  finished.push({ suite, rows })
  if (quick) continue
  mkdirSync(results, { recursive: true })
  saveResult(results, { suite, title, machine, rows, notes })
  writeWhole(page, replaceGenerated(readFileSync(page, 'utf8'), resultsAsMarkdown(savedResults(results, suites))))
}
console.log(`\n${barSummary(finished)}`)
if (all) process.exit(spawnSync(process.execPath, [join(benchFolder, 'scale/run.mjs')], { stdio: 'inherit' }).status ?? 1)
