import { type Job, type LogEntry, OperationKind } from '@foretrain/core-wasm'
import type { Profile } from '@foretrain/trace-parser'
import type { CompiledJob } from './compile/compile.ts'

/** Where the time of a step goes along its critical path, µs. They sum to its span. */
export interface PathTimes {
  /** Compute operations, and short operations of the worker. */
  compute: number
  /** Bytes at the full rate of the link. */
  wire: number
  /** What transfers took beyond that, waiting for or sharing with others, and waiting for server cores that others hold. */
  queue: number
  latency: number
  parse: number
  serverCpu: number
  /** From the step's start to the recorded release of the operation with which the path begins. */
  release: number
  /** Recorded idle time in front of operations that nothing modelled explains. */
  gap: number
}

/** What the walk needs to know about the job and the path. */
export interface WalkContext {
  job: Job
  /** [n] indices of operations that each operation waits for. */
  dependencies: number[][]
  /** [k · n] recorded gap inside the amount, as long as this worker takes for it. */
  gapUs: Float64Array
  /** [n] 1 where a delay stands for work of a server. */
  onServer: Uint8Array
  latencyUs: number
  /** On the worker's own host: what it exchanges with that server has no latency. */
  serverAtHome?: number
  /** Rate of a connection that is alone, bytes per µs, by server. */
  aloneBytesPerUs: (server: number) => number
}

/**
 * @param path as the worker that is walked has it; `aloneBytesPerUs` where it is not the same to all servers
 * @param computeScale of that worker: it stretches the gaps of compute as it does compute
 */
export function walkContext(
  profile: Profile,
  { job, operationOf, stepOf }: CompiledJob,
  path: { latencyUs: number; goodputBytesPerUs: number; serverAtHome?: number; aloneBytesPerUs?: (server: number) => number },
  computeScale = 1
): WalkContext {
  const dependencies: number[][] = Array.from({ length: job.operations }, () => [])
  for (let from = 0; from < job.operations; from++) {
    for (let i = job.successorStart[from]; i < job.successorStart[from + 1]; i++) dependencies[job.successors[i]].push(from)
  }
  const gapUs = new Float64Array(job.templates * job.operations)
  const steps = stepOf?.map(step => profile.steps[step]) ?? profile.steps
  steps.forEach((step, template) => {
    operationOf.forEach((recorded, operation) => {
      const scale = job.kind[operation] === OperationKind.compute ? computeScale : 1
      for (const id of recorded) gapUs[template * job.operations + operation] += scale * step.gapUs[id]
    })
  })
  const { aloneBytesPerUs = () => path.goodputBytesPerUs } = path
  const onServer = Uint8Array.from(operationOf, recorded =>
    profile.operations[recorded[recorded.length - 1]].kind === 'update' ? 1 : 0
  )
  return { job, dependencies, gapUs, onServer, latencyUs: path.latencyUs, serverAtHome: path.serverAtHome, aloneBytesPerUs }
}

/**
 * Walks back from the last operation of a step through what made each one start: the operation that held the slot or the connection
 * before it, else its latest dependency.
 *
 * @param entries all operations of one step of one worker
 * @param template which template the step played
 */
export function walkCriticalPath(
  context: WalkContext,
  entries: readonly LogEntry[],
  template: number,
  stepStartUs: number
): PathTimes {
  const byOperation: LogEntry[] = []
  for (const entry of entries) byOperation[entry.operation] = entry
  const times: PathTimes = { compute: 0, wire: 0, queue: 0, latency: 0, parse: 0, serverCpu: 0, release: 0, gap: 0 }
  let entry = latestToEnd(entries)
  let cursorUs = entry.endUs
  const wireShare = wireShares(context, entries, template)
  const spend = (where: keyof PathTimes, sinceUs: number) => {
    if (sinceUs >= cursorUs) return
    times[where] += cursorUs - sinceUs
    cursorUs = sinceUs
  }
  for (let left = 2 * entries.length; left > 0; left--) {
    const kind = context.job.kind[entry.operation]
    if (isTransfer(kind)) {
      const isAtHome = context.job.server[entry.operation] === context.serverAtHome
      spend('parse', entry.wireEndUs + (isAtHome ? 0 : context.latencyUs))
      spend('latency', entry.wireEndUs)
      spend('queue', entry.startUs + Math.max(0, cursorUs - entry.startUs) * wireShare(entry))
      spend('wire', entry.startUs)
    } else {
      const gapUs = context.gapUs[template * context.job.operations + entry.operation]
      const server = kind === OperationKind.update || context.onServer[entry.operation] === 1
      spend(server ? 'serverCpu' : 'compute', entry.startUs + gapUs)
      spend('gap', entry.startUs)
    }
    if (entry.startUs > entry.readyUs) {
      const holder = holderBefore(context.job, entries, entry)
      if (holder) {
        entry = holder
        continue
      }
      spend('queue', entry.readyUs)
    }
    const dependencies = context.dependencies[entry.operation]
    if (dependencies.length === 0) break
    entry = latestToEnd(dependencies.map(operation => byOperation[operation]))
    // Equal but for rounding, unless the connection waited out a stall between two turns.
    cursorUs = Math.min(cursorUs, entry.endUs)
  }
  spend('release', stepStartUs)
  return times
}

/**
 * For each connection of the worker, the share of its time on the wire that its bytes would take alone on the link. The rest went to other
 * connections (and acknowledgements). It is taken over the whole step, because streams that are cut into turns share their time on the wire.
 */
function wireShares(
  { job, aloneBytesPerUs }: WalkContext,
  entries: readonly LogEntry[],
  template: number
): (entry: LogEntry) => number {
  const connection = ({ operation }: LogEntry) => 2 * job.server[operation] + (job.kind[operation] === OperationKind.pull ? 0 : 1)
  const transfers = entries.filter(({ operation }) => isTransfer(job.kind[operation])).sort((a, b) => a.startUs - b.startUs)
  const bytes: number[] = []
  const busyUs: number[] = []
  const busyUntilUs: number[] = []
  for (const entry of transfers) {
    const c = connection(entry)
    const sinceUs = Math.max(entry.startUs, busyUntilUs[c] ?? entry.startUs)
    bytes[c] = (bytes[c] ?? 0) + job.amount[template * job.operations + entry.operation]
    busyUs[c] = (busyUs[c] ?? 0) + Math.max(0, entry.wireEndUs - sinceUs)
    busyUntilUs[c] = Math.max(entry.wireEndUs, sinceUs)
  }
  return entry => {
    const c = connection(entry)
    return busyUs[c] > 0 ? Math.min(1, bytes[c] / aloneBytesPerUs(job.server[entry.operation]) / busyUs[c]) : 1
  }
}

function isTransfer(kind: number): boolean {
  return kind === OperationKind.pull || kind === OperationKind.push
}

/** The operation whose end, or whose turn on the connection, let this one start; undefined when it was another worker's. */
function holderBefore(job: Job, entries: readonly LogEntry[], waiting: LogEntry): LogEntry | undefined {
  const kind = job.kind[waiting.operation]
  const server = job.server[waiting.operation]
  let holder: LogEntry | undefined
  for (const other of entries) {
    if (job.kind[other.operation] !== kind || other.startUs >= waiting.startUs) continue
    if (kind === OperationKind.compute ? other.endUs !== waiting.startUs : job.server[other.operation] !== server) continue
    const heldUntilUs = isTransfer(kind) ? other.wireEndUs : other.endUs
    if (heldUntilUs < waiting.startUs) continue
    if (kind === OperationKind.update && other.endUs !== waiting.startUs) continue
    if (!holder || other.startUs > holder.startUs) holder = other
  }
  return holder
}

function latestToEnd(entries: readonly LogEntry[]): LogEntry {
  let latest = entries[0]
  for (const entry of entries) if (entry.endUs > latest.endUs) latest = entry
  return latest
}
