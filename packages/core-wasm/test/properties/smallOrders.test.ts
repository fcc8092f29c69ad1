import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { main as asc } from 'assemblyscript/asc'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { type Core, loadCore } from '../../src/loadCore.ts'
import { cluster } from '../support/cluster.ts'
import { recordsOf } from '../support/core.ts'
import { simulateBy, simulateByCore, wasmCore } from '../support/engines.ts'
import { job } from '../support/job.ts'
import { cases } from '../support/random.ts'
import { type Scenario, scenarios, sspModes, syncModes } from '../support/scenario.ts'

/** The core, but for the size from which on connections far behind are in no order: so few that clusters of some workers have a run. */
const large = 4

let core: Core
beforeAll(async () => {
  let binary: Uint8Array | undefined
  const { error, stderr } = await asc(['index.ts', '-O2', '--runtime', 'stub', '--noAssert', '--outFile', 'core.wasm'], {
    readFile: path => sourceOf(path),
    writeFile: (path, content) => {
      if (path === 'core.wasm' && typeof content !== 'string') binary = content
    },
    listFiles: () => []
  })
  if (error || binary === undefined) throw new Error(stderr.toString())
  core = await loadCore(await WebAssembly.compile(Uint8Array.from(binary)))
}, 60_000)

/** The compiler also asks for files that are not there, and takes null for an answer. */
function sourceOf(path: string): string | null {
  let source: string
  try {
    source = readFileSync(join(import.meta.dirname, '../../assembly', path), 'utf8')
  } catch {
    return null
  }
  if (path !== 'tagOrder.ts') return source
  const parts = source.split('const LARGE: i32 = 2048\n')
  expect(parts.length).toBe(2)
  return parts.join(`const LARGE: i32 = ${large}\n`)
}

test.each([
  ['async', fc.constant({ kind: 'async' as const })],
  ['ssp', sspModes],
  ['sync', syncModes]
])('runs change no bit of what comes out: %s', (_, modes) => {
  let steps = 0
  const same = ({ job, cluster, steps: asked }: Scenario) => {
    const outcome = simulateByCore(job, cluster, { steps: asked })
    expect(simulateBy(core)(job, cluster, { steps: asked })).toEqual(outcome)
    steps += outcome.steps.length
  }
  fc.assert(
    fc.property(scenarios({ modes, workers: 40, servers: 5, operations: 8, stagger: true, stepsPerWorker: 4 }), same),
    cases(100)
  )
  expect(steps).toBeGreaterThan(1000)
})

// Where the servers can give about what the workers can take, workers pass from one order of sharing to the other all the time.
test.each([0.45, 0.55, 0.65])('so do hundreds of workers between the orders of sharing: %f', share => {
  const count = 400
  let state = 1
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const workers = Array.from({ length: count }, () => {
    const bytesPerUs = Math.exp(2 * random() - 1)
    return { inBytesPerUs: bytesPerUs, outBytesPerUs: bytesPerUs }
  })
  const hosts = cluster({
    workers,
    servers: [{ inBytesPerUs: count * share, outBytesPerUs: count * share }],
    mode: { kind: 'sync', backup: 0, accumulateScale: 0 },
    shares: { pull: [{ startWeight: 0.1, rampUs: 3e5, spread: 0.5 }], push: [{ startWeight: 0.3, rampUs: 1e5, spread: 0.3 }] }
  })
  const spec = job([
    { kind: 'pull', amount: [1e6, 1.2e6, 9e5, 8e5] },
    { kind: 'compute', amount: [4e5, 1e4, 1e4, 2e4], after: [0] },
    { kind: 'push', amount: [5e5, 6e5, 4e5, 7e5], after: [1] }
  ])
  const options = { seed: 1, phaseSpanUs: 4e5 }
  const steps = 20 * count
  expect(recordsOf(core, spec, hosts, options, steps)).toEqual(recordsOf(wasmCore, spec, hosts, options, steps))
})
