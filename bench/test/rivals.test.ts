import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Job, loadCore, OperationKind } from '@foretrain/core-wasm'
import { expect, test } from 'vitest'
import { plainCluster, runOurs } from '../lib/ourSimulation.mjs'
import { buildNative, runNative, runSimpy } from '../lib/rivals.mjs'
import { findSimpy } from '../lib/simpy.mjs'
import { templateText } from '../lib/templateFile.mjs'
import { withTemporaryFolder } from '../lib/temporaryFolder.mjs'

const setting = { goodputBytesPerUs: 100, windowBytes: 8e6, parsePerByteUs: 1e-3, stepOverheadUs: 3000 }

/** pull (1 MB, ready after 2 ms) → compute (20 ms) → push (2 MB) → update (5 ms), in two templates: in the second the compute takes twice as long. */
const job: Job = {
  operations: 4,
  templates: 2,
  kind: Uint8Array.of(OperationKind.pull, OperationKind.compute, OperationKind.push, OperationKind.update),
  server: Uint16Array.of(0, 0, 0, 0),
  dependencies: Uint16Array.of(0, 1, 1, 1),
  successorStart: Uint32Array.of(0, 1, 2, 3, 3),
  successors: Uint32Array.of(1, 2, 3),
  amount: Float64Array.of(1e6, 20000, 2e6, 5000, 1e6, 40000, 2e6, 5000),
  releaseOperation: Uint32Array.of(0, 0),
  releaseUs: Float64Array.of(2000, 2000)
}
const oneTemplate: Job = {
  ...job,
  templates: 1,
  amount: job.amount.slice(0, 4),
  releaseOperation: Uint32Array.of(0),
  releaseUs: Float64Array.of(2000)
}

test('a job as text', () => {
  expect(templateText(job, [60000, 80000])).toBe(
    [
      '2',
      '4',
      'D 0 1000000 0 2000 60000 0',
      'W 0 0 20000 0 60000 1 0',
      'U 0 2000000 0 0 60000 1 1',
      'P 0 0 5000 0 60000 1 2',
      '4',
      'D 0 1000000 0 2000 80000 0',
      'W 0 0 40000 0 80000 1 0',
      'U 0 2000000 0 0 80000 1 1',
      'P 0 0 5000 0 80000 1 2',
      ''
    ].join('\n')
  )
})

/*
 * One worker, one template: release 2 ms, pull 1 MB / 100 MB/s = 10 ms, its parsing 1 ms, compute 20 ms, push 20 ms, its parsing 2 ms,
 * update 5 ms, and 3 ms to the next step: 63 ms a step.
 */
const stepMs = 63

test('our simulation of it takes what it takes on paper', async () => {
  const { stepsPerSecond } = runOurs(await loadCore(), oneTemplate, plainCluster(1, setting, { computeSlots: 1, updateSlots: 1 }), {
    steps: 50,
    seed: 1,
    phaseSpanUs: 0
  })
  expect(stepsPerSecond).toBeCloseTo(1000 / stepMs, 6)
})

// Only a g++ that is not there excuses: one that cannot even tell its version is a broken machine, and fails below.
const { error } = spawnSync('g++', ['--version'])
const compilerIsAbsent = (error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT'
if (compilerIsAbsent) console.log('skipped: the comparison with native.cpp, for there is no g++ on the PATH')

test.skipIf(compilerIsAbsent)('native.cpp reads the text and takes as long', () =>
  withTemporaryFolder(async folder => {
    const program = buildNative(folder, '-O1')
    const templates = join(folder, 'templates.txt')
    writeFileSync(templates, templateText(oneTemplate, [60000]))
    const alone = runNative(program, templates, setting, { workers: 1, steps: 50, seed: 1 })
    expect(alone.stepsPerSecond).toBeCloseTo(1000 / stepMs, 3)

    // Four workers saturate neither link; both simulators choose phases and templates at random, so they agree only nearly.
    writeFileSync(templates, templateText(job, [60000, 80000]))
    const native = runNative(program, templates, setting, { workers: 4, steps: 20000, seed: 1 })
    const ours = runOurs(await loadCore(), job, plainCluster(4, setting, { computeSlots: 4, updateSlots: 4 }), {
      steps: 20000,
      seed: 1,
      phaseSpanUs: 70000
    })
    expect(Math.abs(ours.stepsPerSecond / native.stepsPerSecond - 1)).toBeLessThan(0.01)
  })
)

// SimPy is compared where python3 has it or the bench has fetched it; CI, where nothing may be skipped, fetches it.
const simpy = findSimpy({ install: process.env.CI === 'true' })
if ('missing' in simpy) console.log(`skipped: the comparison with simpy_model.py: ${simpy.missing}`)

test.skipIf('missing' in simpy)('simpy_model.py takes as long, however it is written', () =>
  withTemporaryFolder(async folder => {
    const { python } = simpy as { python: string }
    const templates = join(folder, 'templates.txt')
    writeFileSync(templates, templateText(oneTemplate, [60000]))
    for (const style of ['processes', 'callbacks'] as const) {
      const alone = runSimpy(python, style, templates, setting, { workers: 1, steps: 50, seed: 1 })
      expect(alone.stepsPerSecond).toBeCloseTo(1000 / stepMs, 3)
    }
    // Six workers ask for more than the link of pushes gives; pushes of 2 MB go in turns of half of that.
    writeFileSync(templates, templateText(job, [60000, 80000]))
    const shared = { ...setting, windowBytes: 1e6 }
    const [processes, callbacks] = (['processes', 'callbacks'] as const).map(
      style => runSimpy(python, style, templates, shared, { workers: 6, steps: 4000, seed: 2 }).stepsPerSecond
    )
    expect(processes).toBe(callbacks)
    const ours = runOurs(await loadCore(), job, plainCluster(6, shared, { computeSlots: 6, updateSlots: 6 }), {
      steps: 4000,
      seed: 1,
      phaseSpanUs: 70000
    })
    expect(Math.abs(ours.stepsPerSecond / callbacks - 1)).toBeLessThan(0.02)
  })
)

test('where SimPy is missing and not to be fetched, that is said', () => {
  const missing = findSimpy({ python: 'no-such-python', folder: '/no/such/folder', install: false })
  expect(missing).toEqual({ missing: 'no-such-python does not have it' })
  expect(findSimpy({ python: 'no-such-python', folder: join(tmpdir(), 'foretrain-no-such-folder', 'simpy') })).toEqual({
    missing: 'there is no no-such-python'
  })
})
