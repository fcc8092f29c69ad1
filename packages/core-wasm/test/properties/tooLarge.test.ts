import { expect, test, vi } from 'vitest'
import { loadCore, loadPortableCore } from '../../src/loadCore.ts'
import { Simulation } from '../../src/simulation.ts'
import { TooLargeError } from '../../src/simulationError.ts'
import { type ClusterSpec, cluster } from '../support/cluster.ts'
import { job } from '../support/job.ts'

const options = { seed: 1, replication: 0, phaseSpanUs: 0 }
const pull = job([{ kind: 'pull', amount: 1000 }])

/** Products that 32 bits would wrap, most of them to 0. */
const tooLarge: Array<[string, ClusterSpec]> = [
  ['2³² connections', { workers: 65_536, servers: 32_768 }],
  ['2³² slots', { workers: 65_536, servers: 1, computeSlots: 65_526 }],
  ['2³² tags', { workers: 32_768, servers: 32_768 }],
  ['2³¹ links of single connections', { workers: 32_768, servers: 32_768, flowBytesPerUs: 1 }]
]

test.each(tooLarge)('%s are refused', async (_, spec) => {
  for (const core of [await loadCore(), await loadPortableCore()]) {
    const before = core.memoryBytes
    const simulate = () => new Simulation(core, pull, cluster(spec), options)
    expect(simulate).toThrow(TooLargeError)
    expect(simulate).toThrow('more than 2 GiB of memory')
    // Nothing but the job and a header were ever allocated.
    expect(core.memoryBytes).toBeLessThanOrEqual(Math.max(before, 131_072))
  }
})

test.each([1, 2, 3, 4])('when allocation %i fails, what came before it is given back', async nth => {
  const core = await loadCore()
  const allocate = core.arena.allocate.bind(core.arena)
  const spy = vi.spyOn(core.arena, 'allocate').mockImplementation(bytes => {
    if (spy.mock.calls.length === nth) throw new RangeError('full')
    return allocate(bytes)
  })
  const release = vi.spyOn(core.arena, 'release')
  expect(() => new Simulation(core, pull, cluster(), options)).toThrow(TooLargeError)
  expect(release).toHaveBeenCalledTimes(nth - 1)
})

test('events that outgrow the memory end the run as too large', async () => {
  const loaded = await loadCore()
  const core = { ...loaded, functions: { ...loaded.functions, run: () => loaded.layout.STATUS_EVENTS_FULL } }
  const simulation = new Simulation(core, pull, cluster(), options)
  vi.spyOn(core.arena, 'allocate').mockImplementation(() => {
    throw new RangeError('full')
  })
  expect(() => simulation.run(1)).toThrow(TooLargeError)
  simulation.free()
})
