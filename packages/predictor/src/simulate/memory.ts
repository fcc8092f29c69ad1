import { TooLargeError } from '@foretrain/core-wasm'
import { QuestionError } from '../question.ts'

/** What a failed simulation is to be reported as: one that does not fit into memory is a matter of the question. */
export function reported(error: unknown, workers: number): unknown {
  if (!(error instanceof TooLargeError)) return error
  const [subject, less] =
    workers === 1 ? ['1 worker of this profile needs', 'traces'] : [`${workers} workers of this profile need`, 'workers']
  return new QuestionError(`${subject} more than 2 GiB of memory: use fewer ${less}`)
}
