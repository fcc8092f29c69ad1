import type { Job } from '@foretrain/core-wasm'
import type { Path } from '../transport.ts'
import type { CompiledJob } from './compile.ts'

/**
 * The job with first turns of its own for each stream of each template, instead of one for the whole cluster.
 *
 * @param operationOf for each operation of the job, the profile's operations that it stands for
 * @param firstTurns [k] bytes, parallel to the profile's operations; Infinity where a stream goes in one turn
 */
export function withFirstTurns(job: Job, operationOf: ReadonlyArray<readonly number[]>, firstTurns: readonly Float64Array[]): Job {
  const firstTurnBytes = new Float64Array(job.templates * job.operations).fill(Number.POSITIVE_INFINITY)
  firstTurns.forEach((turns, template) => {
    operationOf.forEach((recorded, operation) => {
      // Merged streams are small: where one of them was cut, what waits for them waited for its second turn.
      for (const id of recorded) {
        const at = template * job.operations + operation
        firstTurnBytes[at] = Math.min(firstTurnBytes[at], turns[id])
      }
    })
  })
  return { ...job, firstTurnBytes }
}

/**
 * The job as it runs on a path: with the first turns that were read off the trace, if they were.
 *
 * @param templates steps of the profile that the job's templates are; default all
 */
export function jobOnPath(
  { job, operationOf }: Pick<CompiledJob, 'job' | 'operationOf'>,
  { firstTurns }: Path,
  templates?: readonly number[]
): Job {
  if (firstTurns === undefined) return job
  return withFirstTurns(job, operationOf, templates?.map(template => firstTurns[template]) ?? firstTurns)
}
