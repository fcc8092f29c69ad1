import { execFileSync } from 'node:child_process'
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
 * @typedef {{ workers: number, steps: number, seed: number }} RivalRun
 * @typedef {{ stepsPerSecond: number, seconds: number, cpuSeconds: number }} RivalResult throughput in simulated time, the first fifth of the
 *   steps left out; real time of the simulation without the reading, and the processor's
 */

/**
 * @param {string} program
 * @param {string} templates path of the job's text
 * @param {Setting} setting
 * @param {RivalRun} run
 */
export function runNative(program, templates, setting, run) {
  return resultOf('native.cpp', execFileSync(program, [templates, ...amountsOf(setting, run)], { encoding: 'utf8' }))
}

/**
 * @param {string} python one that has SimPy
 * @param {'processes' | 'callbacks'} style
 * @param {string} templates path of the job's text
 * @param {Setting} setting
 * @param {RivalRun} run
 */
export function runSimpy(python, style, templates, setting, run) {
  const program = join(benchFolder, 'rivals/simpy_model.py')
  const output = execFileSync(python, [program, templates, ...amountsOf(setting, run), style], { encoding: 'utf8' })
  return resultOf('simpy_model.py', output)
}

/**
 * The rivals' arguments, in bytes and seconds.
 *
 * @param {Setting} setting
 * @param {RivalRun} run
 */
function amountsOf({ goodputBytesPerUs, windowBytes, parsePerByteUs, stepOverheadUs }, { workers, steps, seed }) {
  return [workers, goodputBytesPerUs * 1e6, windowBytes, parsePerByteUs / 1e6, steps, seed, stepOverheadUs / 1e6].map(String)
}

/**
 * @param {string} program
 * @param {string} output
 * @returns {RivalResult}
 */
function resultOf(program, output) {
  const [, throughput, seconds, cpuSeconds] = /^steps\/s (\S+) .*?\bsec (\S+) cpu (\S+) /.exec(output) ?? []
  if (cpuSeconds === undefined) throw new Error(`${program} said "${output.trim()}"`)
  return { stepsPerSecond: Number(throughput), seconds: Number(seconds), cpuSeconds: Number(cpuSeconds) }
}
