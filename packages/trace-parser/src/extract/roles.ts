import { PROFILE_LIMITS } from '../limits.ts'
import { TraceError } from '../rawStep.ts'
import { some } from '../text.ts'
import { compareTasks, jobOf, taskOf } from './devices.ts'
import { parseOperationLabel } from './labels.ts'
import type { StepTable } from './readStep.ts'
import { REASONS, type Tally } from './tally.ts'

/** Which task is the profiled worker and which are its servers, in the order of their numbers. */
export interface Roles {
  worker: string
  servers: string[]
}

/** What TensorFlow's cluster specifications call the job of the parameter servers. */
const SERVER_JOBS: ReadonlySet<string> = new Set(['ps', 'parameter_server', 'param_server', 'server'])
/** Operations that change variables run where the variables are. */
export const UPDATE_TYPE = /^(?:Resource)?(?:Sparse)?(?:Apply|Scatter|Assign)/

/**
 * Tells servers from workers: by the job's name, else by where variables are updated.
 *
 * @param chosen the worker to profile where the trace holds several
 * @throws TraceError when nothing crosses between tasks, when there are several workers and none is chosen, or no servers
 */
export function findRoles(tables: readonly StepTable[], chosen: string | undefined): Roles {
  const tasks = new Set<string>()
  let transfers = 0
  for (const table of tables) {
    for (const { task } of table.nodes.values()) tasks.add(task)
    for (const { source, destination } of table.transfers) {
      tasks.add(source)
      tasks.add(destination)
    }
    transfers += table.transfers.length
  }
  const where = tables.length === 1 ? tables[0].trace : `${tables[0].trace} and ${tables.length - 1} more`
  if (tasks.size === 0) {
    throw new TraceError(
      `${some([where])}: no operation with usable times: devices are expected to be named as in /job:worker/replica:0/task:0/device:CPU:0, times to be µs since 1970`
    )
  }
  if (transfers === 0) {
    throw new TraceError(
      `${some([where])}: no transfers recorded between tasks (devices of ${some([...tasks].sort(compareTasks))}); trace with RunOptions.FULL_TRACE in a session connected to the distributed cluster (gRPC; RDMA and verbs are not logged)`
    )
  }
  const isServer = serverTest(tables, tasks)
  const all = [...tasks].sort(compareTasks)
  const servers = all.filter(isServer)
  const workers = all.filter(task => !isServer(task))
  if (servers.length === 0 || workers.length === 0) {
    throw new TraceError(
      `${some([where])}: cannot tell parameter servers from workers among ${some(all)}; the servers' job is expected to be called "ps"`
    )
  }
  if (servers.length > PROFILE_LIMITS.servers)
    throw new TraceError(`${some([where])}: ${servers.length} parameter servers; at most ${PROFILE_LIMITS.servers} are possible`)
  return { worker: chooseWorker(where, workers, chosen), servers }
}

function serverTest(tables: readonly StepTable[], tasks: ReadonlySet<string>): (task: string) => boolean {
  const byName = [...tasks].some(task => SERVER_JOBS.has(jobOf(task)))
  if (byName) return task => SERVER_JOBS.has(jobOf(task))
  const updating = new Set<string>()
  for (const { nodes } of tables) {
    for (const { task, name, label } of nodes.values())
      if (UPDATE_TYPE.test(parseOperationLabel(name, label).type)) updating.add(task)
  }
  return task => updating.has(task)
}

function chooseWorker(where: string, workers: readonly string[], chosen: string | undefined): string {
  if (chosen !== undefined) {
    const wanted = taskOf(chosen)
    const found = workers.find(task => task === wanted)
    if (found === undefined) {
      throw new TraceError(`${some([where])}: no worker ${some([chosen])} in this trace; it holds ${some(workers, 8)}`)
    }
    return found
  }
  if (workers.length > 1) {
    throw new TraceError(
      `${some([where])}: ${workers.length} workers in one trace (${some(workers, 8)}); a profile is of one worker, so trace one that trains alone`
    )
  }
  return workers[0]
}

/** Removes what belongs to neither the worker nor a server, and transfers that are neither pull nor push. Returns the latter's number. */
export function keepRoles(table: StepTable, roles: Roles, tally: Tally): number {
  const servers = new Set(roles.servers)
  for (const [key, node] of table.nodes) {
    if (node.task === roles.worker || servers.has(node.task)) continue
    table.nodes.delete(key)
    table.pending -= node.records
    tally.ignore(REASONS.otherTask, node.records)
  }
  let peers = 0
  table.transfers = table.transfers.filter(({ source, destination }) => {
    const kept = (source === roles.worker && servers.has(destination)) || (destination === roles.worker && servers.has(source))
    if (kept) return true
    const known = (task: string) => task === roles.worker || servers.has(task)
    const peer = known(source) && known(destination)
    if (peer) peers++
    table.pending--
    tally.ignore(peer ? REASONS.peer : REASONS.otherTask)
    return false
  })
  for (const task of table.firstUs.keys()) {
    if (task === roles.worker || servers.has(task)) continue
    table.firstUs.delete(task)
    table.lastUs.delete(task)
  }
  return peers
}
