#!/usr/bin/env node
/**
 * The constants that the measured clusters had a say in, refitted with each cluster left out: `node bench/accuracy/leave-one-out.mjs` (minutes).
 *
 * The rows of the share tables come from raw TCP flows (bench/transport). Two factors on them, one on the ramps and one on the spreads beside two
 * or more others, were chosen by raw flows and the clusters in examples/ together (refit.mjs). Every combination is tried; the best over all clusters
 * must be 1 and 1 (a test asserts it), and the best over all but one cluster says what the error on a cluster is that had no say. Writes
 * leave-one-out.json and the section of docs/accuracy.md between its markers.
 */
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { shareDefaults } from '@foretrain/predictor'
import { rawMisfit } from '../transport/experiment.mjs'
import { errorsOf, noiseOf, readCases } from './cases.mjs'
import { writeSection } from './page.mjs'
import { summarise, tableOf } from './refit.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const rampFactors = [0.65, 0.8, 1, 1.25, 1.6]
const spreadFactors = [0.7, 1, 1.4]
const seeds = [1, 2, 3]

/** Measured after the constants were settled. */
const hadNoSay = ['inceptionv3-500']

const cases = (await readCases(join(here, '../../examples'))).filter(one => !hadNoSay.includes(one.case.name))
const rows = [...shareDefaults.pull.slice(1), ...shareDefaults.push.slice(1)]
const committed = rows.map(row => ({ ...row }))
const variants = []
for (const ramp of rampFactors) {
  for (const spread of spreadFactors) {
    rows.forEach((row, i) => {
      Object.assign(row, { rampUs: ramp * committed[i].rampUs, spread: Math.min(0.95, spread * committed[i].spread) })
    })
    const errors = []
    for (const seed of seeds) errors.push(await errorsOf(cases, seed))
    variants.push({
      ramp,
      spread,
      raw: rawMisfit(),
      cases: errors[0].map(({ name, points }, c) => ({
        name,
        noise: noiseOf(cases[c].case),
        errors: points.map((_, p) => errors.map(ofSeed => ofSeed[c].points[p].error)),
        outside: points.map((_, p) => errors.map(ofSeed => ofSeed[c].points[p].outside))
      }))
    })
    console.log(`ramp × ${ramp}, spread × ${spread}: mean error ${percent(summarise(variants).perVariant.at(-1).meanAbsError)}`)
  }
}
const { best, perVariant, leftOut, meanAbsError, maxOutside } = summarise(variants)
for (const one of perVariant)
  console.log(
    `ramp × ${one.ramp}, spread × ${one.spread}: misfit ${one.misfit.toFixed(1)}, mean error ${percent(one.meanAbsError)}`
  )
console.log(`best over all clusters: ramp × ${best.ramp}, spread × ${best.spread}`)
for (const one of leftOut)
  console.log(
    `without ${one.name}: ramp × ${one.ramp}, spread × ${one.spread}; its error ${percent(one.meanAbsError)}, outside ${percent(one.maxOutside)} at most`
  )
console.log(`leave-one-out: mean error ${percent(meanAbsError)}, outside ${percent(maxOutside)} at most`)
writeFileSync(
  join(here, 'leave-one-out.json'),
  `${JSON.stringify({ shares: { pull: shareRows('pull'), push: shareRows('push') }, seeds, variants }, null, 1)}\n`
)
writeSection('leave one out', tableOf(variants))

/** @param {number} share */
function percent(share) {
  return `${(100 * share).toFixed(2)} %`
}

/** The rows that were refitted, as committed: results of other rows are stale. @param {'pull' | 'push'} direction */
function shareRows(direction) {
  const first = direction === 'pull' ? 0 : 2
  return committed.slice(first, first + 2)
}
