import fc from 'fast-check'
import type { Cluster, Job, Mode, Priority, ShareRow, WorkerHost } from '../../src/job.ts'
import { cluster } from './cluster.ts'
import { job, type OperationSpec } from './job.ts'

export interface Scenario {
  job: Job
  cluster: Cluster
  /** Of all workers together. */
  steps: number
}

/** Uniform, never a favourite edge value: two events at nearly one time would make the outcome depend on rounding. */
const between = (min: number, max: number) => fc.noBias(fc.double({ min, max, noNaN: true }))
const bytesBetween = (min: number, max: number) => fc.noBias(fc.integer({ min, max }))
const chance = (percent: number) => fc.noBias(fc.integer({ min: 0, max: 99 })).map(value => value < percent)
/** `off` in about half of the cases. */
const switchable = <T>(off: T, on: fc.Arbitrary<T>) => chance(50).chain(isOff => (isOff ? fc.constant(off) : on))

const finiteBandwidth = between(20, 100)
const anyBandwidth = switchable(Infinity, finiteBandwidth)
const nicOf = (bandwidth: fc.Arbitrary<number>) => ({ outBytesPerUs: bandwidth, inBytesPerUs: bandwidth })
const parse = switchable(
  { slots: 10, perByteUs: 0, fixedUs: 0 },
  fc.record({ slots: fc.integer({ min: 1, max: 3 }), perByteUs: between(0.001, 0.02), fixedUs: between(100, 5000) })
)

const shareRows = (luck: boolean): fc.Arbitrary<ShareRow[]> =>
  fc.array(
    fc.record({
      startWeight: between(0.01, 1),
      rampUs: switchable(0, between(1e5, 3e6)),
      spread: luck ? switchable(0, between(0.05, 0.9)) : fc.constant(0)
    }),
    { minLength: 0, maxLength: 3, size: 'max' }
  )

export interface ClusterLimits {
  workers?: number
  servers?: number
  /** Whether connections may draw their shares, and steps straggle: by the number of the worker. */
  luck?: boolean
  /** How workers wait for each other. Default: not at all. */
  modes?: fc.Arbitrary<Mode>
  /** Servers on workers' hosts; otherwise none are. */
  colocate?: boolean
}

const workerHost = (bandwidth: fc.Arbitrary<number>, luck: boolean) =>
  fc.record({
    ...nicOf(bandwidth),
    computeScale: between(0.5, 2),
    latencyUs: switchable(0, between(1e3, 5e4)),
    straggler: luck
      ? switchable(undefined, fc.record({ probability: between(0, 1), factor: between(1, 4) }))
      : fc.constant(undefined)
  })
const serverHost = (bandwidth: fc.Arbitrary<number>) =>
  fc.record(
    { ...nicOf(bandwidth), updateScale: between(0.5, 2), updateSlots: fc.integer({ min: 1, max: 3 }) },
    { requiredKeys: ['outBytesPerUs', 'inBytesPerUs', 'updateScale'] }
  )

/** In half of the clusters some workers have far slower links than the others: then these are the bottleneck even where many share a server. */
const slowdowns = switchable(1, between(0.02, 0.5))
const slowable = (hosts: fc.Arbitrary<WorkerHost[]>): fc.Arbitrary<WorkerHost[]> =>
  chance(50).chain(areEqual =>
    areEqual
      ? hosts
      : hosts.chain(list =>
          fc.array(slowdowns, { minLength: list.length, maxLength: list.length }).map(factors =>
            list.map((host, i) => ({
              ...host,
              outBytesPerUs: host.outBytesPerUs * factors[i],
              inBytesPerUs: host.inBytesPerUs * factors[i]
            }))
          )
        )
  )

/** Either side may have infinite links, but not both: transfers that take no time at all end in a tie. */
const hosts = (workers: number, servers: number, luck: boolean) =>
  fc.constantFrom([anyBandwidth, finiteBandwidth], [finiteBandwidth, anyBandwidth]).chain(([ofWorkers, ofServers]) =>
    fc.record({
      workers: slowable(fc.array(workerHost(ofWorkers, luck), { minLength: 1, maxLength: workers, size: 'max' })),
      servers: fc.array(serverHost(ofServers), { minLength: 1, maxLength: servers, size: 'max' })
    })
  )

const serverMessage = fc.record({
  slots: fc.integer({ min: 1, max: 3 }),
  pullPerByteUs: between(0.001, 0.02),
  pullFixedUs: between(100, 5000)
})

/**
 * A few chunks of a transfer, or whole tensors one after the other. Few, because each time that a connection is back on a link of unequal shares the
 * rounding of when it came may grow a hundredfold.
 */
const priority: fc.Arbitrary<Priority> = fc
  .record({
    partitionBytes: chance(15).chain(isWhole => (isWhole ? fc.constant(Infinity) : bytesBetween(1e7, 3e7))),
    creditChunks: chance(30).chain(isOne => (isOne ? fc.constant(1) : between(1, 3.5))),
    chunkUs: switchable(0, between(1e3, 1e5)),
    directions: fc.noBias(fc.constantFrom({ pull: true, push: true }, { pull: true, push: false }, { pull: false, push: true }))
  })
  .map(({ partitionBytes, creditChunks, chunkUs, directions }) => {
    const creditBytes = Math.floor(creditChunks * (partitionBytes === Infinity ? 1e7 : partitionBytes))
    return { partitionBytes, creditBytes, chunkUs, ...directions }
  })

/** Bounded staleness, without a bound now and then. */
export const sspModes: fc.Arbitrary<Mode> = fc.record({
  kind: fc.constant('ssp' as const),
  staleness: fc.constantFrom(0, 1, 2, 3, Infinity)
})
/** Synchronous rounds; `clusters` leaves at least one worker that is no backup. */
export const syncModes: fc.Arbitrary<Mode> = fc.record({
  kind: fc.constant('sync' as const),
  backup: fc.noBias(fc.integer({ min: 0, max: 3 })),
  accumulateScale: between(0.1, 2)
})

export const allModes: fc.Arbitrary<Mode> = fc.oneof(fc.constant<Mode>({ kind: 'async' }), sspModes, syncModes)

function withinCluster(mode: Mode | undefined, workers: number): Mode | undefined {
  return mode?.kind === 'sync' ? { ...mode, backup: Math.min(mode.backup, workers - 1) } : mode
}

/** A worker and the server on its host have one link each way: the slower of what each was given, one of which is finite. */
function colocated(cluster: Cluster): Cluster {
  const { workers, servers } = cluster
  const nicOf = (index: number) => ({
    outBytesPerUs: Math.min(workers[index].outBytesPerUs, servers[index].outBytesPerUs),
    inBytesPerUs: Math.min(workers[index].inBytesPerUs, servers[index].inBytesPerUs)
  })
  const shared = Math.min(workers.length, servers.length)
  return {
    ...cluster,
    workers: workers.map((worker, i) => (i < shared ? { ...worker, ...nicOf(i) } : worker)),
    servers: servers.map((server, i) => (i < shared ? { ...server, ...nicOf(i) } : server)),
    colocate: true
  }
}

/** A loopback without a limit would make transfers that take no time. */
const loopbacks = between(30, 300)

export function clusters({ colocate = false, ...limits }: ClusterLimits = {}): fc.Arbitrary<Cluster> {
  if (!colocate) return separateHosts(limits)
  return fc
    .tuple(separateHosts(limits), loopbacks)
    .map(([hosts, loopbackBytesPerUs]) => ({ ...colocated(hosts), loopbackBytesPerUs }))
}

function separateHosts({ workers = 4, servers = 3, luck = true, modes }: ClusterLimits): fc.Arbitrary<Cluster> {
  return fc
    .record({
      hosts: hosts(workers, servers, luck),
      computeSlots: fc.integer({ min: 1, max: 3 }),
      updateSlots: fc.integer({ min: 1, max: 3 }),
      workerParse: parse,
      serverParse: parse,
      turns: switchable(
        { first: Infinity, later: Infinity },
        fc.record({ first: bytesBetween(1e6, 2e7), later: bytesBetween(1e6, 2e7) })
      ),
      stepOverheadUs: switchable(0, between(1e3, 1e5)),
      ackFraction: switchable(0, between(0.01, 0.3)),
      queueUs: switchable(undefined, fc.record({ pull: between(1e3, 5e4), push: between(1e3, 5e4) })),
      startDelayUs: switchable(undefined, fc.record({ pull: between(1e3, 5e4), push: between(1e3, 5e4) })),
      burstBytes: switchable(undefined, between(1e4, 5e5)),
      flowBytesPerUs: switchable(undefined, between(10, 80)),
      serverMessage: switchable(undefined, serverMessage),
      sharedServerCpu: chance(50),
      priority: switchable(undefined, priority),
      shares: switchable(undefined, fc.record({ pull: shareRows(luck), push: shareRows(luck) })),
      mode: modes ?? fc.constant(undefined)
    })
    .map(({ hosts, ...rest }) => {
      const slots = rest.sharedServerCpu ? rest.serverParse.slots : rest.serverMessage?.slots
      const mode = withinCluster(rest.mode, hosts.workers.length)
      return cluster({ ...hosts, ...rest, mode, serverMessage: rest.serverMessage && { ...rest.serverMessage, slots: slots! } })
    })
}

interface RandomOperation {
  kind: OperationSpec['kind']
  server: number
  us: number[]
  bytes: number[]
  releaseUs: number[]
  firstTurnBytes: number[]
  priority: number
  messages: number
  /** Bit j: operation j must complete first, if it is one of those before. */
  afterBits: number
}

const TEMPLATES = 3

const randomOperation = fc.record<RandomOperation>({
  kind: fc.noBias(fc.constantFrom('compute', 'update', 'pull', 'push', 'delay', 'pull', 'push')),
  server: fc.noBias(fc.integer({ min: 0, max: 5 })),
  us: fc.array(between(2e5, 2e6), { minLength: TEMPLATES, maxLength: TEMPLATES }),
  bytes: fc.array(bytesBetween(1e6, 5e7), { minLength: TEMPLATES, maxLength: TEMPLATES }),
  releaseUs: fc.array(switchable(0, between(1e3, 5e5)), { minLength: TEMPLATES, maxLength: TEMPLATES }),
  firstTurnBytes: fc.array(bytesBetween(1e6, 2e7), { minLength: TEMPLATES, maxLength: TEMPLATES }),
  // Some equal, some not.
  priority: fc.noBias(fc.integer({ min: 0, max: 5 })),
  messages: fc.noBias(fc.integer({ min: 1, max: 4 })),
  // Each bit is set in a quarter of the cases.
  afterBits: fc.tuple(bytesBetween(0, 4095), bytesBetween(0, 4095)).map(([a, b]) => a & b)
})

interface Shape {
  templates: number
  stagger: boolean
  /** Whether each stream has a window of its own for its first turn. */
  ownWindows: boolean
  ownPriorities: boolean
  /** Whether some transfers stand for several messages. */
  manyMessages: boolean
}

/** With a stagger, operation 0 computes before everything else: workers of different speed then never do the same at one time. */
function specsOf(random: readonly RandomOperation[], order: readonly number[], servers: number, shape: Shape): OperationSpec[] {
  const { templates, stagger } = shape
  const numbered = random.map((operation, index): OperationSpec => {
    const isTransfer = operation.kind === 'pull' || operation.kind === 'push'
    const dependencies = random.flatMap((_, other) => (other < index && (operation.afterBits >> other) & 1 ? [order[other]] : []))
    const isRoot = dependencies.length === 0
    return {
      kind: operation.kind,
      server: operation.server % servers,
      ...(shape.ownWindows && isTransfer && { firstTurnBytes: operation.firstTurnBytes.slice(0, templates) }),
      ...(shape.ownPriorities && isTransfer && { priority: operation.priority }),
      ...(shape.manyMessages && isTransfer && { messages: operation.messages }),
      amount: (isTransfer ? operation.bytes : operation.us).slice(0, templates),
      ...(isRoot && !stagger ? { releaseUs: operation.releaseUs.slice(0, templates) } : { after: dependencies })
    }
  })
  // Numbers carry no order: a dependency may have the higher one.
  const specs = order.map((_, position) => numbered[order.indexOf(position)])
  if (!stagger) return specs
  const first: OperationSpec = { kind: 'compute', amount: random[0].us.slice(0, templates) }
  return [first, ...specs.map(spec => ({ ...spec, after: spec.after?.length ? spec.after.map(index => index + 1) : [0] }))]
}

export interface JobLimits {
  operations?: number
  stagger?: boolean
}

export function specs(servers: number, { operations = 12, stagger }: JobLimits = {}): fc.Arbitrary<OperationSpec[]> {
  return fc
    .record({
      random: fc.array(randomOperation, { minLength: 1, maxLength: operations - 1, size: 'max' }),
      templates: fc.integer({ min: 1, max: TEMPLATES }),
      stagger: stagger === undefined ? chance(80) : fc.constant(stagger),
      ownWindows: chance(25),
      ownPriorities: chance(75),
      manyMessages: chance(25)
    })
    .chain(({ random, ...shape }) =>
      fc
        .noBias(fc.shuffledSubarray([...random.keys()], { minLength: random.length }))
        .map(order => specsOf(random, order, servers, shape))
    )
}

export function scenarios(limits: ClusterLimits & JobLimits & { stepsPerWorker?: number } = {}): fc.Arbitrary<Scenario> {
  return clusters(limits).chain(hosts =>
    specs(hosts.servers.length, limits).map(list => ({
      job: job(list),
      cluster: hosts,
      steps: (limits.stepsPerWorker ?? 5) * hosts.workers.length
    }))
  )
}
