#!/usr/bin/env node
/**
 * Predicts the published curves of published-curves.json from their first two points and writes the section of docs/accuracy.md between its
 * markers: `node bench/accuracy/published.mjs`. The seed is fixed: the same code gives the same section.
 */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeSection } from './page.mjs'
import { predictCurve, statedCosts } from './published-curves.mjs'
import { sectionOf } from './published-report.mjs'

const here = dirname(fileURLToPath(import.meta.url))

/** @type {import('./published-curves.mjs').Published} */
const published = JSON.parse(readFileSync(join(here, 'published-curves.json'), 'utf8'))
const withCosts = []
const linksOnly = []
for (const curve of published.curves) {
  withCosts.push(await predictCurve(published, curve, statedCosts(published)))
  linksOnly.push(await predictCurve(published, curve, undefined))
  console.error(`${curve.gpu} ${curve.model}`)
}
writeSection('published curves', sectionOf(published, withCosts, linksOnly))
