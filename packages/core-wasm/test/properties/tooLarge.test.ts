import { expect, test } from 'vitest'
import { loadCore, loadPortableCore } from '../../src/loadCore.ts'
import { Simulation } from '../../src/simulation.ts'
import { SimulationError } from '../../src/simulationError.ts'
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
    expect(simulate).toThrow(SimulationError)
    expect(simulate).toThrow('more than 2 GiB of memory')
    // Nothing but the job and a header were ever allocated.
    expect(core.memoryBytes).toBeLessThanOrEqual(Math.max(before, 131_072))
  }
})
