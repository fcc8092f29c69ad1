import { loadCore, Simulation } from '@foretrain/core-wasm'
import { clusterOf, roughCycleUs } from '@foretrain/predictor'
import { cpuTimeOf } from '../lib/cpuTime.mjs'
import { interleave } from '../lib/interleave.mjs'
import { compileQueue, newQueue, queueTitles, recordedEvents, sequenceOf, writeSequence } from '../lib/queues.mjs'
import { defaultSetUp, resnetProfile } from '../lib/resnetJob.mjs'
import { rowOf } from '../lib/row.mjs'
import { median } from '../lib/statistics.mjs'

export const title = 'event queues, time of a pop and a push'

const sizes = [32, 1000, 30_000, 1_000_000]
/** Events of real simulations: workers and steps of all of them. */
const recordings = [
  { workers: 8, steps: 400 },
  { workers: 1000, steps: 1200 }
]
/** Drawn once, for all queues; a power of two. */
const incrementCount = 65_536
const holds = 1_000_000
/** The core ships this one. */
const chosen = 'quaternaryHeap'

/** @import { QueueName, QueueModule } from '../lib/queues.mjs' */
/** One run: ns a pop and push, and what came out. @typedef {{ ns: number, hash?: number }} Measured */

/** @param {{ quick: boolean }} options */
export async function run({ quick }) {
  const names = /** @type {QueueName[]} */ (Object.keys(queueTitles))
  const compiled = await Promise.all(names.map(compileQueue))
  const modules = Object.fromEntries(names.map((name, i) => [name, compiled[i]]))
  const rounds = quick ? 2 : 7
  const increments = exponentials(incrementCount)
  /** @type {import('../lib/row.mjs').Row[]} */
  const rows = []
  /** @type {Map<string, Record<string, number>>} medians of each column */
  const columns = new Map()
  const add = (/** @type {string} */ measure, /** @type {Record<string, Measured[]>} */ results) => {
    checkSameOrder(measure, names, results)
    const medians = Object.entries(results).map(([name, runs]) => [name, median(runs.map(({ ns }) => ns))])
    columns.set(measure, Object.fromEntries(medians))
    for (const [name, runs] of Object.entries(results)) {
      const label = name in queueTitles ? queueTitles[/** @type {QueueName} */ (name)] : name
      const samples = runs.map(({ ns }) => ns)
      rows.push(rowOf(label, 'ns', samples, { measure }))
    }
  }
  for (const size of quick ? sizes.slice(0, 3) : sizes) {
    const queues = Object.fromEntries(
      await Promise.all(names.map(async name => /** @type {const} */ ([name, await filled(modules[name], size, increments)])))
    )
    add(`${size.toLocaleString('en-US')} events`, await interleave(holdRivals(queues, quick ? holds / 10 : holds), rounds))
  }
  const notes = []
  for (const { workers, steps } of quick ? recordings.slice(0, 1) : recordings) {
    const { sequence, mean, most } = sequenceOf(await record(workers, steps))
    const queues = Object.fromEntries(
      await Promise.all(
        names.map(async name => {
          const queue = await newQueue(modules[name], most, sequence.length * 24)
          writeSequence(queue, sequence)
          return /** @type {const} */ ([name, queue])
        })
      )
    )
    add(`recorded, ${workers.toLocaleString('en-US')} workers`, await interleave(replayRivals(queues, sequence.length), rounds))
    notes.push(
      `Recorded with ${workers.toLocaleString('en-US')} workers: ${sequence.length.toLocaleString('en-US')} events of ${steps.toLocaleString('en-US')} steps, ${Math.round(mean).toLocaleString('en-US')} in the queue on average and at most ${most.toLocaleString('en-US')}.`
    )
  }
  return {
    rows,
    notes: [
      `Hold model: pop the first event, push it again later by an exponential increment; queues of so many events, ${incrementCount.toLocaleString('en-US')} increments drawn once and the same for all. Rivals took turns; processor time; every queue popped the same events in the same order.`,
      ...notes,
      'A recording begins with the cluster: as long as the first step of a worker has not begun, it is pending.',
      'The 4-ary heap is the core’s own source; the others are AssemblyScript in bench/queues, compiled as the core is. Events of 16 bytes, ordered by time, class and worker, operation. The empty call is one from JavaScript that holds nothing.',
      verdict(columns)
    ]
  }
}

/**
 * @param {Record<string, QueueModule>} queues
 * @param {number} count
 */
function holdRivals(queues, count) {
  const calls = count / 10
  /** @type {Record<string, (round: number) => Promise<Measured>>} */
  const rivals = {
    'empty call': () => timed(calls, () => repeat(calls, () => queues[chosen].hold(incrementCount, 0, 0)))
  }
  for (const [name, queue] of Object.entries(queues)) {
    rivals[name] = round => timed(count, () => queue.hold(incrementCount, round * count, count))
  }
  return rivals
}

/**
 * @param {Record<string, QueueModule>} queues
 * @param {number} count events of the sequence
 */
function replayRivals(queues, count) {
  /** @type {Record<string, (round: number) => Promise<Measured>>} */
  const rivals = {}
  for (const [name, queue] of Object.entries(queues)) {
    // The first run is what the engine takes to find out that this code matters.
    queue.replay(count)
    rivals[name] = () => timed(count, () => queue.replay(count))
  }
  return rivals
}

/**
 * @param {number} times
 * @param {() => number} call
 */
function repeat(times, call) {
  let sum = 0
  for (let i = 0; i < times; i++) sum += call()
  return sum
}

/**
 * @param {number} count
 * @param {() => number} work
 * @returns {Promise<Measured>}
 */
async function timed(count, work) {
  const { seconds, result } = await cpuTimeOf(work)
  return { ns: (seconds / count) * 1e9, hash: result }
}

/**
 * A queue of `size` events that has forgotten how it was filled.
 *
 * @param {WebAssembly.Module} compiled
 * @param {number} size
 * @param {Float64Array} increments
 */
async function filled(compiled, size, increments) {
  const queue = await newQueue(compiled, size, 8 * increments.length)
  new Float64Array(queue.memory.buffer, queue.DATA.value, increments.length).set(increments)
  for (let i = 0; i < size; i++) queue.push(increments[i % increments.length] * (1 + i / size), i & 1023, i)
  queue.hold(incrementCount, 1, Math.max(200_000, 2 * size))
  return queue
}

/**
 * Exponential, of mean 1; the same on every run.
 *
 * @param {number} count
 */
function exponentials(count) {
  let state = 1
  return Float64Array.from({ length: count }, () => {
    state = (state * 16807) % 2147483647
    return -Math.log(state / 2147483647)
  })
}

/**
 * @param {number} workers
 * @param {number} steps
 */
async function record(workers, steps) {
  const core = await loadCore()
  const set = defaultSetUp(core, await resnetProfile())
  const options = { seed: 1, replication: 0, phaseSpanUs: roughCycleUs(set, workers), logWorkers: workers }
  const simulation = new Simulation(core, set.job, clusterOf(set, workers), options)
  try {
    simulation.run(steps)
    return recordedEvents(simulation.log(), simulation.records(), set.job.kind)
  } finally {
    simulation.free()
  }
}

/**
 * @param {string} measure
 * @param {readonly QueueName[]} names
 * @param {Record<string, Measured[]>} results
 */
function checkSameOrder(measure, names, results) {
  results[names[0]].forEach(({ hash }, round) => {
    for (const name of names) {
      if (results[name][round].hash !== hash) throw new Error(`${measure}: ${queueTitles[name]} pops in another order`)
    }
  })
}

/** What the figures say about the queue that is shipped. @param {Map<string, Record<string, number>>} columns */
function verdict(columns) {
  const comparisons = [...columns].map(([measure, medians]) => {
    const [best, ns] = Object.entries(medians)
      .filter(([name]) => name in queueTitles)
      .reduce((a, b) => (b[1] < a[1] ? b : a))
    return best === chosen
      ? `${measure}: fastest`
      : `${measure}: ${(medians[chosen] / ns).toFixed(2)} × the ${queueTitles[/** @type {QueueName} */ (best)]}`
  })
  return `The core ships the ${queueTitles[chosen]}. ${comparisons.join('; ')}.`
}
