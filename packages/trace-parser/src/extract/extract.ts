import { checkProfile } from '../check.ts'
import type { Operation, Profile, ProfiledStep } from '../profile.ts'
import { type RawStep, TraceError } from '../rawStep.ts'
import { plain } from '../text.ts'
import { type SharedOperations, type SharedTransfers, shareOperations, shareTransfers } from './align.ts'
import { estimateClocks } from './clocks.ts'
import type { Device } from './devices.ts'
import { buildGraph } from './graph.ts'
import { findHiddenDependencies } from './hiddenDependencies.ts'
import { choosePartition } from './partition.ts'
import { applyKernels, type ExecutedNode, lookUp, readStep } from './readStep.ts'
import { findHoles, gapsInFront, mostAtOnce, SHORT_US } from './resources.ts'
import { findRoles, keepRoles, type Roles } from './roles.ts'
import { median, roundUs } from './statistics.ts'
import { REASONS, Tally } from './tally.ts'
import { imputeTransfers, relativeTimes, type StepTimes } from './times.ts'
import { sortTopologically } from './topology.ts'
import { type Findings, warningsOf } from './warnings.ts'

export interface ExtractOptions {
  /** Task to profile where a trace holds several workers: "/job:worker/replica:0/task:1". */
  worker?: string
}

/** Idle time of more than this share of a step is listed as a hole. */
const HOLE_SHARE = 0.1

/**
 * Makes the profile of one worker from the steps it was traced in: one list of operations that all steps share, with dependencies,
 * and per step their times on the worker's clock.
 *
 * @throws TraceError when there is no step, no transfer, more than one worker, no complete step, or a cyclic graph
 */
export function extract(rawSteps: readonly RawStep[], options: ExtractOptions = {}): Profile {
  if (rawSteps.length === 0) throw new TraceError('no steps: give at least one traced step of a worker (RunMetadata)')
  const tally = new Tally()
  const devices = new Map<string, Device | undefined>()
  const tables = rawSteps.map(raw => readStep(raw, tally, devices))
  const roles = findRoles(tables, options.worker)
  let otherClockKernels = 0
  let peers = 0
  for (const table of tables) {
    otherClockKernels += applyKernels(table, roles.worker, tally)
    peers += keepRoles(table, roles, tally)
  }
  const shared = shareOperations(tables, tally)
  const partition = choosePartition(tables, shared)
  const announced = (partition?.transfers ?? []).filter(({ source, destination }) => isPullOrPush(roles, source, destination))
  const transfers = shareTransfers(shared.complete, announced, tally)
  if (transfers.transfers.length === 0) {
    throw new TraceError(
      `${plain(shared.complete[0].trace)}: no transfers recorded between ${plain(roles.worker)} and its servers in the complete steps`
    )
  }
  const trace = shared.complete[0].trace
  const graph = buildGraph(trace, shared, transfers, roles.worker, partition)
  const operationCount = shared.operations.length

  const clocks = estimateClocks(shared, transfers, graph.dependencies, roles.worker, roles.servers)
  const steps = relativeTimes(shared, transfers, graph.dependencies, roles, clocks.offsetUs)
  const imputed = imputeTransfers(steps, operationCount, graph.dependencies)

  const hosts = [roles.worker, ...roles.servers]
  const hostOf = Int32Array.from([
    ...shared.operations.map(({ task }) => hosts.indexOf(task)),
    ...transfers.transfers.map(({ destination }) => hosts.indexOf(destination))
  ])
  const hidden = findHiddenDependencies(steps, graph.dependencies, operationCount, hostOf, hosts)
  const dependencies = withHidden(graph.dependencies, hidden.found)
  const { order: draft } = sortTopologically(dependencies)
  const kept = keepDriven(dependencies, draft, shared, transfers, roles)
  const { vertices, place } = finalOrder(dependencies, kept, steps)

  account(shared, transfers, kept, tally)
  const driven = dependencies.map(list => list.filter(dependency => kept[dependency] === 1))
  const isPull = (vertex: number) => transfers.transfers[vertex - operationCount].destination === roles.worker
  const operations = vertices.map((vertex): Operation => {
    const lower = driven[vertex].map(dependency => place[dependency])
    const ordered = lower.sort((a, b) => a - b)
    if (vertex < operationCount) {
      const { task, name } = shared.operations[vertex]
      const server = roles.servers.indexOf(task)
      return {
        name,
        kind: task === roles.worker ? 'compute' : 'update',
        type: graph.types[vertex],
        server: Math.max(0, server),
        bytes: 0,
        dependencies: ordered
      }
    }
    const { source, destination, tensor } = transfers.transfers[vertex - operationCount]
    return {
      name: tensor,
      kind: isPull(vertex) ? 'pull' : 'push',
      type: 'RecvTensor',
      server: roles.servers.indexOf(isPull(vertex) ? source : destination),
      bytes: Math.round(median(steps.map(step => step.bytes[vertex]))),
      dependencies: ordered
    }
  })
  const resources = hosts.map((_, host) => vertices.filter(vertex => vertex < operationCount && hostOf[vertex] === host))
  const profiled = steps.map(step => profiledStep(step, vertices, place, operations, driven, resources, operationCount))
  const profile: Profile = {
    schema: 'foretrain/profile@1',
    traces: steps.map(step => step.trace),
    worker: roles.worker,
    servers: roles.servers,
    devices: deviceNames(rawSteps, devices),
    operations,
    steps: profiled,
    concurrency: concurrencyOf(steps, resources),
    clockOffsetUs: clocks.offsetUs,
    counts: {
      droppedSteps: shared.dropped,
      records: tally.records,
      used: tally.used,
      ignored: tally.ignored(),
      imputedTransfers: imputed,
      withoutDuration: operations.filter(
        (operation, i) => operation.type !== 'RecvTensor' && profiled.every(step => step.durationUs[i] === 0)
      ).length
    },
    holes: holesOf(steps, [...shared.operations.map(({ name }) => name), ...transfers.transfers.map(({ tensor }) => tensor)]),
    warnings: []
  }
  const findings: Findings = {
    shared,
    transfers,
    graph,
    clocks,
    hidden,
    hasPartition: partition !== undefined,
    someCarriesGraph: tables.some(table => table.raw.nodes.length > 0),
    otherClockKernels,
    peers,
    roundedTransfers: roundedTransfers(transfers),
    nameOf: vertex =>
      vertex < operationCount ? shared.operations[vertex].name : transfers.transfers[vertex - operationCount].tensor
  }
  profile.warnings = [...warningsOf(profile, findings), ...checkProfile(profile)]
  return profile
}

function isPullOrPush(roles: Roles, source: string, destination: string): boolean {
  return (
    (source === roles.worker && roles.servers.includes(destination)) ||
    (destination === roles.worker && roles.servers.includes(source))
  )
}

/** Adds hidden dependencies that do not close a cycle; a found one that would is forgotten. */
function withHidden(dependencies: readonly number[][], found: Map<number, number>): number[][] {
  if (found.size === 0) return dependencies.map(list => [...list])
  const all = dependencies.map((list, vertex) => (found.has(vertex) ? [...list, found.get(vertex)!] : [...list]))
  for (const vertex of sortTopologically(all).cyclic) {
    if (!found.has(vertex)) continue
    found.delete(vertex)
    all[vertex] = [...dependencies[vertex]]
  }
  return all
}

/**
 * Operations and transfers that belong to the template: everything but server operations without a push among their ancestors. Those
 * produce what is pulled, depend on the step's start alone, and are covered by the recorded order of the pulls.
 */
function keepDriven(
  dependencies: readonly number[][],
  order: readonly number[],
  shared: SharedOperations,
  transfers: SharedTransfers,
  roles: Roles
): Uint8Array {
  const operationCount = shared.operations.length
  const afterPush = new Uint8Array(dependencies.length)
  const kept = new Uint8Array(dependencies.length).fill(1)
  for (const vertex of order) {
    const isPush = vertex >= operationCount && transfers.transfers[vertex - operationCount].source === roles.worker
    afterPush[vertex] = isPush || dependencies[vertex].some(dependency => afterPush[dependency] === 1) ? 1 : 0
    if (vertex < operationCount && shared.operations[vertex].task !== roles.worker) kept[vertex] = afterPush[vertex]
  }
  return kept
}

/** Kept vertices in topological order, ties by median recorded start, and the place of each. */
function finalOrder(
  dependencies: readonly number[][],
  kept: Uint8Array,
  steps: readonly StepTimes[]
): { vertices: number[]; place: Int32Array } {
  const reduced = dependencies.map((list, vertex) => (kept[vertex] === 1 ? list.filter(dependency => kept[dependency] === 1) : []))
  const startUs = reduced.map((_, vertex) => median(steps.map(step => step.startUs[vertex])))
  const vertices = sortTopologically(reduced, startUs).order.filter(vertex => kept[vertex] === 1)
  const place = new Int32Array(dependencies.length).fill(-1)
  vertices.forEach((vertex, i) => {
    place[vertex] = i
  })
  return { vertices, place }
}

/** Accounts for the records of complete steps. */
function account(shared: SharedOperations, transfers: SharedTransfers, kept: Uint8Array, tally: Tally): void {
  for (const table of shared.complete) {
    shared.operations.forEach(({ task, name }, i) => {
      const { records } = table.nodes.get(`${task}\n${name}`) as ExecutedNode
      if (kept[i] === 1) tally.used += records
      else tally.ignore(REASONS.beforePush, records)
    })
  }
  for (const row of transfers.recorded) for (const record of row) if (record !== undefined) tally.used++
}

function profiledStep(
  step: StepTimes,
  vertices: readonly number[],
  place: Int32Array,
  operations: readonly Operation[],
  driven: readonly number[][],
  resources: ReadonlyArray<readonly number[]>,
  operationCount: number
): ProfiledStep {
  const gapUs = new Array<number>(vertices.length).fill(0)
  for (const resource of resources) {
    for (const [vertex, waitUs] of gapsInFront(step.startUs, step.endUs, driven, resource)) gapUs[place[vertex]] = roundUs(waitUs)
  }
  const bytes: Array<[number, number]> = []
  vertices.forEach((vertex, i) => {
    if (vertex >= operationCount && step.bytes[vertex] !== operations[i].bytes) bytes.push([i, step.bytes[vertex]])
  })
  const startUs = vertices.map(vertex => roundUs(step.startUs[vertex]))
  const profiled: ProfiledStep = {
    trace: step.trace,
    spanUs: roundUs(step.spanUs),
    durationUs: vertices.map(vertex => roundUs(step.durationUs[vertex])),
    gapUs,
    startUs,
    endUs: vertices.map((vertex, i) => Math.max(startUs[i], roundUs(step.endUs[vertex]))),
    imputed: step.imputed.map(vertex => place[vertex]).sort((a, b) => a - b)
  }
  if (bytes.length > 0) profiled.bytes = bytes
  return profiled
}

function concurrencyOf(steps: readonly StepTimes[], resources: ReadonlyArray<readonly number[]>): Profile['concurrency'] {
  let compute = 1
  let update = 1
  for (const { startUs, endUs } of steps) {
    resources.forEach((resource, host) => {
      const most = mostAtOnce(startUs, endUs, resource)
      if (host === 0) compute = Math.max(compute, most)
      else update = Math.max(update, most)
    })
  }
  return { compute, update }
}

function holesOf(steps: readonly StepTimes[], names: readonly string[]): Profile['holes'] {
  return steps.flatMap(({ startUs, endUs, spanUs }, step) =>
    findHoles(startUs, endUs, spanUs, Math.max(HOLE_SHARE * spanUs, SHORT_US)).map(hole => ({
      step,
      startUs: roundUs(hole.startUs),
      durationUs: roundUs(hole.durationUs),
      before: hole.before < 0 ? '' : names[hole.before],
      after: hole.after < 0 ? '' : names[hole.after]
    }))
  )
}

function deviceNames(rawSteps: readonly RawStep[], devices: Map<string, Device | undefined>): string[] {
  const names = new Set<string>()
  for (const { devices: recorded } of rawSteps) {
    for (const { device } of recorded) {
      const parsed = lookUp(device, devices)
      if (parsed !== undefined) names.add(parsed.canonical)
    }
  }
  return [...names].sort()
}

function roundedTransfers(transfers: SharedTransfers): number {
  let rounded = 0
  for (const row of transfers.recorded) for (const record of row) if (record?.rounded === true) rounded++
  return rounded
}
