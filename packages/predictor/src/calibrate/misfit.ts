import type { Core } from '@foretrain/core-wasm'
import type { Profile } from '@foretrain/trace-parser'
import type { CompiledJob } from '../compile/compile.ts'
import { selectTemplates } from '../compile/layOut.ts'
import type { TransportName } from '../question.ts'
import type { Path } from '../transport.ts'
import { JobsOnPaths } from './jobsOnPaths.ts'
import { meanSpanError, playInOrder, tracedCluster } from './oneWorker.ts'
import { TransferReplay } from './transferReplay.ts'

/** How much a step's span weighs against its transfers: an error of 1 % counts as much as a tenth of the transfers quite out of place. */
const spanWeight = 10

/** A path, the first turn of pushes (which have connections of their own), and how badly they fit. */
export interface Fit {
  path: Path
  pushWindowBytes: number
  misfit: number
}

/** How badly a path explains some recorded steps: their transfers one by one, and their spans. */
export class Misfit {
  readonly transfers: TransferReplay
  readonly #core: Core
  readonly #profile: Profile
  readonly #transport: TransportName
  readonly #jobs: JobsOnPaths
  readonly #steps: Profile['steps']

  /** @param templates indices of the steps to look at */
  constructor(core: Core, profile: Profile, compiled: CompiledJob, transport: TransportName, templates: readonly number[]) {
    this.transfers = new TransferReplay(core, profile, transport, templates)
    this.#core = core
    this.#profile = profile
    this.#transport = transport
    this.#jobs = new JobsOnPaths({ job: selectTemplates(compiled.job, templates), operationOf: compiled.operationOf }, templates)
    this.#steps = templates.map(template => profile.steps[template])
  }

  of(path: Path, pushWindowBytes: number): Fit {
    const errors = this.transfers.errors(path)
    const alike = path.firstTurns !== undefined || pushWindowBytes === path.windowBytes
    const pushes = alike ? errors : this.transfers.errors({ ...path, windowBytes: pushWindowBytes })
    const { spanUs } = playInOrder(this.#core, this.#jobs.on(path), tracedCluster(this.#profile, this.#transport, path), false)
    const spans = meanSpanError(spanUs, this.#steps)
    return { path, pushWindowBytes, misfit: errors.pull.loss + pushes.push.loss + spanWeight * spans }
  }
}
