import { count } from '../render/numbers.ts'

/** What a sweep that ended early has left, and how to go on. */
export interface Left {
  /** Path of the result; the journal lies beside it. */
  name: string
  /** Points in the result: all from the first on without a gap. */
  head: number
  /** Points in the journal. */
  done: number
  /** Points of the whole sweep. */
  size: number
}

/** Says it in a clause of one line. The result itself comes into being with the first point, which need not be the first to be finished. */
export function describeLeft({ name, head, done, size }: Left): string {
  const all = count(size, 'point')
  const where =
    head === 0
      ? `nothing of it is in ${name} yet, as the first point is not finished; ${name}.journal has all ${done} of ${all} that are`
      : `${name} has the first ${head} of ${all}, ${name}.journal all ${done} that are finished`
  return `${where}; the same command with --resume goes on`
}
