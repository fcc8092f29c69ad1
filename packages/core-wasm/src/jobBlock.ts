import { type Job, OperationKind } from './job.ts'
import type { Core } from './loadCore.ts'
import { SimulationError } from './simulationError.ts'

/** Job blocks in use, by core: a job that several simulations share lies in memory once. */
const blocks = new WeakMap<Core, Map<Job, { address: number; users: number }>>()

/** Job.dependencies are 16-bit. */
const MOST_DEPENDENCIES = 65535

/** Jobs found sound: a job is not to be changed once it was simulated. */
const checked = new WeakSet<Job>()

/** Address of the job's block in the core's memory. Give it back with releaseJob(). */
export function acquireJob(core: Core, job: Job): number {
  let ofCore = blocks.get(core)
  if (ofCore === undefined) {
    ofCore = new Map()
    blocks.set(core, ofCore)
  }
  let block = ofCore.get(job)
  if (block === undefined) {
    if (!checked.has(job)) checkJob(job)
    checked.add(job)
    block = { address: writeJob(core, job), users: 0 }
    ofCore.set(job, block)
  }
  block.users += 1
  return block.address
}

export function releaseJob(core: Core, job: Job): void {
  const ofCore = blocks.get(core)
  const block = ofCore?.get(job)
  if (ofCore === undefined || block === undefined) return
  block.users -= 1
  if (block.users > 0) return
  ofCore.delete(job)
  core.arena.release(block.address)
}

function writeJob(core: Core, job: Job): number {
  const { layout, arena } = core
  const joins = joinsOf(job)
  const parts = releasesOf(job)
  const countOf = (wanted: OperationKind) => job.kind.filter(kind => kind === wanted).length
  const arrays: Array<[string, ArrayBufferView]> = [
    ['JOB_KIND', job.kind],
    ['JOB_SERVER', job.server],
    ['JOB_JOIN_INDEX', joins.index],
    ['JOB_JOIN_DEPENDENCIES', joins.dependencies],
    ['JOB_SUCCESSOR_START', job.successorStart],
    ['JOB_SUCCESSORS', job.successors],
    ['JOB_AMOUNT', job.amount],
    ['JOB_RELEASE_OPERATION', job.releaseOperation],
    ['JOB_RELEASE_US', job.releaseUs],
    ['JOB_PULL_START', parts.pullStart],
    ['JOB_PULL_OPERATION', parts.pullOperation],
    ['JOB_PULL_US', parts.pullUs],
    ['JOB_OTHER_OPERATION', parts.otherOperation],
    ['JOB_OTHER_US', parts.otherUs]
  ]
  if (job.firstTurnBytes !== undefined) arrays.push(['JOB_FIRST_TURN', job.firstTurnBytes])
  if (job.messages !== undefined) arrays.push(['JOB_MESSAGES', Int32Array.from(job.messages)])
  if (job.priority !== undefined) arrays.push(['JOB_PRIORITY', ordinals(job.priority)])
  const bytes = arrays.reduce((sum, [, array]) => sum + Math.ceil(array.byteLength / 8) * 8, layout.JOB_HEADER_BYTES)
  const address = arena.allocate(bytes)
  const view = new DataView(arena.buffer)
  view.setInt32(address + layout.JOB_OPERATIONS, job.operations, true)
  view.setInt32(address + layout.JOB_TEMPLATES, job.templates, true)
  view.setInt32(address + layout.JOB_RELEASES, job.releaseOperation.length / job.templates, true)
  view.setInt32(address + layout.JOB_JOINS, joins.dependencies.length, true)
  view.setInt32(address + layout.JOB_PULL_SERVERS, parts.pullServers, true)
  view.setInt32(address + layout.JOB_OTHERS, parts.otherOperation.length / job.templates, true)
  view.setInt32(address + layout.JOB_PUSHES, countOf(OperationKind.push), true)
  view.setInt32(address + layout.JOB_PULLS, countOf(OperationKind.pull), true)
  let end = address + layout.JOB_HEADER_BYTES
  for (const [field, array] of arrays) {
    view.setInt32(address + layout[field], end, true)
    new Uint8Array(arena.buffer, end, array.byteLength).set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
    end += Math.ceil(array.byteLength / 8) * 8
  }
  return address
}

/** The same order in the fewest numbers: the core compares signed ones. */
function ordinals(ranks: Uint32Array): Int32Array {
  const ordinal = new Map([...new Set(ranks)].sort((a, b) => a - b).map((rank, i) => [rank, i]))
  return Int32Array.from(ranks, rank => ordinal.get(rank)!)
}

/** The operations with two or more dependencies: only they need a counter. */
function joinsOf(job: Job): { index: Int32Array; dependencies: Int32Array } {
  const index = new Int32Array(job.operations).fill(-1)
  const dependencies: number[] = []
  for (let operation = 0; operation < job.operations; operation++) {
    if (job.dependencies[operation] < 2) continue
    index[operation] = dependencies.length
    dependencies.push(job.dependencies[operation])
  }
  return { index, dependencies: Int32Array.from(dependencies) }
}

/** By job, which is not changed once it was checked: many simulations, one after the other, write the same. */
const splitJobs = new WeakMap<Job, ReturnType<typeof splitReleases>>()

function releasesOf(job: Job): ReturnType<typeof splitReleases> {
  const known = splitJobs.get(job) ?? splitReleases(job)
  splitJobs.set(job, known)
  return known
}

/** The job's releases in two parts: the pulls by template and server, the others by template. */
function splitReleases(job: Job) {
  const roots = job.releaseOperation.length / job.templates
  const isPull = (operation: number) => job.kind[operation] === OperationKind.pull
  const pullServers = job.releaseOperation.reduce(
    (most, operation) => (isPull(operation) ? Math.max(most, job.server[operation] + 1) : most),
    0
  )
  const pulls: number[] = []
  const others: number[] = []
  const pullStart = [0]
  for (let template = 0; template < job.templates; template++) {
    const ofServer: number[][] = Array.from({ length: pullServers }, () => [])
    for (let i = template * roots; i < (template + 1) * roots; i++) {
      const operation = job.releaseOperation[i]
      if (isPull(operation)) ofServer[job.server[operation]].push(i)
      else others.push(i)
    }
    for (const list of ofServer) {
      for (const release of list) pulls.push(release)
      pullStart.push(pulls.length)
    }
  }
  return {
    pullServers,
    pullStart: Int32Array.from(pullStart),
    pullOperation: Uint32Array.from(pulls, i => job.releaseOperation[i]),
    pullUs: Float64Array.from(pulls, i => job.releaseUs[i]),
    otherOperation: Uint32Array.from(others, i => job.releaseOperation[i]),
    otherUs: Float64Array.from(others, i => job.releaseUs[i])
  }
}

/** The core trusts its input; so everything that it would follow is checked here. */
function checkJob(job: Job): void {
  const n = job.operations
  const k = job.templates
  const roots = job.dependencies.reduce((count, dependencies) => count + (dependencies === 0 ? 1 : 0), 0)
  if (n < 1 || k < 1) throw new SimulationError(`the job has ${n} operations in ${k} templates: at least one of each is needed`)
  const lengths: Array<[string, number, number]> = [
    ['kind', job.kind.length, n],
    ['server', job.server.length, n],
    ['dependencies', job.dependencies.length, n],
    ['successorStart', job.successorStart.length, n + 1],
    ['successors', job.successors.length, job.successorStart[n]],
    ['amount', job.amount.length, k * n],
    ['releaseOperation', job.releaseOperation.length, k * roots],
    ['releaseUs', job.releaseUs.length, k * roots],
    ['firstTurnBytes', job.firstTurnBytes?.length ?? k * n, k * n],
    ['priority', job.priority?.length ?? n, n],
    ['messages', job.messages?.length ?? n, n]
  ]
  for (const [name, length, wanted] of lengths) {
    if (length !== wanted) throw new SimulationError(`job.${name} has ${length} entries instead of ${wanted}`)
  }
  const counted = new Int32Array(n)
  for (let i = 0; i < n; i++) {
    if (job.successorStart[i + 1] < job.successorStart[i]) throw new SimulationError(`job.successorStart falls at ${i}`)
  }
  for (const successor of job.successors) {
    if (successor >= n) throw new SimulationError(`job.successors names operation ${successor} of ${n}`)
    counted[successor] += 1
  }
  for (let i = 0; i < n; i++) {
    if (counted[i] > MOST_DEPENDENCIES) {
      throw new SimulationError(`operation ${i} has ${counted[i]} dependencies: at most ${MOST_DEPENDENCIES} are possible`)
    }
    if (counted[i] !== job.dependencies[i]) {
      throw new SimulationError(
        `operation ${i} has ${job.dependencies[i]} dependencies but is the successor of ${counted[i]} operations`
      )
    }
    if (job.kind[i] > OperationKind.delay) throw new SimulationError(`operation ${i} has the unknown kind ${job.kind[i]}`)
  }
  for (const [i, amount] of job.amount.entries()) {
    if (!(amount >= 0 && amount < Infinity))
      throw new SimulationError(`the amount of operation ${i % n} in template ${Math.floor(i / n)} is ${amount}`)
  }
  for (const [i, bytes] of (job.firstTurnBytes ?? []).entries()) {
    if (!(bytes > 0))
      throw new SimulationError(
        `the first turn of operation ${i % n} in template ${Math.floor(i / n)} is ${bytes} bytes: more than 0 is needed`
      )
  }
  for (const [i, messages] of (job.messages ?? []).entries()) {
    if (messages < 1) throw new SimulationError(`operation ${i} stands for ${messages} messages: at least 1 is needed`)
  }
  checkReleases(job, roots)
}

function checkReleases(job: Job, roots: number): void {
  for (let template = 0; template < job.templates; template++) {
    const seen = new Set<number>()
    for (let i = template * roots; i < (template + 1) * roots; i++) {
      const operation = job.releaseOperation[i]
      if (job.dependencies[operation] !== 0) throw new SimulationError(`operation ${operation} is released but has dependencies`)
      seen.add(operation)
      const previous = i > template * roots ? job.releaseUs[i - 1] : 0
      if (!(job.releaseUs[i] >= previous && job.releaseUs[i] < Infinity)) {
        throw new SimulationError(`job.releaseUs is not ascending in template ${template}: ${previous} before ${job.releaseUs[i]}`)
      }
    }
    if (seen.size !== roots)
      throw new SimulationError(`template ${template} releases ${seen.size} of ${roots} operations without dependencies`)
  }
}
