import { PROFILE_LIMITS } from '../limits.ts'
import type { Operation, Profile, ProfiledStep } from '../profile.ts'
import type { SharedOperations, SharedTransfers } from './align.ts'
import { findHoles, gapsInFront, mostAtOnce, SHORT_US } from './resources.ts'
import { median, roundUs } from './statistics.ts'
import type { Template } from './template.ts'
import type { StepTimes } from './times.ts'

/** Idle time of more than this share of a step is listed as a hole. */
const HOLE_SHARE = 0.1

/** The worker, then the servers, and which of them each operation runs on and each transfer arrives at. */
export interface Hosts {
  names: string[]
  index: Map<string, number>
  /** By operation and transfer, as `Graph` numbers them. */
  of: Int32Array
}

export function hostsOf(worker: string, servers: readonly string[], shared: SharedOperations, transfers: SharedTransfers): Hosts {
  const names = [worker, ...servers]
  const index = new Map(names.map((host, i) => [host, i]))
  const tasks = [...shared.operations.map(({ task }) => task), ...transfers.transfers.map(({ destination }) => destination)]
  return { names, index, of: Int32Array.from(tasks, task => index.get(task)!) }
}

/** The operations and transfers of the profile, in its order. */
export function describeOperations(
  { vertices, place, driven }: Template,
  types: readonly string[],
  hosts: Hosts,
  shared: SharedOperations,
  transfers: SharedTransfers,
  steps: readonly StepTimes[]
): Operation[] {
  const operationCount = shared.operations.length
  return vertices.map((vertex): Operation => {
    const dependencies = driven[vertex].map(dependency => place[dependency]).sort((a, b) => a - b)
    if (vertex < operationCount) {
      const host = hosts.of[vertex]
      const kind = host === 0 ? 'compute' : 'update'
      return {
        name: shared.operations[vertex].name,
        kind,
        type: types[vertex],
        server: Math.max(0, host - 1),
        bytes: 0,
        dependencies
      }
    }
    const { source, tensor } = transfers.transfers[vertex - operationCount]
    const isPull = hosts.of[vertex] === 0
    return {
      name: tensor,
      kind: isPull ? 'pull' : 'push',
      type: 'RecvTensor',
      server: (isPull ? hosts.index.get(source)! : hosts.of[vertex]) - 1,
      bytes: Math.round(median(steps.map(step => step.bytes[vertex]))),
      dependencies
    }
  })
}

/** Operations of the profile by host. */
export function resourcesOf({ vertices }: Template, hosts: Hosts, operationCount: number): number[][] {
  const resources: number[][] = hosts.names.map(() => [])
  for (const vertex of vertices) if (vertex < operationCount) resources[hosts.of[vertex]].push(vertex)
  return resources
}

/** One step as the profile holds it. */
export function describeStep(
  step: StepTimes,
  { vertices, place, driven }: Template,
  operations: readonly Operation[],
  resources: ReadonlyArray<readonly number[]>
): ProfiledStep {
  const gapUs = new Array<number>(vertices.length).fill(0)
  for (const resource of resources) {
    for (const [vertex, waitUs] of gapsInFront(step.startUs, step.endUs, driven, resource)) gapUs[place[vertex]] = roundUs(waitUs)
  }
  const bytes: Array<[number, number]> = []
  vertices.forEach((vertex, i) => {
    if (operations[i].type === 'RecvTensor' && step.bytes[vertex] !== operations[i].bytes) bytes.push([i, step.bytes[vertex]])
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

/** Most operations at once on the worker, and on one server, over all steps. */
export function concurrencyOf(steps: readonly StepTimes[], resources: ReadonlyArray<readonly number[]>): Profile['concurrency'] {
  let compute = 1
  let update = 1
  for (const { startUs, endUs } of steps) {
    resources.forEach((resource, host) => {
      const most = mostAtOnce(startUs, endUs, resource)
      if (host === 0) compute = Math.max(compute, most)
      else update = Math.max(update, most)
    })
  }
  const { concurrency: most } = PROFILE_LIMITS
  return { compute: Math.min(compute, most), update: Math.min(update, most) }
}

/** Holes of all steps. `names` are by vertex. */
export function holesOf(steps: readonly StepTimes[], names: readonly string[]): Profile['holes'] {
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
