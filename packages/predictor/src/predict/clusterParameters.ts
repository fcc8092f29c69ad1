import type { Placement } from '../placement/place.ts'
import type { Question } from '../question.ts'
import type { Prediction } from '../schema.ts'
import type { SetUp } from '../setUp.ts'

/** What was asked of servers, placement and unequal hosts; nothing where it is all as in the traces. */
export function clusterParameters(question: Question, sets: readonly SetUp[]): Prediction['parameters'] {
  const parameters: Prediction['parameters'] = {}
  const { placement, variableParts, hosts } = question
  const placed = sets.filter(({ rePlaced }) => rePlaced)
  if (placed.length > 0 || placement !== undefined) {
    const rules = [...new Set(sets.map(set => textOf(set.placement)))]
    parameters.placement = { value: rules.join(', '), unit: '', source: placement === undefined ? 'default' : 'flag' }
  }
  if (placed.length > 0) {
    const [{ transport }] = placed
    const { first } = transport.turns
    parameters.windowRePlaced = {
      value: first === Number.POSITIVE_INFINITY ? 'unlimited' : first,
      unit: 'B',
      source: question.windowBytes === undefined ? 'trace' : 'flag',
      note: 'with other servers than the traces have, one window for all streams: the one that fits the trace best'
    }
  }
  if (variableParts !== undefined) parameters.variableParts = { value: variableParts, unit: 'parts', source: 'flag' }
  if (hosts !== undefined) {
    const value = hosts.workers.map(({ count, speed = 1 }) => `${count} of speed ${speed}`).join(', ')
    parameters.workers = { value, unit: '', source: 'flag' }
  }
  return parameters
}

function textOf(placement: Placement): string {
  return typeof placement === 'string' ? placement : 'as listed'
}
