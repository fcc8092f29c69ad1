import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadCore, loadPortableCore } from '@foretrain/core-wasm'
import { clusterOf, roughCycleUs } from '@foretrain/predictor'
import { freshProcess } from '../lib/freshProcess.mjs'
import { interleave } from '../lib/interleave.mjs'
import { versionOf } from '../lib/machine.mjs'
import { emptyCallUs, plainCluster, runOurs } from '../lib/ourSimulation.mjs'
import { benchFolder, resnet } from '../lib/paths.mjs'
import { defaultSetUp, resnetProfile, rivalsJobs } from '../lib/resnetJob.mjs'
import { buildNative, runNative, runSimpy } from '../lib/rivals.mjs'
import { rowOf } from '../lib/row.mjs'
import { findSimpy } from '../lib/simpy.mjs'
import { median } from '../lib/statistics.mjs'
import { templateText } from '../lib/templateFile.mjs'
import { withTemporaryFolder } from '../lib/temporaryFolder.mjs'

export const title = 'one simulation on one core'

/** 1 Gbit/s less headers, one 8 MB window. */
const setting = { goodputBytesPerUs: 119.6, windowBytes: 8e6, parsePerByteUs: 1e-4, stepOverheadUs: 3000 }
const bars = { contracted: 1.5, whole: 0.7, defaultTransport: 1, simpy: 150, deviation: 1, simpyDeviation: 2, costRatio: 2.5 }
/**
 * Worker-steps a run, of the contracted and of the whole graph. Of the latter so many that the throughputs of all runs agree by more than
 * chance: a hundred workers begin nearly in step, and it takes them long to get out of it.
 */
const sizes = [
  { workers: 8, steps: 4000, wholeSteps: 6000, rounds: 5 },
  { workers: 100, steps: 4000, wholeSteps: 24_000, rounds: 5 },
  { workers: 1000, steps: 8000, wholeSteps: 10_000, rounds: 5 },
  { workers: 10_000, steps: 20_000, wholeSteps: 20_000, rounds: 3 }
]
const quickSizes = [
  { workers: 8, steps: 2000, wholeSteps: 2000, rounds: 2 },
  { workers: 100, steps: 2000, wholeSteps: 2000, rounds: 2 }
]
/** Of each job on each core before anything is timed: both engines compile what runs often a second time, better. */
const warmUpSteps = 500
/** From this size on JavaScript is left out: it takes as long as all others together and tells nothing new. */
const withoutJavaScript = 10_000
/** SimPy is measured where some hundred steps are enough to be past the start; its throughput is taken from the longer runs. */
const simpyWorkers = 8
const simpySteps = { processes: 200, callbacks: 600 }
/** Where the cost of a worker-step is held against that of the smallest cluster. */
const costAt = 10_000
/** Once, in a process of its own. */
const large = { workers: 100_000, stepsPerWorker: 2 }

/** @param {{ quick: boolean }} options */
export function run({ quick }) {
  return withTemporaryFolder(async folder => {
    const profile = await resnetProfile()
    const { spansUs, phaseSpanUs, contracted, whole, slots } = rivalsJobs(profile)
    const templates = join(folder, 'templates.txt')
    writeFileSync(templates, templateText(whole, spansUs))
    const compiler = versionOf('g++')
    const native = compiler === undefined ? undefined : buildNative(folder)
    const simpy = findSimpy()
    const cores = { wasm: await loadCore(), javascript: await loadPortableCore() }
    const set = defaultSetUp(cores.wasm, profile)

    for (const core of Object.values(cores)) {
      const cluster = plainCluster(8, setting, slots)
      for (const job of [contracted, whole]) runOurs(core, job, cluster, { steps: warmUpSteps, seed: 1, phaseSpanUs })
    }
    runOurs(cores.wasm, set.job, clusterOf(set, 8), { steps: warmUpSteps, seed: 1, phaseSpanUs })
    const rows = []
    /** @type {Record<'wasm' | 'defaultTransport', number> | undefined} medians at the smallest size */
    let smallest
    for (const { workers, steps, wholeSteps, rounds } of quick ? quickSizes : sizes) {
      const cluster = plainCluster(workers, setting, slots)
      const defaultCluster = clusterOf(set, workers)
      const defaultPhaseSpanUs = roughCycleUs(set, workers)
      /** @type {Record<string, (round: number) => Measured>} */
      const rivals = {
        emptyCall: () => ({ rate: emptyCallUs(cores.wasm, contracted, cluster), stepsPerSecond: 0 }),
        wasm: round => rated(steps, runOurs(cores.wasm, contracted, cluster, { steps, seed: round + 1, phaseSpanUs })),
        wasmWhole: round =>
          rated(wholeSteps, runOurs(cores.wasm, whole, cluster, { steps: wholeSteps, seed: round + 1, phaseSpanUs })),
        defaultTransport: round =>
          rated(steps, runOurs(cores.wasm, set.job, defaultCluster, { steps, seed: round + 1, phaseSpanUs: defaultPhaseSpanUs }))
      }
      if (workers < withoutJavaScript) {
        rivals.javascript = round =>
          rated(steps, runOurs(cores.javascript, contracted, cluster, { steps, seed: round + 1, phaseSpanUs }))
      }
      if (native !== undefined) {
        rivals.native = round =>
          rated(wholeSteps, runNative(native, templates, setting, { workers, steps: wholeSteps, seed: round + 1 }))
      }
      if ('python' in simpy && workers === simpyWorkers) {
        for (const style of /** @type {const} */ (['processes', 'callbacks'])) {
          const run = { workers, steps: simpySteps[style] }
          rivals[style] = round => rated(run.steps, runSimpy(simpy.python, style, templates, setting, { ...run, seed: round + 1 }))
        }
      }
      const results = await interleave(rivals, rounds)
      // A few short runs agree only by chance.
      rows.push(...rowsOf(`${workers.toLocaleString('en-US')} workers`, results, !quick))
      const medians = { wasm: medianRate(results.wasm), defaultTransport: medianRate(results.defaultTransport) }
      if (workers === costAt && smallest) rows.push(...costRows(`${workers.toLocaleString('en-US')} workers`, smallest, medians))
      smallest ??= medians
    }
    if (!quick) rows.push(...(await largeRows()))
    return { rows, notes: notesOf({ contracted, whole, compiler, simpy }) }
  })
}

/**
 * One run of a rival: worker-steps simulated in a second of processor time (of the empty call, its µs), and what came out.
 *
 * @typedef {{ rate: number, stepsPerSecond: number, timeUs?: number }} Measured
 */

/**
 * By the processor's time, which other work on the machine changes less than the clock's.
 *
 * @template {{ cpuSeconds: number }} R
 * @param {number} steps
 * @param {R} result
 */
function rated(steps, result) {
  return { ...result, rate: steps / result.cpuSeconds }
}

/** @param {Measured[]} results */
function ratesOf(results) {
  return results.map(result => result.rate)
}

/** @param {Measured[]} results */
function medianRate(results) {
  return median(ratesOf(results))
}

/**
 * By how much the mean simulated throughputs of two rivals differ, per cent.
 *
 * @param {Measured[]} a
 * @param {Measured[]} b
 */
function deviationOf(a, b) {
  const mean = (/** @type {Measured[]} */ results) =>
    results.reduce((sum, { stepsPerSecond }) => sum + stepsPerSecond, 0) / results.length
  return Math.abs(mean(a) / mean(b) - 1) * 100
}

/**
 * @param {string} measure
 * @param {Record<string, Measured[]>} results
 * @param {boolean} withBars
 */
function rowsOf(measure, { emptyCall, wasm, javascript, wasmWhole, defaultTransport, native, processes, callbacks }, withBars) {
  javascript?.forEach((result, round) => {
    if (result.timeUs !== wasm[round].timeUs) throw new Error(`${measure}: WebAssembly and JavaScript differ`)
  })
  const rate = (/** @type {string} */ name, /** @type {Measured[]} */ of) => rowOf(name, 'worker-steps/s', ratesOf(of), { measure })
  const ratio = (/** @type {string} */ name, /** @type {Measured[]} */ a, /** @type {Measured[]} */ b, least = Number.NaN) =>
    rowOf(name, '×', [medianRate(a) / medianRate(b)], { measure, ...(withBars && least > 0 && { least }) })
  const deviation = (
    /** @type {string} */ name,
    /** @type {Measured[]} */ a,
    /** @type {Measured[]} */ b,
    /** @type {number} */ bar
  ) => rowOf(name, '%', [deviationOf(a, b)], { measure, ...(withBars && { bar }) })
  const rows = [
    rowOf('empty call of the core', 'µs', ratesOf(emptyCall), { measure }),
    rate('WebAssembly', wasm),
    ...(javascript ? [rate('JavaScript', javascript), ratio('WebAssembly : JavaScript', wasm, javascript)] : []),
    rate('WebAssembly, whole graph', wasmWhole),
    rate('WebAssembly, default transport', defaultTransport)
  ]
  if (native) {
    rows.push(
      rate('C++, whole graph', native),
      ratio('WebAssembly : C++', wasm, native, bars.contracted),
      ratio('WebAssembly, whole graph : C++', wasmWhole, native, bars.whole),
      ratio('WebAssembly, default transport : C++', defaultTransport, native, bars.defaultTransport),
      deviation('throughput, whole graph against C++', wasmWhole, native, bars.deviation)
    )
  }
  if (processes) {
    rows.push(
      rate('SimPy, whole graph, processes', processes),
      rate('SimPy, whole graph, callbacks', callbacks),
      ratio('WebAssembly : SimPy, processes', wasm, processes, bars.simpy),
      ratio('WebAssembly : SimPy, callbacks', wasm, callbacks)
    )
    if (native) rows.push(deviation('throughput, SimPy against C++', callbacks, native, bars.simpyDeviation))
  }
  return rows
}

/**
 * @param {string} measure
 * @param {Record<'wasm' | 'defaultTransport', number>} few worker-steps a second of the smallest cluster
 * @param {Record<'wasm' | 'defaultTransport', number>} many
 */
function costRows(measure, few, many) {
  const bar = bars.costRatio
  return [
    rowOf('cost of a worker-step against 8 workers', '×', [few.wasm / many.wasm], { measure, bar }),
    rowOf('the same, default transport', '×', [few.defaultTransport / many.defaultTransport], { measure, bar })
  ]
}

async function largeRows() {
  const { workers, stepsPerWorker } = large
  const steps = workers * stepsPerWorker
  const { output, peakMB } = await freshProcess([join(benchFolder, 'lib/simulateOnce.mjs'), String(workers), String(steps)])
  const { seconds, cpuSeconds } = JSON.parse(output)
  const measure = `${workers.toLocaleString('en-US')} workers`
  return [
    rowOf('WebAssembly, default transport', 'worker-steps/s', [steps / cpuSeconds], { measure }),
    rowOf(`time of ${stepsPerWorker} steps a worker`, 's', [seconds], { measure }),
    rowOf('peak resident memory of the process', 'MB', [peakMB], { measure })
  ]
}

/** @param {{ contracted: import('@foretrain/core-wasm').Job, whole: import('@foretrain/core-wasm').Job, compiler: string | undefined, simpy: ReturnType<typeof findSimpy> }} found */
function notesOf({ contracted, whole, compiler, simpy }) {
  return [
    `${resnet}, ${whole.templates} templates; the graph as it is shipped, contracted to ${contracted.operations} operations, or whole with ${whole.operations.toLocaleString('en-US')}. Equal sharing, one window of 8 MB, no latency.`,
    'Default transport: the cluster and the job that `foretrain predict` simulates when nothing else is asked: share tables, latency, acknowledgements, queueing, recorded turns.',
    'Rivals took turns; rates are by processor time, ratios are of medians. WebAssembly and JavaScript came to identical simulated times. 100,000 workers: once, in a process of its own.',
    compiler === undefined
      ? 'C++ was left out: there is no g++ here.'
      : `C++: rivals/native.cpp, ${compiler}, -O3 -march=native; the same model for this case alone. The differences are those of mean simulated throughputs.`,
    'missing' in simpy
      ? `SimPy was left out: ${simpy.missing}.`
      : `SimPy ${simpy.version}: rivals/simpy_model.py, the model of native.cpp, with a process for each operation as SimPy is taught, and with callbacks on bare timeouts.`
  ]
}
