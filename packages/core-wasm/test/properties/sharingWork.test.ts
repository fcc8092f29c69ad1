import { expect, test } from 'vitest'
import type { Cluster, ShareRow } from '../../src/job.ts'
import { cluster } from '../support/cluster.ts'
import { sharingVisits, withSimulation } from '../support/core.ts'
import { wasmCore } from '../support/engines.ts'
import { job, type OperationSpec } from '../support/job.ts'

/** Every worker pulls from each server, computes, and pushes to each; its connections send eight turns each way. */
function stepOn(servers: number) {
  const list: OperationSpec[] = []
  const bytes = (server: number, template: number) => 8e6 * (1 + 0.3 * Math.sin(1 + server + 5 * template))
  const templates = [0, 1, 2]
  for (let server = 0; server < servers; server++) list.push({ kind: 'pull', server, amount: templates.map(t => bytes(server, t)) })
  list.push({ kind: 'compute', amount: templates.map(t => 1e5 * (1 + t)), after: [...list.keys()] })
  for (let server = 0; server < servers; server++)
    list.push({ kind: 'push', server, amount: templates.map(t => bytes(server, t + 3)), after: [servers] })
  return job(list)
}

const RATE = 100
const rows: ShareRow[] = [{ startWeight: 0.05, rampUs: 1e6, spread: 0.3 }]
const nic = (rate: number) => ({ outBytesPerUs: rate, inBytesPerUs: rate })

function hosts(workers: number, servers: number, rateOf: (worker: number) => number, more: Partial<Cluster> = {}): Cluster {
  return cluster({
    workers: Array.from({ length: workers }, (_, worker) => ({ ...nic(rateOf(worker)), latencyUs: 100 })),
    servers: Array.from({ length: servers }, () => nic(RATE)),
    turns: { first: 1e6, later: 1e6 },
    ackFraction: 0.022,
    shares: { pull: rows, push: rows },
    ...more
  })
}

/** Links and connections looked at to find shares, an event. */
function visitsPerEvent(hosts: Cluster): number {
  const { length } = hosts.workers
  return withSimulation(wasmCore, stepOn(hosts.servers.length), hosts, { phaseSpanUs: 1e6 }, simulation => {
    simulation.run(4 * length)
    return sharingVisits(simulation) / simulation.statistics().events
  })
}

/** Spread over two powers of ten, in no order. */
const unequal = (worker: number) => RATE * 10 ** (-2 * ((worker * 0.618) % 1))

const kinds: [name: string, of: (workers: number) => Cluster][] = [
  ['equal links', workers => hosts(workers, 4, () => RATE)],
  ['a tenth of the workers behind slow links', workers => hosts(workers, 4, worker => (worker % 10 === 0 ? RATE / 10 : RATE))],
  ['unequal links and one server', workers => hosts(workers, 1, unequal)],
  ['limited connections', workers => hosts(workers, 4, () => RATE, { flowBytesPerUs: RATE / 3 })]
]

for (const [name, of] of kinds) {
  test(`sharing costs an event as little with 1,000 workers as with 50: ${name}`, async ({ annotate }) => {
    const [few, many] = [50, 1000].map(workers => visitsPerEvent(of(workers)))
    await annotate(`${few.toFixed(2)} visits an event with 50 workers, ${many.toFixed(2)} with 1,000`)
    expect(few).toBeGreaterThan(0)
    expect(many).toBeLessThan(2 * few)
  })
}

const onHosts = (workers: number, servers: number) =>
  hosts(workers, servers, () => RATE, { colocate: true, loopbackBytesPerUs: 50 * RATE })

for (const servers of [1, 4]) {
  test(`so it does with ${servers} of them on workers’ hosts`, async ({ annotate }) => {
    const [few, many] = [50, 1000].map(workers => visitsPerEvent(onHosts(workers, servers)))
    await annotate(`${few.toFixed(2)} visits an event with 50 workers, ${many.toFixed(2)} with 1,000`)
    expect(few).toBeGreaterThan(0)
    expect(many).toBeLessThan(2 * few)
  })
}

test('with as many servers as workers on their hosts it costs what all busy connections do', async ({ annotate }) => {
  const [few, many] = [4, 16].map(count => visitsPerEvent(onHosts(count, count)))
  await annotate(`${few.toFixed(0)} visits an event with 4 hosts, ${many.toFixed(0)} with 16`)
  // Some 2 · 4² and 2 · 16² connections.
  expect(many).toBeLessThan(2 * 16 * few)
})
