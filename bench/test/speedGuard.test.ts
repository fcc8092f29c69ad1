/**
 * Whether the simulator has become slow or has begun to allocate. Times mean nothing on a machine that others use, ratios do: rivals run in
 * turn, in slices of some tens of milliseconds, and the medians of their processor times are compared. By the clock a process that has just
 * been started would have an advantage on a busy machine: its first slice is not interrupted.
 */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type Core, loadCore, loadPortableCore, Simulation } from '@foretrain/core-wasm'
import { clusterOf, roughCycleUs } from '@foretrain/predictor'
import { expect, test } from 'vitest'
import { interleave } from '../lib/interleave.mjs'
import { plainCluster, runOurs } from '../lib/ourSimulation.mjs'
import { defaultSetUp, resnetProfile, rivalsJobs } from '../lib/resnetJob.mjs'
import { buildNative, runNative } from '../lib/rivals.mjs'
import { median } from '../lib/statistics.mjs'
import { templateText } from '../lib/templateFile.mjs'
import { withTemporaryFolder } from '../lib/temporaryFolder.mjs'

/**
 * Worker-steps a second of the contracted graph in WebAssembly against those of a rival, 8 workers, as measured; and the
 * floor, which is that of a guard: below it something has become slower, not the day.
 */
const ratios = {
  javascript: { measured: 7.0, floor: 3.8 },
  native: { measured: 1.53, floor: 0.9 }
}
const setting = { goodputBytesPerUs: 119.6, windowBytes: 8e6, parsePerByteUs: 1e-4, stepOverheadUs: 3000 }
const workers = 8
const rounds = 9
const warmUpSteps = 500
const steps = { wasm: 600, javascript: 150, native: 600 }

const profile = await resnetProfile()
const { contracted, whole, slots, spansUs, phaseSpanUs } = rivalsJobs(profile)
const cluster = plainCluster(workers, setting, slots)

const ours = (core: Core, count: number) => (round: number) =>
  count / runOurs(core, contracted, cluster, { steps: count, seed: round + 1, phaseSpanUs }).cpuSeconds

/** Ratio of the medians; measured a second time when the first falls below the floor. */
async function ratioOf(wasm: (round: number) => number, rival: (round: number) => number, floor: number): Promise<number> {
  const once = async () => {
    const rates = await interleave({ wasm, rival }, rounds)
    return median(rates.wasm) / median(rates.rival)
  }
  const first = await once()
  return first >= floor ? first : Math.max(first, await once())
}

test(`WebAssembly is at least ${ratios.javascript.floor} times as fast as JavaScript`, async () => {
  const [wasm, javascript] = [await loadCore(), await loadPortableCore()]
  for (const core of [wasm, javascript]) ours(core, warmUpSteps)(0)
  const { floor } = ratios.javascript
  const ratio = await ratioOf(ours(wasm, steps.wasm), ours(javascript, steps.javascript), floor)
  console.log(`WebAssembly : JavaScript = ${ratio.toFixed(2)} (floor ${floor}, measured ${ratios.javascript.measured})`)
  expect(ratio).toBeGreaterThanOrEqual(floor)
})

const compilerIsAbsent = spawnSync('g++', ['--version']).error !== undefined
if (compilerIsAbsent) console.log('skipped: the speed beside native.cpp, for there is no g++ on the PATH')

test.skipIf(compilerIsAbsent)(`WebAssembly, contracted, is at least ${ratios.native.floor} times as fast as C++`, () =>
  withTemporaryFolder(async folder => {
    const program = buildNative(folder)
    const templates = join(folder, 'templates.txt')
    writeFileSync(templates, templateText(whole, spansUs))
    const wasm = await loadCore()
    ours(wasm, warmUpSteps)(0)
    const native = (round: number) =>
      steps.native / runNative(program, templates, setting, { workers, steps: steps.native, seed: round + 1 }).cpuSeconds
    const { floor } = ratios.native
    const ratio = await ratioOf(ours(wasm, steps.wasm), native, floor)
    console.log(`WebAssembly : C++ = ${ratio.toFixed(2)} (floor ${floor}, measured ${ratios.native.measured})`)
    expect(ratio).toBeGreaterThanOrEqual(floor)
  })
)

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

function memoryInUse(): number {
  collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** Fluctuation of the engine's own: code compiled meanwhile, test bookkeeping. What falls is garbage of before. An object of 16 bytes an event would come to 35 MB. */
const toleranceBytes = 2e6

test.each([
  ['WebAssembly', loadCore],
  ['JavaScript', loadPortableCore]
])('%s: memory after ten times the steps is what it was', async (_, load) => {
  const core = await load()
  const set = defaultSetUp(core, profile)
  const options = { seed: 1, replication: 0, phaseSpanUs: roughCycleUs(set, workers) }
  const simulation = new Simulation(core, set.job, clusterOf(set, workers), options)
  try {
    const after = (total: number) => {
      for (let reached = simulation.completedSteps; reached < total; reached += 50) {
        simulation.run(Math.min(reached + 50, total))
        simulation.clearRecords()
      }
      return { coreBytes: core.memoryBytes, inUse: memoryInUse() }
    }
    const few = after(200)
    const many = after(2000)
    expect(many.coreBytes).toBe(few.coreBytes)
    expect(many.inUse - few.inUse).toBeLessThan(toleranceBytes)
  } finally {
    simulation.free()
  }
})
