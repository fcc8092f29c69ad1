import { loadCore, loadPortableCore, Simulation } from '@foretrain/core-wasm'
import { clusterOf, predict, roughCycleUs, setUp } from '@foretrain/predictor'
import { cpuTimeOf } from '../lib/cpuTime.mjs'
import { interleave } from '../lib/interleave.mjs'
import { resnet } from '../lib/paths.mjs'
import { resnetProfile } from '../lib/resnetJob.mjs'
import { rowOf } from '../lib/row.mjs'
import { median } from '../lib/statistics.mjs'

export const title = 'many points of one profile'

const bandwidths = [2.5e8, 5e8, 1e9, 1e10]
const traced = { tracedBandwidthBitsPerSecond: 1e9 }
const workers = Array.from({ length: 16 }, (_, i) => i + 1)
const fixed = { replications: 1, steps: 8 }
const points = bandwidths.length * workers.length
const emptyCalls = 10_000

/** @param {{ quick: boolean }} options */
export async function run({ quick }) {
  const profile = await resnetProfile()
  const cores = { wasm: await loadCore(), javascript: await loadPortableCore() }
  const sets = bandwidths.map(bandwidthBitsPerSecond => setUp(cores.wasm, { profile, workers, bandwidthBitsPerSecond, ...traced }))
  const simulated = { wasm: () => simulateAll(cores.wasm, sets), javascript: () => simulateAll(cores.javascript, sets) }
  if (simulated.wasm() !== simulated.javascript()) throw new Error('WebAssembly and JavaScript differ')
  const results = await interleave(
    {
      'empty call': () => cpuTimeOf(repeatEmptyCall),
      'setting up': () => cpuTimeOf(() => void setUp(cores.wasm, { profile, workers: [1], ...traced })),
      wasm: () => cpuTimeOf(() => void simulated.wasm()),
      javascript: () => cpuTimeOf(() => void simulated.javascript()),
      predict: () => cpuTimeOf(() => predictAll(profile))
    },
    quick ? 1 : 3
  )
  const seconds = (/** @type {string} */ name) => results[name].map(result => result.seconds)
  const rate = (/** @type {string} */ name) => seconds(name).map(each => points / each)
  return {
    rows: [
      rowOf(
        'empty call',
        'µs',
        seconds('empty call').map(each => (each / emptyCalls) * 1e6)
      ),
      rowOf(
        'setting up one bandwidth',
        'ms',
        seconds('setting up').map(each => each * 1e3)
      ),
      rowOf('WebAssembly, simulations alone', 'points/s', rate('wasm')),
      rowOf('JavaScript, simulations alone', 'points/s', rate('javascript')),
      rowOf('WebAssembly : JavaScript', '×', [median(rate('wasm')) / median(rate('javascript'))]),
      rowOf('predict(), WebAssembly', 'points/s', rate('predict'))
    ],
    notes: [
      `${resnet}, 1 to ${workers.length} workers at ${bandwidths.map(bits => bits / 1e9).join(', ')} Gbit/s: ${points} points of one replication, ${fixed.steps} measured steps a worker and a fifth as many before them. Default transport, one thread, processor time.`,
      'Setting up: compiling and calibrating, which a prediction does once; predict() does it four times here, the simulations alone are without it.',
      'predict() also simulates each point with every resource raised in turn, for the bottleneck, and with equal sharing, and finds bounds and intervals.'
    ]
  }
}

async function repeatEmptyCall() {
  for (let i = 0; i < emptyCalls; i++) await empty()
}

async function empty() {}

/** @param {import('@foretrain/trace-parser').Profile} profile */
async function predictAll(profile) {
  for (const bandwidthBitsPerSecond of bandwidths) await predict({ profile, workers, bandwidthBitsPerSecond, ...traced, fixed })
}

/**
 * Replications of every point.
 *
 * @param {import('@foretrain/core-wasm').Core} core
 * @param {readonly import('@foretrain/predictor').SetUp[]} sets
 * @returns {number} the sum of simulated times, µs
 */
function simulateAll(core, sets) {
  let sumUs = 0
  for (const set of sets) {
    for (const count of workers) {
      const cluster = clusterOf(set, count)
      for (let replication = 0; replication < fixed.replications; replication++) {
        const simulation = new Simulation(core, set.job, cluster, { seed: 1, replication, phaseSpanUs: roughCycleUs(set, count) })
        simulation.run(count * (fixed.steps + Math.ceil(fixed.steps / 5)))
        sumUs += simulation.timeUs
        simulation.free()
      }
    }
  }
  return sumUs
}
