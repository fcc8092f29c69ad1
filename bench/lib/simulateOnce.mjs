/**
 * One simulation with the default transport in a process of its own: `node simulateOnce.mjs WORKERS STEPS`. Prints {@link SimulatedOnce} as
 * JSON.
 *
 * @typedef {object} SimulatedOnce
 * @property {number} seconds from making the simulation to its last step
 * @property {number} cpuSeconds the processor's time of it
 * @property {number} events taken
 * @property {number} timeUs simulated
 * @property {number} latencyUs one way, of the cluster
 * @property {number} memoryBytes of the core at its end: the simulation's block and event heap, and the job
 */
import { loadCore } from '@foretrain/core-wasm'
import { clusterOf, roughCycleUs } from '@foretrain/predictor'
import { runOurs } from './ourSimulation.mjs'
import { defaultSetUp, resnetProfile } from './resnetJob.mjs'

/** Before anything is timed: the engine compiles what runs often a second time, better. */
const warmUpSteps = 500

const [workers, steps] = process.argv.slice(2).map(Number)
const set = defaultSetUp(await loadCore(), await resnetProfile())
const runWith = async (/** @type {number} */ count, /** @type {number} */ total) => {
  // A core's memory only grows.
  const core = await loadCore()
  const cluster = clusterOf(set, count)
  const { seconds, cpuSeconds, events, timeUs } = runOurs(core, set.job, cluster, {
    steps: total,
    seed: 1,
    phaseSpanUs: roughCycleUs(set, count)
  })
  return { seconds, cpuSeconds, events, timeUs, latencyUs: cluster.workers[0].latencyUs, memoryBytes: core.memoryBytes }
}
await runWith(8, warmUpSteps)
console.log(JSON.stringify(await runWith(workers, steps)))
