import { checkProfile } from '../check.ts'
import type { Profile } from '../profile.ts'
import { type RawStep, TraceError } from '../rawStep.ts'
import { short } from '../text.ts'
import { type GraphTransfer, type SharedOperations, type SharedTransfers, shareOperations, shareTransfers } from './align.ts'
import { concurrencyOf, describeOperations, describeStep, holesOf, hostsOf, resourcesOf } from './assemble.ts'
import { estimateClocks } from './clocks.ts'
import type { Device } from './devices.ts'
import { buildGraph } from './graph.ts'
import { findHiddenDependencies } from './hiddenDependencies.ts'
import { choosePartition } from './partition.ts'
import { applyKernels, lastsSomeTime, lookUp, operationKey, readStep } from './readStep.ts'
import { findRoles, keepRoles, type Roles } from './roles.ts'
import { REASONS, Tally } from './tally.ts'
import { makeTemplate } from './template.ts'
import { imputeTransfers, relativeTimes } from './times.ts'
import { variablesOf } from './variables.ts'
import { type Findings, warningsOf } from './warnings.ts'

export interface ExtractOptions {
  /** Task to profile where a trace holds several workers: "/job:worker/replica:0/task:1". */
  worker?: string
}

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

  const lasting = tables.filter(lastsSomeTime)
  if (lasting.length === 0)
    throw new TraceError(
      `${short(tables[0].trace)}: all records of the step are of one moment; times are expected in µs since 1970`
    )
  const shared = shareOperations(lasting, tally)
  for (const table of tables) {
    if (lasting.includes(table)) continue
    shared.dropped.push({ trace: table.trace, reason: 'all records are of one moment' })
    tally.ignore(REASONS.droppedStep, table.pending)
  }
  const trace = shared.complete[0].trace
  if (!shared.operations.some(({ task }) => task === roles.worker)) {
    throw new TraceError(
      `${short(trace)}: transfers but no executed operations of ${short(roles.worker)}; trace with RunOptions.FULL_TRACE on the worker itself`
    )
  }
  const partition = choosePartition(lasting, shared)
  const transfers = shareTransfers(shared.complete, pullsAndPushes(partition?.transfers ?? [], roles), tally)
  if (transfers.transfers.length === 0) {
    throw new TraceError(
      `${short(trace)}: no transfers recorded between ${short(roles.worker)} and its servers in the complete steps`
    )
  }
  const graph = buildGraph(trace, shared, transfers, roles.worker, partition)

  const operationCount = shared.operations.length
  const clocks = estimateClocks(shared, transfers, graph.dependencies, roles.worker, roles.servers)
  const steps = relativeTimes(shared, transfers, graph.dependencies, roles, clocks.offsetUs)
  const imputedTransfers = imputeTransfers(steps, operationCount, graph.dependencies)
  const hosts = hostsOf(roles.worker, roles.servers, shared, transfers)
  const hidden = lasting.every(({ raw }) => raw.isGraphExact)
    ? { found: new Map<number, number>(), unexplained: [] }
    : findHiddenDependencies(steps, graph.dependencies, operationCount, hosts.of, hosts.names)
  const template = makeTemplate(graph.dependencies, hidden.found, shared, transfers, roles, steps)
  account(shared, transfers, template.kept, tally)

  const operations = describeOperations(template, graph.types, hosts, shared, transfers, steps)
  const resources = resourcesOf(template, hosts, operationCount)
  const profiled = steps.map(step => describeStep(step, template, operations, resources))
  const names = [...shared.operations.map(({ name }) => name), ...transfers.transfers.map(({ tensor }) => tensor)]
  const isTimeless = (i: number) => operations[i].type !== 'RecvTensor' && profiled.every(step => step.durationUs[i] === 0)
  const profile: Profile = {
    schema: 'foretrain/profile@1',
    traces: steps.map(step => step.trace),
    worker: roles.worker,
    servers: roles.servers,
    devices: deviceNames(rawSteps, devices),
    operations,
    variables: variablesOf(template, operations, roles.servers, shared, transfers, partition),
    steps: profiled,
    concurrency: concurrencyOf(steps, resources),
    clockOffsetUs: clocks.offsetUs,
    counts: {
      droppedSteps: shared.dropped,
      records: tally.records,
      used: tally.used,
      ignored: tally.ignored(),
      imputedTransfers,
      withoutDuration: operations.filter((_, i) => isTimeless(i)).length
    },
    holes: holesOf(steps, names),
    warnings: []
  }
  const findings: Findings = {
    ...{ shared, transfers, graph, clocks, hidden, otherClockKernels, peers, names },
    hasPartition: partition !== undefined,
    someCarriesGraph: lasting.some(table => table.raw.nodes.length > 0)
  }
  profile.warnings = [...warningsOf(profile, findings), ...checkProfile(profile)]
  return profile
}

function pullsAndPushes(announced: readonly GraphTransfer[], { worker, servers }: Roles): GraphTransfer[] {
  const known = new Set(servers)
  return announced.filter(
    ({ source, destination }) => (source === worker && known.has(destination)) || (destination === worker && known.has(source))
  )
}

/** Accounts for the records of complete steps. */
function account(shared: SharedOperations, transfers: SharedTransfers, kept: Uint8Array, tally: Tally): void {
  for (const table of shared.complete) {
    shared.operations.forEach(({ task, name }, i) => {
      const { records } = table.nodes.get(operationKey(task, name))!
      if (kept[i] === 1) tally.used += records
      else tally.ignore(REASONS.beforePush, records)
    })
  }
  for (const row of transfers.recorded) for (const record of row) if (record !== undefined) tally.used++
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
