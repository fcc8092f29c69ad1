/** The surroundings are at fault: a file, a queue (exit code 1 in the command). `message` is one line: where, what, what would be right. */
export class SweepError extends Error {
  override name = 'SweepError'
}

/** An error of the system, with the file it is about: what is written through a handle does not say, and a temporary name tells nobody anything. */
export function about(path: string, error: unknown): unknown {
  return error instanceof Error && 'syscall' in error ? Object.assign(error, { path }) : error
}
