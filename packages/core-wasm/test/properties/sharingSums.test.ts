import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Cluster } from '../../src/job.ts'
import type { Simulation } from '../../src/simulation.ts'
import { withSimulation } from '../support/core.ts'
import { wasmCore } from '../support/engines.ts'
import { cases } from '../support/random.ts'
import { type Scenario, scenarios } from '../support/scenario.ts'

/** Reads the core's memory by the names of its map. */
function reader(simulation: Simulation) {
  const { layout, arena } = wasmCore
  const view = new DataView(arena.buffer)
  // biome-ignore lint/complexity/useLiteralKeys: private, and of no use to anybody else
  const sim = simulation['sim']
  const int = (address: number, field: string) => view.getInt32(address + layout[field], true)
  const record = (region: string, size: string) => (index: number) => int(sim, region) + index * layout[size]
  return {
    layout,
    int,
    double: (address: number, field: string) => view.getFloat64(address + layout[field], true),
    ofDirection: (field: string, direction: number) => view.getInt32(sim + layout[field] + 4 * direction, true),
    connection: record('SIM_CONNECTION', 'CONNECTION_BYTES'),
    link: record('SIM_LINK', 'LINK_BYTES'),
    sharing: record('SIM_SHARING', 'SHARING_BYTES'),
    hasWorkerLinks: int(sim, 'SIM_WORKER_LINKS') !== 0
  }
}

/** Sum of the values, rounded once (Neumaier). */
function exactSum(values: readonly number[]): number {
  let sum = 0
  let rest = 0
  for (const value of values) {
    const next = sum + value
    rest += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum
    sum = next
  }
  return sum + rest
}

/** The weights that share a server's link and the rates that are taken from it, of the workers that are not mixed. */
function demandOn(serverLink: number, memory: ReturnType<typeof reader>, { workers, servers }: Cluster) {
  const weights: number[] = []
  const taken: number[] = []
  for (let i = 0; i < 2 * workers.length * servers.length; i++) {
    const connection = memory.connection(i)
    const attached = memory.int(connection, 'CONNECTION_LINK')
    if (memory.int(connection, 'CONNECTION_SERVER_LINK') !== serverLink || attached < 0) continue
    const standing = memory.int(memory.link(memory.int(connection, 'CONNECTION_WORKER_LINK')), 'LINK_STATE')
    if (standing === memory.layout.STANDING_MIXED) continue
    const weight = memory.double(connection, 'CONNECTION_WEIGHT')
    if (attached === serverLink) weights.push(weight)
    else taken.push(weight * memory.double(memory.link(attached), 'LINK_LEVEL'))
  }
  return { weights, taken }
}

test('what a server’s link has been asked for is forgotten to the last bit when it is no longer wanted', () => {
  let compared = 0
  const exact = ({ job, cluster, steps }: Scenario) =>
    withSimulation(wasmCore, job, cluster, { phaseSpanUs: 1e5 }, simulation => {
      while (simulation.run(steps, 101) === 'paused') {
        const memory = reader(simulation)
        if (!memory.hasWorkerLinks) return
        for (let link = 0; link < 2 * cluster.servers.length; link++) {
          const sharing = memory.sharing(link)
          const { weights, taken } = demandOn(link, memory, cluster)
          expect(memory.int(sharing, 'SHARING_WEIGHT_COUNT')).toBe(weights.length)
          expect(memory.int(sharing, 'SHARING_TAKEN_COUNT')).toBe(taken.length)
          for (const [field, values] of [
            ['SHARING_WEIGHT', weights],
            ['SHARING_TAKEN', taken]
          ] as const) {
            const expected = exactSum(values)
            expect(Math.abs(memory.double(sharing, field) - expected)).toBeLessThanOrEqual(Number.EPSILON * expected)
            compared += values.length
          }
        }
      }
    })
  fc.assert(fc.property(scenarios({ workers: 8, stepsPerWorker: 20 }), exact), cases(60))
  expect(compared).toBeGreaterThan(1000)
})

test('with one server a worker is mixed only while it waits for its shares', () => {
  let settled = 0
  const none = ({ job, cluster, steps }: Scenario) =>
    withSimulation(wasmCore, job, cluster, { phaseSpanUs: 1e5 }, simulation => {
      while (simulation.run(steps, 7) === 'paused') {
        const memory = reader(simulation)
        if (!memory.hasWorkerLinks) return
        for (const direction of [0, 1]) {
          if (memory.ofDirection('SIM_UNSETTLED', direction) !== 0) continue
          settled++
          expect(memory.ofDirection('SIM_MIXED_COUNT', direction)).toBe(0)
        }
      }
    })
  fc.assert(fc.property(scenarios({ workers: 8, servers: 1 }), none), cases(60))
  expect(settled).toBeGreaterThan(1000)
})
