import { type Job, OperationKind, type Priority } from '@foretrain/core-wasm'
import { defaults } from '../defaults.ts'
import { QuestionError } from '../question.ts'
import { fifo } from './fifo.ts'
import { type PriorityOrder, priorityOrders } from './names.ts'
import type { Policy, Ranks, StepGraph } from './policy.ts'
import { tac } from './tac.ts'
import { pullsOfPushes } from './variables.ts'

/** Settings of the policy `priority`; defaults in defaults.json. */
export interface PrioritySettings {
  /** Tensors are cut into chunks of so many bytes. */
  partitionBytes?: number
  /** Bytes that a connection may have handed over and not yet sent: a more urgent chunk waits for at most as many. */
  creditBytes?: number
  /** Where the ranks come from. Default fifo. */
  order?: PriorityOrder
}

const largestBytes = 1e15

/** @throws QuestionError when no chunk, or not one chunk, could be under way */
export function checkPriority(settings: PrioritySettings): void {
  const { partitionBytes, creditBytes, order } = settings
  if (partitionBytes !== undefined && !(partitionBytes >= 1 && partitionBytes <= largestBytes))
    throw new QuestionError(`partition is ${partitionBytes} bytes: use at least 1 byte, such as 4MB`)
  const chunked = chunkedTransfers(settings)
  if (!(chunked.creditBytes >= chunked.partitionBytes && chunked.creditBytes <= largestBytes)) {
    const { creditBytes: credit, partitionBytes: partition } = chunked
    throw new QuestionError(`credit is ${credit} bytes, less than the partition of ${partition}: use at least one partition`)
  }
  if (creditBytes !== undefined && !Number.isFinite(creditBytes))
    throw new QuestionError(`credit is ${creditBytes} bytes: use a size, such as 16MB`)
  if (order !== undefined && !priorityOrders.includes(order))
    throw new QuestionError(`order of the priorities is ${order}: use ${priorityOrders.join(' or ')}`)
}

/** Of one tensor. P3 and ByteScheduler cut into chunks of some 100 kB and more. */
const mostChunks = 65_536

/** @throws QuestionError when a transfer of the job would be cut into more chunks than anybody means */
export function checkChunks({ kind, amount, operations }: Job, settings: PrioritySettings): void {
  const { partitionBytes } = chunkedTransfers(settings)
  const isTransfer = (operation: number) => kind[operation] === OperationKind.pull || kind[operation] === OperationKind.push
  const largest = amount.reduce((most, bytes, i) => (isTransfer(i % operations) ? Math.max(most, bytes) : most), 0)
  if (largest > mostChunks * partitionBytes)
    throw new QuestionError(
      `partition is ${partitionBytes} bytes, but a tensor has ${largest}: use at least ${Math.ceil(largest / mostChunks)} bytes, so that it has at most ${mostChunks} chunks`
    )
}

/** @param chunkUs default: what a message costs its receiver beyond its bytes */
export function chunkedTransfers(
  { partitionBytes = defaults.partitionBytes.value, creditBytes }: PrioritySettings,
  chunkUs: number = defaults.parseFixedUs.value
): Priority {
  const credit = creditBytes ?? defaults.creditPartitions.value * partitionBytes
  return { partitionBytes, creditBytes: credit, chunkUs, pull: true, push: true }
}

/** Whole tensors, handed over one at a time: each push that is ready waits for those with lower ranks. For ranks of pushes without preemption. */
export const pushesByRank: Priority = {
  partitionBytes: Number.POSITIVE_INFINITY,
  creditBytes: 1,
  chunkUs: 0,
  pull: false,
  push: true
}

/**
 * Tensors in chunks, the most urgent first, in both directions: what is used first in the next step goes first (Jayarajan et al., "P3", SysML
 * 2019; Peng et al., "ByteScheduler", SOSP 2019). A push has the rank of its variable; one without a known variable comes last.
 */
export function priority({ order = 'fifo' }: PrioritySettings): Policy {
  return {
    name: 'priority',
    rank(graph) {
      const source = order === 'fifo' ? fifo : tac
      const { pulls } = source.rank(graph, 0) as Ranks
      const uses = order === 'fifo' ? pulls : (fifo.rank(graph, 0) as Ranks).pulls
      return { pulls, pushes: pullsOfPushes(graph, uses).map(pull => (pull < 0 ? graph.pulls.length : pulls[pull])) }
    }
  }
}

/**
 * The ranks as the simulator takes them: `Job.priority`.
 *
 * @param operationOf for each operation of the job, the profile's operations that it stands for
 * @returns one rank for each operation of the job, whole numbers in the order of those given; 0 for all but transfers
 */
export function priorityOfOperations(
  { pulls, pushes }: StepGraph,
  ranks: Ranks,
  operationOf: ReadonlyArray<readonly number[]>
): Uint32Array {
  const rankOf = new Map<number, number>(pulls.map((id, position) => [id, ranks.pulls[position]]))
  pushes.forEach((id, position) => {
    rankOf.set(id, ranks.pushes?.[position] ?? 0)
  })
  const distinct = [...new Set(rankOf.values())].sort((a, b) => a - b)
  const dense = new Map(distinct.map((rank, position) => [rank, position]))
  return Uint32Array.from(operationOf, recorded =>
    // Of transfers that were merged, the last one's.
    recorded.reduce((last, id) => Math.max(last, dense.get(rankOf.get(id) ?? Number.NaN) ?? 0), 0)
  )
}
