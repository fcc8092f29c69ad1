import type { Profile, Variable } from '@foretrain/trace-parser'
import { QuestionError } from '../question.ts'

/** A variable as placements see it. */
export interface PlacedVariable extends Variable {
  /** What a step moves of it, pulls and pushes: a sparse variable is as large as what is gathered of it. */
  bytes: number
  /** Server in the trace: that of its first transfer or update. */
  tracedServer: number
}

/**
 * The profile's variables in the order of their creation, as far as the trace tells: that of the edge numbers of their first pulls, and
 * variables that are not pulled last (trace-parser, extract/variables.ts).
 *
 * @throws QuestionError when the profile was saved without them
 */
export function placedVariables({ variables, operations }: Profile): PlacedVariable[] {
  if (variables === undefined)
    throw new QuestionError(
      'profile: it was saved without its variables, so they cannot be placed on other servers: use the traces, or a profile saved from them again'
    )
  return variables.map(variable => ({
    ...variable,
    bytes: variable.operations.reduce((sum, id) => sum + operations[id].bytes, 0),
    tracedServer: operations[variable.operations[0]].server
  }))
}
