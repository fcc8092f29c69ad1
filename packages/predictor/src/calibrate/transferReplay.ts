import { type Core, type Job, OperationKind } from '@foretrain/core-wasm'
import type { Profile } from '@foretrain/trace-parser'
import type { TransportName } from '../question.ts'
import type { Path } from '../transport.ts'
import { JobsOnPaths } from './jobsOnPaths.ts'
import { playInOrder, tracedCluster } from './oneWorker.ts'
import { stepBytes } from './stepBytes.ts'

export type Direction = 'pull' | 'push'

/** How far simulated ends of transfers are from the recorded ones. */
interface EndErrors {
  /** Mean of d/(d + d₀) over transfers, 0 to 1, where d = |simulated − recorded| and d₀ is `toleranceUs`. */
  loss: number
  medianUs: number
}

/** An end that is off by this share of a step counts half. */
const toleranceShare = 0.005

/**
 * Replays the recorded transfers alone: each is ready at its recorded start, whatever compute did, and its simulated end is compared with the
 * recorded one. Errors of one transfer so do not run on through compute into the next phase.
 *
 * The loss saturates: windows differ from turn to turn in ways that the model has no name for, and a stream cut short by one ends hundreds of ms
 * off while its neighbours are right to the millisecond. Those many tell the goodput; a mean of distances would follow the few.
 */
export class TransferReplay {
  readonly #core: Core
  readonly #profile: Profile
  readonly #transport: TransportName
  readonly #job: Job
  /** [k · n] NaN where the record was lost. */
  readonly #recordedEndUs: Float64Array
  readonly #jobs: JobsOnPaths
  readonly #toleranceUs: number

  /** @param templates indices of the steps to replay */
  constructor(core: Core, profile: Profile, transport: TransportName, templates: readonly number[]) {
    this.#core = core
    this.#profile = profile
    this.#transport = transport
    const steps = templates.map(template => profile.steps[template])
    this.#toleranceUs = (toleranceShare * steps.reduce((sum, step) => sum + step.spanUs, 0)) / steps.length
    const ids = profile.operations.flatMap((operation, id) => (operation.kind === 'pull' || operation.kind === 'push' ? [id] : []))
    this.#job = transfersOnly(profile, steps, ids)
    this.#jobs = new JobsOnPaths({ job: this.#job, operationOf: ids.map(id => [id]) }, templates)
    this.#recordedEndUs = new Float64Array(steps.length * ids.length)
    steps.forEach((step, template) => {
      const imputed = new Set(step.imputed)
      ids.forEach((id, index) => {
        this.#recordedEndUs[template * ids.length + index] = imputed.has(id) ? Number.NaN : step.endUs[id]
      })
    })
  }

  errors(path: Path): Record<Direction, EndErrors> {
    const distances: Record<Direction, number[]> = { pull: [], push: [] }
    this.#compare(path, (kind, _queued, distanceUs) => {
      distances[kind === OperationKind.pull ? 'pull' : 'push'].push(distanceUs)
    })
    return { pull: this.#summarise(distances.pull), push: this.#summarise(distances.push) }
  }

  /** Transfers in a step that went on the wire behind another one of their connection. */
  queuedPerStep(path: Path): number {
    let count = 0
    this.#compare(path, (_kind, queued) => {
      if (queued) count += 1
    })
    return count / this.#job.templates
  }

  #compare(path: Path, visit: (kind: number, queued: boolean, distanceUs: number) => void): void {
    const { log } = playInOrder(this.#core, this.#jobs.on(path), tracedCluster(this.#profile, this.#transport, path), true)
    for (let template = 0; template < log.length; template++) {
      for (const { operation, readyUs, startUs, endUs } of log[template]) {
        const recordedUs = this.#recordedEndUs[template * this.#job.operations + operation]
        if (!Number.isNaN(recordedUs)) visit(this.#job.kind[operation], startUs > readyUs, Math.abs(endUs - recordedUs))
      }
    }
  }

  #summarise(distancesUs: number[]): EndErrors {
    let loss = 0
    for (const distance of distancesUs) loss += distance / (distance + this.#toleranceUs)
    const sorted = Float64Array.from(distancesUs).sort()
    return { loss: sorted.length > 0 ? loss / sorted.length : 0, medianUs: sorted[sorted.length >> 1] ?? 0 }
  }
}

function transfersOnly(profile: Profile, steps: Profile['steps'], ids: readonly number[]): Job {
  const n = ids.length
  const amount = new Float64Array(steps.length * n)
  const releaseOperation: number[] = []
  const releaseUs: number[] = []
  steps.forEach((step, template) => {
    const bytesOf = stepBytes(profile, step)
    ids.forEach((id, index) => {
      amount[template * n + index] = bytesOf(id)
    })
    const order = Array.from(ids.keys()).sort((a, b) => step.startUs[ids[a]] - step.startUs[ids[b]] || a - b)
    for (const index of order) {
      releaseOperation.push(index)
      releaseUs.push(Math.max(0, step.startUs[ids[index]]))
    }
  })
  return {
    operations: n,
    templates: steps.length,
    kind: Uint8Array.from(ids, id => (profile.operations[id].kind === 'pull' ? OperationKind.pull : OperationKind.push)),
    server: Uint16Array.from(ids, id => profile.operations[id].server),
    dependencies: new Uint16Array(n),
    successorStart: new Uint32Array(n + 1),
    successors: new Uint32Array(0),
    amount,
    releaseOperation: Uint32Array.from(releaseOperation),
    releaseUs: Float64Array.from(releaseUs)
  }
}
