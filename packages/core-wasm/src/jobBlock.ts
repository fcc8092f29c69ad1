import { type Job, OperationKind } from './job.ts'
import type { Core } from './loadCore.ts'
import { SimulationError } from './simulationError.ts'

/** Job blocks in use, by core: a job that several simulations share lies in memory once. */
const blocks = new WeakMap<Core, Map<Job, { address: number; users: number }>>()

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
  const countOf = (wanted: OperationKind) => job.kind.filter(kind => kind === wanted).length
  const arrays: Array<[string, ArrayBufferView]> = [
    ['JOB_KIND', job.kind],
    ['JOB_SERVER', job.server],
    ['JOB_DEPENDENCIES', job.dependencies],
    ['JOB_SUCCESSOR_START', job.successorStart],
    ['JOB_SUCCESSORS', job.successors],
    ['JOB_AMOUNT', job.amount],
    ['JOB_RELEASE_OPERATION', job.releaseOperation],
    ['JOB_RELEASE_US', job.releaseUs]
  ]
  if (job.firstTurnBytes !== undefined) arrays.push(['JOB_FIRST_TURN', job.firstTurnBytes])
  const bytes = arrays.reduce((sum, [, array]) => sum + Math.ceil(array.byteLength / 8) * 8, layout.JOB_HEADER_BYTES)
  const address = arena.allocate(bytes)
  const view = new DataView(arena.buffer)
  view.setInt32(address + layout.JOB_OPERATIONS, job.operations, true)
  view.setInt32(address + layout.JOB_TEMPLATES, job.templates, true)
  view.setInt32(address + layout.JOB_RELEASES, job.releaseOperation.length / job.templates, true)
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
    ['firstTurnBytes', job.firstTurnBytes?.length ?? k * n, k * n]
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
