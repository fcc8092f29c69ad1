import { questionOf } from '../question.ts'
import { settings } from '../state.ts'
import type { Asked } from '../worker/protocol.ts'
import { failLater } from './problems.ts'

/** What the fields ask now; undefined, and soon a line that says why, when they cannot be used as they stand. */
export function askedNow(): Asked | undefined {
  try {
    return questionOf(settings.value)
  } catch (error) {
    failLater(error)
    return undefined
  }
}
