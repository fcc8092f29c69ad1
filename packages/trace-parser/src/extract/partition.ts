import type { RawNode } from '../rawStep.ts'
import type { GraphTransfer, SharedOperations } from './align.ts'
import { taskOf } from './devices.ts'
import { splitEdge } from './labels.ts'
import { operationKey, type StepTable } from './readStep.ts'

/** A node of the partition graphs with what is needed to join the partitions. */
interface PartitionNode {
  raw: RawNode
  task: string
  /** For a _Send or _Recv: what pairs it with its counterpart. */
  rendezvous?: string
  /** For a _Send or _Recv between two tasks. */
  transfer?: GraphTransfer
}

export interface PartitionGraph {
  nodes: PartitionNode[]
  /** Cross-task edges, each once. */
  transfers: GraphTransfer[]
}

const RENDEZVOUS: ReadonlySet<string> = new Set(['_Send', '_Recv', '_HostSend', '_HostRecv'])
/** A graph that knows fewer of the recorded operations belongs to another graph. */
const LEAST_COVERAGE = 0.9

/**
 * The partition graphs of one step serve all steps of the same operations. Takes the one that knows most of them; undefined when no
 * step carries a fitting graph.
 */
export function choosePartition(tables: readonly StepTable[], shared: SharedOperations): PartitionGraph | undefined {
  let best: { nodes: readonly RawNode[]; coverage: number } | undefined
  for (const { raw } of tables) {
    if (raw.nodes.length === 0 || best?.coverage === 1) continue
    const known = new Set<number>()
    for (const { name, device } of raw.nodes) {
      const at = shared.index.get(operationKey(taskOf(device), name))
      if (at !== undefined) known.add(at)
    }
    const coverage = known.size / shared.operations.length
    if (coverage >= LEAST_COVERAGE && coverage > (best?.coverage ?? 0)) best = { nodes: raw.nodes, coverage }
  }
  return best === undefined ? undefined : readPartition(best.nodes)
}

function readPartition(raws: readonly RawNode[]): PartitionGraph {
  const transfers = new Map<string, GraphTransfer>()
  const nodes = raws.map((raw): PartitionNode => {
    const task = taskOf(raw.device)
    if (!RENDEZVOUS.has(raw.op)) return { raw, task }
    const rendezvous = `${raw.sendDevice};${raw.recvDevice};${raw.tensorName}`
    const source = taskOf(raw.sendDevice)
    const destination = taskOf(raw.recvDevice)
    if (raw.clientTerminated || source === destination || source === '' || destination === '') return { raw, task, rendezvous }
    const transfer: GraphTransfer = { source, destination, ...splitEdge(raw.tensorName) }
    if (!transfers.has(rendezvous)) transfers.set(rendezvous, transfer)
    return { raw, task, rendezvous, transfer }
  })
  return { nodes, transfers: [...transfers.values()] }
}
