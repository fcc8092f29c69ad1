import type { Job } from '@foretrain/core-wasm'
import type { CompiledJob } from '../compile/compile.ts'
import { jobOnPath } from '../compile/firstTurns.ts'
import type { Path } from '../transport.ts'

/** One job on the paths that are tried out: made once for each table of first turns, so that the simulator checks it and sorts its releases once. */
export class JobsOnPaths {
  readonly #compiled: Pick<CompiledJob, 'job' | 'operationOf'>
  readonly #templates: readonly number[]
  readonly #known = new Map<Path['firstTurns'], Job>()

  /** @param templates steps of the profile that the job's templates are */
  constructor(compiled: Pick<CompiledJob, 'job' | 'operationOf'>, templates: readonly number[]) {
    this.#compiled = compiled
    this.#templates = templates
  }

  on(path: Path): Job {
    const job = this.#known.get(path.firstTurns) ?? jobOnPath(this.#compiled, path, this.#templates)
    this.#known.set(path.firstTurns, job)
    return job
  }
}
