#!/usr/bin/env node
/**
 * How much predictions move when each constant of the model moves by a quarter, up and down: `node bench/accuracy/sensitivity.mjs`. Mean over the
 * points of the measured clusters with more than one worker, same random numbers. Writes the table in docs/method.md between its markers.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defaults, shareDefaults } from '@foretrain/predictor'
import { errorsOf, readCases } from './cases.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const page = join(root, 'docs/method.md')
const [begin, end] = ['<!-- sensitivity: begin -->', '<!-- sensitivity: end -->']
const seed = 1

/** @param {'startWeight' | 'rampUs' | 'spread'} field @param {number} first @param {number} last */
function shareRows(field, first, last) {
  return [...shareDefaults.pull.slice(first, last), ...shareDefaults.push.slice(first, last)].map(row => ({ holder: row, field }))
}
const constant = (/** @type {keyof typeof defaults} */ name) => [{ holder: defaults[name], field: 'value' }]
const parameters = {
  'acknowledgements (ackFraction)': constant('ackFraction'),
  'parse cost (parsePerByteUs)': constant('parsePerByteUs'),
  'parse, fixed (parseFixedUs)': constant('parseFixedUs'),
  'step overhead (stepOverheadUs)': constant('stepOverheadUs'),
  'inline below (epsilonUs)': constant('epsilonUs'),
  'server cores (serverCores)': constant('serverCores'),
  'ramp beside one other': shareRows('rampUs', 0, 1),
  'first share beside two or more': shareRows('startWeight', 1, 3),
  'ramp beside two or more': shareRows('rampUs', 1, 3),
  'spread beside one other': shareRows('spread', 0, 1),
  'spread beside two or more': shareRows('spread', 1, 3)
}

const cases = await readCases(join(root, 'examples'))
const predictions = async () => (await errorsOf(cases, seed)).flatMap(({ points }) => points.map(point => point.predicted))
const base = await predictions()
const rows = ['| constant | × 0.75 | × 1.25 | largest at one point |', '|---|---|---|---|']
for (const [name, places] of Object.entries(parameters)) {
  const moved = []
  for (const factor of [0.75, 1.25]) {
    const kept = places.map(({ holder, field }) => /** @type {any} */ (holder)[field])
    places.forEach(({ holder, field }, i) => {
      const value = kept[i] * factor
      Object.assign(holder, {
        [field]: field === 'startWeight' ? Math.min(1, value) : name.includes('cores') ? Math.round(value) : value
      })
    })
    moved.push((await predictions()).map((value, i) => value / base[i] - 1))
    places.forEach(({ holder, field }, i) => {
      Object.assign(holder, { [field]: kept[i] })
    })
  }
  const mean = moved.map(changes => changes.reduce((sum, change) => sum + change, 0) / changes.length)
  const largest = Math.max(...moved.flat().map(Math.abs))
  const percent = (/** @type {number} */ value) => `${value >= 0 ? '+' : '−'}${Math.abs(100 * value).toFixed(1)} %`
  rows.push(`| ${name} | ${mean.map(percent).join(' | ')} | ${(100 * largest).toFixed(1)} % |`)
  console.log(rows.at(-1))
}
const text = readFileSync(page, 'utf8')
const [from, to] = [text.indexOf(begin), text.indexOf(end)]
if (from < 0 || to < from) throw new Error(`${page} lacks ${begin} … ${end}`)
writeFileSync(page, `${text.slice(0, from + begin.length)}\n\n${rows.join('\n')}\n\n${text.slice(to)}`)
