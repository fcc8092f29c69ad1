import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadCore, loadPortableCore } from '@foretrain/core-wasm'
import { compile } from '@foretrain/predictor'
import { readProfile } from '@foretrain/trace-parser'
import { interleave } from '../lib/interleave.mjs'
import { versionOf } from '../lib/machine.mjs'
import { plainCluster, runOurs } from '../lib/ourSimulation.mjs'
import { resnet, traceFiles, traceOnDisk } from '../lib/paths.mjs'
import { buildNative, runNative, runSimpy, simpyVersion } from '../lib/rivals.mjs'
import { rowOf } from '../lib/row.mjs'
import { median } from '../lib/statistics.mjs'
import { templateText } from '../lib/templateFile.mjs'
import { withTemporaryFolder } from '../lib/temporaryFolder.mjs'

export const title = 'one simulation on one core'

/** 1 Gbit/s less headers, one 8 MB window. */
const setting = { goodputBytesPerUs: 119.6, windowBytes: 8e6, parsePerByteUs: 1e-4, stepOverheadUs: 3000 }
const barDeviation = 1
/**
 * Worker-steps a run, of the contracted and of the whole graph. Of the latter so many that the throughputs of five runs agree by more than
 * chance: a hundred workers begin nearly in step, and it takes them long to get out of it.
 */
const sizes = [
  { workers: 8, steps: 4000, wholeSteps: 6000 },
  { workers: 100, steps: 4000, wholeSteps: 24000 },
  { workers: 1000, steps: 8000, wholeSteps: 10000 }
]
const quickSizes = [
  { workers: 8, steps: 2000, wholeSteps: 2000 },
  { workers: 100, steps: 2000, wholeSteps: 2000 }
]
/** Of each job on each core before anything is timed: both engines compile what runs often a second time, better. */
const warmUpSteps = 500
/** SimPy is measured where a few steps are enough to be past the start. */
const simpyRun = { workers: 8, steps: 200 }

/** @param {{ quick: boolean }} options */
export function run({ quick }) {
  return withTemporaryFolder(async folder => {
    const { profile } = await readProfile(traceFiles(resnet).map(traceOnDisk))
    const spansUs = profile.steps.map(step => step.spanUs)
    const phaseSpanUs = spansUs.reduce((sum, spanUs) => sum + spanUs, 0) / spansUs.length
    const shipped = compile(profile).job
    // Nothing waits for a slot in the rivals: with this ε nothing occupies one here either.
    const whole = compile(profile, { contract: false, epsilonUs: Number.POSITIVE_INFINITY }).job
    const templates = join(folder, 'templates.txt')
    writeFileSync(templates, templateText(whole, spansUs))
    const compiler = versionOf('g++')
    const native = compiler === undefined ? undefined : buildNative(folder)
    const simpy = simpyVersion()
    const cores = { wasm: await loadCore(), javascript: await loadPortableCore() }
    const slots = { computeSlots: Math.max(1, profile.concurrency.compute), updateSlots: 8 }

    for (const core of Object.values(cores)) {
      const cluster = plainCluster(8, setting, slots)
      for (const job of [shipped, whole]) runOurs(core, job, cluster, { steps: warmUpSteps, seed: 1, phaseSpanUs })
    }
    const rows = []
    for (const { workers, steps, wholeSteps } of quick ? quickSizes : sizes) {
      const cluster = plainCluster(workers, setting, slots)
      /** @type {Record<string, (round: number) => Measured>} */
      const rivals = {
        wasm: round => rated(steps, runOurs(cores.wasm, shipped, cluster, { steps, seed: round + 1, phaseSpanUs })),
        javascript: round => rated(steps, runOurs(cores.javascript, shipped, cluster, { steps, seed: round + 1, phaseSpanUs })),
        wasmWhole: round =>
          rated(wholeSteps, runOurs(cores.wasm, whole, cluster, { steps: wholeSteps, seed: round + 1, phaseSpanUs }))
      }
      if (native !== undefined) {
        rivals.native = round =>
          rated(wholeSteps, runNative(native, templates, setting, { workers, steps: wholeSteps, seed: round + 1 }))
      }
      if (simpy !== undefined && workers === simpyRun.workers) {
        rivals.simpy = () => ({ rate: runSimpy(templates, setting, simpyRun) })
      }
      const results = await interleave(rivals, quick ? 2 : 5)
      // A few short runs agree only by chance.
      rows.push(...rowsOf(`${workers.toLocaleString('en-US')} workers`, results, quick ? undefined : barDeviation))
    }
    return { rows, notes: notesOf({ shipped, whole, compiler, simpy }) }
  })
}

/**
 * One run of a rival: worker-steps simulated in a second of real time, and what came out where it is compared.
 *
 * @typedef {{ rate: number, stepsPerSecond?: number, timeUs?: number }} Measured
 */

/**
 * @template {{ seconds: number }} R
 * @param {number} steps
 * @param {R} result
 */
function rated(steps, result) {
  return { ...result, rate: steps / result.seconds }
}

/**
 * @param {string} measure
 * @param {Record<string, Measured[]>} results
 * @param {number | undefined} bar
 */
function rowsOf(measure, { wasm, javascript, wasmWhole, native, simpy }, bar) {
  const rates = (/** @type {Measured[]} */ results) => results.map(result => result.rate)
  const ratio = (/** @type {Measured[]} */ a, /** @type {Measured[]} */ b) => [median(rates(a)) / median(rates(b))]
  wasm.forEach((result, round) => {
    if (result.timeUs !== javascript[round].timeUs) throw new Error(`${measure}: WebAssembly and JavaScript differ`)
  })
  const rows = [
    rowOf('WebAssembly', 'worker-steps/s', rates(wasm), { measure }),
    rowOf('JavaScript', 'worker-steps/s', rates(javascript), { measure }),
    rowOf('WebAssembly : JavaScript', '×', ratio(wasm, javascript), { measure }),
    rowOf('WebAssembly, whole graph', 'worker-steps/s', rates(wasmWhole), { measure })
  ]
  if (native) {
    const mean = (/** @type {Measured[]} */ results) =>
      results.reduce((sum, result) => sum + (result.stepsPerSecond ?? Number.NaN), 0) / results.length
    const deviation = Math.abs(mean(wasmWhole) / mean(native) - 1) * 100
    rows.push(
      rowOf('C++, whole graph', 'worker-steps/s', rates(native), { measure }),
      rowOf('WebAssembly : C++, whole graph', '×', ratio(wasmWhole, native), { measure }),
      rowOf('their throughputs differ by', '%', [deviation], { measure, bar })
    )
  }
  if (simpy) rows.push(rowOf('SimPy, whole graph', 'worker-steps/s', rates(simpy), { measure }))
  return rows
}

/** @param {{ shipped: import('@foretrain/core-wasm').Job, whole: import('@foretrain/core-wasm').Job, compiler: string | undefined, simpy: string | undefined }} found */
function notesOf({ shipped, whole, compiler, simpy }) {
  return [
    `${resnet}, ${whole.templates} templates; the graph as it is shipped, contracted to ${shipped.operations} operations, or whole with ${whole.operations.toLocaleString('en-US')}. Equal sharing, one window of 8 MB, no latency.`,
    'Rivals took turns; ratios are of medians. WebAssembly and JavaScript came to identical simulated times.',
    compiler === undefined
      ? 'C++ was left out: there is no g++ here.'
      : `C++: rivals/native.cpp, ${compiler}, -O3 -march=native; the same model for this case alone. The difference is that of the mean simulated throughput.`,
    simpy === undefined
      ? 'SimPy was left out: python3 does not have it here.'
      : `SimPy ${simpy}: rivals/simpy_model.py, links as FIFO resources, so not the same model.`
  ]
}
