import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { benchFolder } from './paths.mjs'

/**
 * What the rivals simulate: one server, links shared equally, one window for all turns, a parse cost by the byte, no latency.
 *
 * @typedef {object} Setting
 * @property {number} goodputBytesPerUs of every host, each direction
 * @property {number} windowBytes
 * @property {number} parsePerByteUs
 * @property {number} stepOverheadUs
 */

/**
 * Compiles the model in C++.
 *
 * @param {string} folder
 * @param {string} [optimisation]
 * @returns {string} the program
 */
export function buildNative(folder, optimisation = '-O3') {
  const program = join(folder, 'native')
  execFileSync('g++', ['-std=c++17', optimisation, '-march=native', '-o', program, join(benchFolder, 'rivals/native.cpp')])
  return program
}

/**
 * @param {string} program
 * @param {string} templates path of the job's text
 * @param {Setting} setting
 * @param {{ workers: number, steps: number, seed: number }} run
 * @returns {{ stepsPerSecond: number, seconds: number }} throughput in simulated time; real time of the simulation without the reading
 */
export function runNative(program, templates, setting, { workers, steps, seed }) {
  const { goodputBytesPerUs, windowBytes, parsePerByteUs, stepOverheadUs } = setting
  const amounts = [workers, goodputBytesPerUs * 1e6, windowBytes, parsePerByteUs / 1e6, steps, seed, stepOverheadUs / 1e6]
  const output = execFileSync(program, [templates, ...amounts.map(String)], { encoding: 'utf8' })
  const [, throughput, seconds] = /^steps\/s (\S+) .* sec (\S+) /.exec(output) ?? []
  if (seconds === undefined) throw new Error(`native.cpp said "${output.trim()}"`)
  return { stepsPerSecond: Number(throughput), seconds: Number(seconds) }
}

/** SimPy's version; undefined where python3 does not have it. */
export function simpyVersion() {
  const { status, stdout } = spawnSync('python3', ['-c', 'import simpy; print(simpy.__version__)'], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/**
 * @param {string} templates
 * @param {Setting} setting
 * @param {{ workers: number, steps: number }} run
 * @returns {number} worker-steps simulated in a second of real time
 */
export function runSimpy(templates, { goodputBytesPerUs }, { workers, steps }) {
  const program = join(benchFolder, 'rivals/simpy_model.py')
  const output = execFileSync('python3', [program, templates, workers, goodputBytesPerUs * 1e6, steps].map(String), {
    encoding: 'utf8'
  })
  const rate = /: (\d+) worker-steps\/s/.exec(output)?.[1]
  if (rate === undefined) throw new Error(`simpy_model.py said "${output.trim()}"`)
  return Number(rate)
}
