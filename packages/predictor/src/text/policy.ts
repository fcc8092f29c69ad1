import { isPolicyName, type PolicyName, policyNames, priorityOrders } from '../policies/names.ts'
import type { PrioritySettings } from '../policies/priority.ts'
import { QuestionError } from '../question.ts'
import { parseChoice } from './numbers.ts'
import { quoted } from './oneLine.ts'
import { chunkSize, parseQuantity } from './units.ts'

/** Flags that concern the order of transfers. */
export interface PolicyFlags {
  policy?: string
  partition?: string
  credit?: string
  priorityOrder?: string
}

/**
 * Reads one name.
 *
 * @throws QuestionError of one line that begins with the flag
 */
export function parsePolicy(text: string): PolicyName {
  if (text === 'order:') throw new QuestionError('--policy "order:": write the name of a file after it, such as order:ranks.csv')
  if (!isPolicyName(text)) throw new QuestionError(`--policy ${quoted(text)}: accepted: ${policyNames.join(', ')}, order:FILE`)
  return text
}

/**
 * Reads names between commas, each once.
 *
 * @throws QuestionError of one line that begins with the flag
 */
export function parsePolicies(text: string): PolicyName[] {
  const names = text.split(',').map(name => parsePolicy(name.trim()))
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) throw new QuestionError(`--policy ${quoted(text)}: ${twice} stands there twice`)
  return names
}

/**
 * Reads the settings of the policy "priority"; undefined without any.
 *
 * @throws QuestionError of one line that begins with the flag
 */
export function parsePriority(flags: PolicyFlags, asked: readonly string[]): PrioritySettings | undefined {
  const { partition, credit, priorityOrder } = flags
  const given = Object.entries({ '--partition': partition, '--credit': credit, '--priority-order': priorityOrder }).find(
    ([, text]) => text !== undefined
  )
  if (given === undefined) return undefined
  if (!asked.includes('priority')) throw new QuestionError(`${given[0]} is for --policy priority, which is not asked for`)
  return {
    ...(partition !== undefined && { partitionBytes: parseQuantity('--partition', partition, chunkSize) }),
    ...(credit !== undefined && { creditBytes: parseQuantity('--credit', credit, chunkSize) }),
    ...(priorityOrder !== undefined && { order: parseChoice('--priority-order', priorityOrder, priorityOrders) })
  }
}
