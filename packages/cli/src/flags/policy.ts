import type { OrderFile, PolicyName, PrioritySettings } from '@foretrain/predictor'
import { CommandLineError } from '../errors.ts'
import { readSmallFile } from '../io/smallFile.ts'
import { quoted } from '../oneLine.ts'
import { parseChoice } from './numbers.ts'
import { chunkSize, parseQuantity } from './units.ts'

/** Flags that concern the order of transfers. */
export interface PolicyFlags {
  policy?: string
  partition?: string
  credit?: string
  priorityOrder?: string
}

/** As the predictor has them; it is not loaded for a help text. */
export const policies = ['recorded', 'random', 'fifo', 'tic', 'tac', 'priority'] as const
/** Ranks of a hundred thousand variables. */
const mostOrderBytes = 4 * 1024 * 1024
const priorityOrders = ['fifo', 'tac'] as const
/** What `compare` takes without --policy. */
export const comparedByDefault: PolicyName[] = [...policies]

/** Reads one name. */
export function parsePolicy(text: string): PolicyName {
  if (text === 'order:') throw new CommandLineError('--policy "order:": write the name of a file after it, such as order:ranks.csv')
  if (text.startsWith('order:')) return text as PolicyName
  if (!policies.some(name => name === text))
    throw new CommandLineError(`--policy ${quoted(text)}: accepted: ${policies.join(', ')}, order:FILE`)
  return text as PolicyName
}

/** Reads names between commas, each once. */
export function parsePolicies(text: string): PolicyName[] {
  const names = text.split(',').map(name => parsePolicy(name.trim()))
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) throw new CommandLineError(`--policy ${quoted(text)}: ${twice} stands there twice`)
  return names
}

/** Reads the settings of the policy "priority"; undefined without any. */
export function parsePriority(flags: PolicyFlags, asked: readonly string[]): PrioritySettings | undefined {
  const { partition, credit, priorityOrder } = flags
  const given = Object.entries({ '--partition': partition, '--credit': credit, '--priority-order': priorityOrder }).find(
    ([, text]) => text !== undefined
  )
  if (given === undefined) return undefined
  if (!asked.includes('priority')) throw new CommandLineError(`${given[0]} is for --policy priority, which is not asked for`)
  return {
    ...(partition !== undefined && { partitionBytes: parseQuantity('--partition', partition, chunkSize) }),
    ...(credit !== undefined && { creditBytes: parseQuantity('--credit', credit, chunkSize) }),
    ...(priorityOrder !== undefined && { order: parseChoice('--priority-order', priorityOrder, priorityOrders) })
  }
}

/** Reads the files of the policies "order:FILE"; undefined without any. */
export async function readOrders(names: readonly string[]): Promise<Record<string, OrderFile> | undefined> {
  const orders: Record<string, OrderFile> = {}
  for (const name of names.filter(each => each.startsWith('order:'))) {
    const file = name.slice('order:'.length)
    orders[name] = { file, text: await readSmallFile(file, mostOrderBytes) }
  }
  return Object.keys(orders).length > 0 ? orders : undefined
}
