import { Simulation } from '@foretrain/core-wasm'

/**
 * The cluster of the rivals in our terms: links are shared equally, acknowledgements and latency cost nothing.
 *
 * @param {number} workers
 * @param {import('./rivals.mjs').Setting} setting
 * @param {{ computeSlots: number, updateSlots: number }} slots
 * @returns {import('@foretrain/core-wasm').Cluster}
 */
export function plainCluster(workers, setting, slots) {
  const { goodputBytesPerUs, windowBytes, parsePerByteUs, stepOverheadUs } = setting
  const nic = { outBytesPerUs: goodputBytesPerUs, inBytesPerUs: goodputBytesPerUs }
  // The rivals parse any number of messages at once. Parsing takes a hundredth of what the wire takes, so ten never are too few here.
  const parse = { slots: 10, perByteUs: parsePerByteUs, fixedUs: 0 }
  return {
    workers: Array.from({ length: workers }, () => ({ ...nic, computeScale: 1, latencyUs: 0 })),
    servers: [{ ...nic, updateScale: 1 }],
    ...slots,
    workerParse: parse,
    serverParse: parse,
    turns: { first: windowBytes, later: windowBytes },
    stepOverheadUs,
    ackFraction: 0
  }
}

/**
 * One simulation, from making it to its last step.
 *
 * @param {import('@foretrain/core-wasm').Core} core
 * @param {import('@foretrain/core-wasm').Job} job
 * @param {import('@foretrain/core-wasm').Cluster} cluster
 * @param {{ steps: number, seed: number, phaseSpanUs: number }} run
 * @returns {{ stepsPerSecond: number, seconds: number, cpuSeconds: number, timeUs: number, events: number }} throughput in simulated time, its first fifth of the
 *   steps left out as native.cpp does; real time and the processor's; simulated time; events taken
 */
export function runOurs(core, job, cluster, { steps, seed, phaseSpanUs }) {
  const begin = performance.now()
  const before = process.cpuUsage()
  const simulation = new Simulation(core, job, cluster, { seed, replication: 0, phaseSpanUs })
  try {
    simulation.run(steps)
    const seconds = (performance.now() - begin) / 1000
    const { user, system } = process.cpuUsage(before)
    const { endUs } = simulation.records()
    const skipped = Math.floor(steps / 5)
    const stepsPerSecond = ((steps - 1 - skipped) / (endUs[steps - 1] - endUs[skipped])) * 1e6
    return {
      stepsPerSecond,
      seconds,
      cpuSeconds: (user + system) / 1e6,
      timeUs: simulation.timeUs,
      events: simulation.statistics().events
    }
  } finally {
    simulation.free()
  }
}

const emptyCalls = 10_000

/**
 * What crossing from JavaScript to the core and back costs: a run to a number of steps that is already reached.
 *
 * @param {import('@foretrain/core-wasm').Core} core
 * @param {import('@foretrain/core-wasm').Job} job
 * @param {import('@foretrain/core-wasm').Cluster} cluster
 * @returns {number} µs a call
 */
export function emptyCallUs(core, job, cluster) {
  const simulation = new Simulation(core, job, cluster, { seed: 1, replication: 0, phaseSpanUs: 0 })
  try {
    const begin = performance.now()
    for (let i = 0; i < emptyCalls; i++) simulation.run(0)
    return ((performance.now() - begin) * 1000) / emptyCalls
  } finally {
    simulation.free()
  }
}
