/** The measured clusters, read once, and their validation with whatever constants are set at the moment. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaults, readCase, validate } from '@foretrain/predictor'
import { readProfile } from '@foretrain/trace-parser'

/** @param {string} path */
async function* bytesOf(path) {
  yield new Uint8Array(readFileSync(path))
}

/** @param {string} examples folder of case folders */
export async function readCases(examples) {
  const cases = []
  for (const name of readdirSync(examples).sort()) {
    const folder = join(examples, name)
    if (!existsSync(join(folder, 'case.json'))) continue
    const measured = readCase(readFileSync(join(folder, 'case.json'), 'utf8'), name)
    if (measured.mode !== 'async') continue
    const traces = readdirSync(join(folder, 'trace')).sort()
    const files = traces.map(file => ({ name: file, bytes: bytesOf(join(folder, 'trace', file)) }))
    cases.push({ case: measured, profile: (await readProfile(files)).profile })
  }
  return cases
}

/**
 * Errors of the points with more than one worker, by case.
 *
 * @param {Awaited<ReturnType<typeof readCases>>} cases
 * @param {number} seed
 */
export async function errorsOf(cases, seed) {
  const { cases: results } = await validate(cases, { seed })
  return results.map(({ name, points }) => ({
    name,
    points: points
      .filter(point => point.workers > 1)
      .map(({ workers, predicted, error, outside }) => ({ workers, predicted, error, outside }))
  }))
}

/**
 * Relative standard deviation of each measurement with more than one worker: that of its own interval and that from run to run.
 *
 * @param {import('@foretrain/predictor').Case} measured
 */
export function noiseOf(measured) {
  return measured.measurements
    .filter(({ workers }) => workers > 1)
    .map(({ stepsPerSecond, ci95: [low, high] }) =>
      Math.hypot((high - low) / 2 / 1.96 / stepsPerSecond, defaults.runToRunShare.value)
    )
}
