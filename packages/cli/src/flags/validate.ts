import type { ValidateOptions } from '@foretrain/predictor'
import { errorLimit, parseQuantity } from '@foretrain/predictor/text'
import { type PredictFlags, parseEffort } from './question.ts'

/** Flags as they stand on the command line. */
export interface ValidateFlags extends Pick<PredictFlags, 'precision' | 'replications' | 'steps' | 'seed'> {
  maxError?: string
}

/** A limit on |error| with more than one worker. */
export interface ErrorLimit {
  share: number
  /** As it was given. */
  text: string
}

/** Reads the flags of `validate`. */
export function parseValidateFlags(flags: ValidateFlags): { options: ValidateOptions; limit: ErrorLimit | undefined } {
  const { maxError } = flags
  const limit =
    maxError === undefined ? undefined : { share: parseQuantity('--max-error', maxError, errorLimit), text: maxError.trim() }
  return { options: parseEffort(flags), limit }
}
