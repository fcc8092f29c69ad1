import type { OrderFile } from '@foretrain/predictor'
import { readSmallFile } from '../io/smallFile.ts'

/** Ranks of a hundred thousand variables. */
const mostOrderBytes = 4 * 1024 * 1024

/** Reads the files of the policies "order:FILE"; undefined without any. */
export async function readOrders(names: readonly string[]): Promise<Record<string, OrderFile> | undefined> {
  const orders: Record<string, OrderFile> = {}
  for (const name of names.filter(each => each.startsWith('order:'))) {
    const file = name.slice('order:'.length)
    orders[name] = { file, text: await readSmallFile(file, mostOrderBytes) }
  }
  return Object.keys(orders).length > 0 ? orders : undefined
}
