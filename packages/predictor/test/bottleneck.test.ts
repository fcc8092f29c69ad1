import type { Cluster, Core, Statistics } from '@foretrain/core-wasm'
import { expect, test } from 'vitest'
import { quickBottleneck } from '../src/predict/bottleneck.ts'
import type { Measured } from '../src/predict/measure.ts'
import { Pacer } from '../src/simulate/pacer.ts'

const host = { outBytesPerUs: 100, inBytesPerUs: 100 }
const worker = { ...host, computeScale: 1, latencyUs: 50 }
const workers = Array.from({ length: 10 }, () => worker)
const cluster = { workers, servers: [{ ...host, updateScale: 1 }], computeSlots: 1, updateSlots: 8 } as Partial<Cluster> as Cluster

interface Busy {
  pull: number
  push: number
  compute: number
}

/** Without a core: whoever wants to run anything fails. */
function named({ pull, push, compute }: Busy, changes: Partial<Cluster> = {}): Promise<string> {
  const statistics = {
    elapsedUs: 1000,
    pullBusyUs: Float64Array.of(1000 * pull),
    pushBusyUs: Float64Array.of(1000 * push),
    computeBusyUs: Float64Array.from(workers, () => 1000 * compute),
    updateBusyUs: Float64Array.of(10)
  } as Partial<Statistics> as Statistics
  const measured = { scenario: { cluster: { ...cluster, ...changes } }, replications: [{ statistics }] }
  return quickBottleneck(undefined as unknown as Core, measured as unknown as Measured, new Pacer())
}

// Busy for 0.96 of the time: nothing else can bring more than 1/0.96, a fifth of what a quarter more capacity would.
test.each<[string, Busy]>([
  ['server 0 pull link', { pull: 0.96, push: 0.5, compute: 0.3 }],
  ['server 0 push link', { pull: 0.8, push: 0.97, compute: 0.3 }],
  ['server 0 pull and push link', { pull: 0.96, push: 0.9, compute: 0.3 }],
  ['worker compute', { pull: 0.5, push: 0.5, compute: 0.96 }]
])('%s needs no run to be known when it is always busy', async (name, busy) => {
  expect(await named(busy)).toBe(name)
})

const full = { pull: 0.99, push: 0.5, compute: 0.3 }
test.each<[string, Busy, Partial<Cluster>]>([
  ['nothing is', { pull: 0.9, push: 0.9, compute: 0.9 }, {}],
  ['two are that do not hide each other', { pull: 0.96, push: 0.5, compute: 0.96 }, {}],
  ['a worker does not fill the link', full, { workers: [...workers.slice(1), { ...worker, inBytesPerUs: 99 }] }],
  ['a flow does not', full, { flowBytesPerUs: 99 }],
  ['workers are unequal', full, { workers: [...workers.slice(1), { ...worker, computeScale: 2 }] }],
  ['there are several servers', full, { servers: [cluster.servers[0], cluster.servers[0]] }],
  ['servers are on workers’ hosts', full, { colocate: true }]
])('it is looked for where %s', async (_, busy, changes) => {
  await expect(named(busy, changes)).rejects.toThrow()
})
