#!/usr/bin/env node
/**
 * Predicts the published curves of published-curves.json from their first two points and writes the section of docs/accuracy.md between its
 * markers: `node bench/accuracy/published.mjs`. The seed is fixed: the same code gives the same section.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { predictCurve, statedCosts } from './published-curves.mjs'
import { sectionOf } from './published-report.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const page = join(here, '../../docs/accuracy.md')
const [begin, end] = ['<!-- published curves: begin -->', '<!-- published curves: end -->']

/** @type {import('./published-curves.mjs').Published} */
const published = JSON.parse(readFileSync(join(here, 'published-curves.json'), 'utf8'))
const withCosts = []
const linksOnly = []
for (const curve of published.curves) {
  withCosts.push(await predictCurve(published, curve, statedCosts(published)))
  linksOnly.push(await predictCurve(published, curve, undefined))
  console.error(`${curve.gpu} ${curve.model}`)
}
const section = sectionOf(published, withCosts, linksOnly)
const text = readFileSync(page, 'utf8')
const [from, to] = [text.indexOf(begin), text.indexOf(end)]
if (from < 0 || to < from) throw new Error(`${page} lacks ${begin} … ${end}`)
writeFileSync(page, `${text.slice(0, from + begin.length)}\n\n${section}\n\n${text.slice(to)}`)
