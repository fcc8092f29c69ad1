import { PROFILE_LIMITS } from '../limits.ts'
import { TraceError } from '../rawStep.ts'
import { counted, short, some } from '../text.ts'
import { operationKey, type RecordedTransfer, type StepTable } from './readStep.ts'
import { REASONS, type Tally } from './tally.ts'

/** An operation that all steps of the profile share. */
interface SharedOperation {
  task: string
  name: string
  label: string
}

export interface SharedOperations {
  operations: SharedOperation[]
  /** By `operationKey`. */
  index: Map<string, number>
  /** Steps that hold every operation. */
  complete: StepTable[]
  dropped: Array<{ trace: string; reason: string }>
}

/**
 * Finds the operations that the steps have in common (in at least half of them) and the steps that hold all of these. Where no step
 * does, the steps are of different graphs, and the most frequent set of operations wins.
 *
 * @throws TraceError when there are no steps with operations
 */
export function shareOperations(tables: readonly StepTable[], tally: Tally): SharedOperations {
  refuseOtherJobs(tables)
  const seen = new Map<string, number>()
  for (const { nodes } of tables) for (const key of nodes.keys()) seen.set(key, (seen.get(key) ?? 0) + 1)
  let keys = [...seen].filter(([, count]) => 2 * count >= tables.length).map(([key]) => key)
  let complete = tables.filter(table => keys.every(key => table.nodes.has(key)))
  if (complete.length === 0) {
    keys = mostFrequentSet(tables)
    complete = tables.filter(table => keys.every(key => table.nodes.has(key)))
  }
  if (keys.length === 0)
    throw new TraceError(`${short(tables[0].trace)}: no executed operations with usable times; trace with RunOptions.FULL_TRACE`)

  if (keys.length > PROFILE_LIMITS.operations) {
    throw new TraceError(
      `${short(tables[0].trace)}: ${keys.length} operations in a step; at most ${PROFILE_LIMITS.operations} are possible`
    )
  }

  const kept = new Set(complete)
  const dropped: SharedOperations['dropped'] = []
  for (const table of tables) {
    if (kept.has(table)) continue
    const missing = keys.filter(key => !table.nodes.has(key)).map(nameOf)
    dropped.push({
      trace: table.trace,
      reason: `lacks ${counted(missing.length, 'operation')} of the other steps: ${some(missing)}`
    })
    tally.ignore(REASONS.droppedStep, table.pending)
  }
  const shared = new Set(keys)
  for (const table of complete) {
    for (const [key, node] of table.nodes) {
      if (shared.has(key)) continue
      tally.ignore(REASONS.rare, node.records)
      table.pending -= node.records
    }
  }
  const first = complete[0].nodes
  const operations = keys.map(key => {
    const { task, name, label } = first.get(key)!
    return { task, name, label }
  })
  return { operations, index: new Map(keys.map((key, i) => [key, i])), complete, dropped }
}

/** Share of a step's operations that steps of one job have in common; names like Const_17 and conv2_block1_1_conv occur in many jobs. */
const SAME_JOB = 0.8

/** Steps that lack operations are dropped one by one; steps with many operations of their own are of another job, and no mixture is a job. */
function refuseOtherJobs(tables: readonly StepTable[]): void {
  const [first, ...others] = tables
  for (const other of others) {
    let common = 0
    for (const key of other.nodes.keys()) if (first.nodes.has(key)) common++
    if (common >= SAME_JOB * first.nodes.size || common >= SAME_JOB * other.nodes.size) continue
    throw new TraceError(
      `${short(other.trace)}: has ${common} of its ${other.nodes.size} operations in common with ${short(first.trace)}; give the traces of one job`
    )
  }
}

function nameOf(key: string): string {
  return key.slice(key.indexOf('\n') + 1)
}

function mostFrequentSet(tables: readonly StepTable[]): string[] {
  const sets = new Map<string, { keys: string[]; count: number }>()
  let best: { keys: string[]; count: number } = { keys: [], count: 0 }
  for (const { nodes } of tables) {
    const keys = [...nodes.keys()].sort()
    const identity = keys.join('\n\n')
    const set = sets.get(identity) ?? { keys, count: 0 }
    set.count++
    sets.set(identity, set)
    if (set.count > best.count && keys.length > 0) best = set
  }
  return best.keys
}

/** A transfer that the steps share. */
interface SharedTransfer {
  source: string
  destination: string
  tensor: string
}

/** A cross-task edge that a partition graph announces. */
export interface GraphTransfer {
  source: string
  destination: string
  tensor: string
  edge: number
}

export interface SharedTransfers {
  transfers: SharedTransfer[]
  /** Per complete step, the record of each transfer. */
  recorded: Array<Array<RecordedTransfer | undefined>>
  /** Transfers of the graph that no step recorded: nothing is known of their size. */
  neverRecorded: string[]
  find(transfer: GraphTransfer): number | undefined
  /** Transfers of a tensor to a task, by edge number. */
  arriving(destination: string, tensor: string): number[]
  /** Steps × transfers whose record is missing. */
  lost: number
}

interface Group {
  source: string
  destination: string
  tensor: string
  /** Distinct edge numbers over all steps, and in the graph. */
  edges: Set<number>
  graphEdges: Set<number>
  mostPerStep: number
  first: number
  /** Edge numbers agree between the steps, so they tell which of several transfers of one tensor a record is. */
  byEdge: boolean
  slots: number[]
}

/**
 * Aligns transfers across steps. Edge numbers may differ between steps, so the tensor's name counts; a tensor that goes to one task
 * over several edges (several outputs of one node) stays several transfers, told apart by edge number, or by its rank where
 * numbers differ.
 *
 * Expected are the graph's cross-task edges and what at least half of the steps recorded.
 */
export function shareTransfers(tables: readonly StepTable[], graph: readonly GraphTransfer[], tally: Tally): SharedTransfers {
  const groups = new Map<string, Group>()
  const groupOf = ({ source, destination, tensor }: SharedTransfer): Group => {
    const key = `${source}\n${destination}\n${tensor}`
    let group = groups.get(key)
    if (group === undefined) {
      group = {
        source,
        destination,
        tensor,
        edges: new Set(),
        graphEdges: new Set(),
        mostPerStep: 0,
        first: 0,
        byEdge: true,
        slots: []
      }
      groups.set(key, group)
    }
    return group
  }
  for (const transfer of graph) groupOf(transfer).graphEdges.add(transfer.edge)
  const perStep = tables.map(table => {
    const records = new Map<Group, RecordedTransfer[]>()
    for (const transfer of table.transfers) {
      const group = groupOf(transfer)
      group.edges.add(transfer.edge)
      const list = records.get(group)
      if (list === undefined) records.set(group, [transfer])
      else list.push(transfer)
    }
    for (const [group, list] of records) {
      list.sort((a, b) => a.edge - b.edge)
      group.mostPerStep = Math.max(group.mostPerStep, list.length)
    }
    return records
  })
  for (const group of groups.values()) {
    const all = new Set([...group.edges, ...group.graphEdges])
    group.byEdge = all.size <= Math.max(group.mostPerStep, group.graphEdges.size)
    if (group.byEdge) group.edges = new Set([...all].sort((a, b) => a - b))
  }
  return settle([...groups.values()], groups, perStep, tally)
}

function settle(
  groups: readonly Group[],
  byKey: ReadonlyMap<string, Group>,
  perStep: ReadonlyArray<ReadonlyMap<Group, RecordedTransfer[]>>,
  tally: Tally
): SharedTransfers {
  // Candidates first: which of them stay depends on how many steps recorded each.
  let candidates = 0
  for (const group of groups) {
    group.first = candidates
    candidates += group.byEdge ? group.edges.size : Math.max(group.mostPerStep, group.graphEdges.size)
  }
  const seen = new Uint32Array(candidates)
  const rankOf = (edges: Iterable<number>) => new Map([...edges].sort((a, b) => a - b).map((edge, rank) => [edge, rank]))
  const ranks = new Map(groups.filter(group => group.byEdge).map(group => [group, rankOf(group.edges)]))
  const graphRanks = new Map(groups.map(group => [group, ranks.get(group) ?? rankOf(group.graphEdges)]))
  const assigned = perStep.map(records => {
    const row = new Array<RecordedTransfer | undefined>(candidates)
    for (const [group, list] of records) {
      list.forEach((record, ordinal) => {
        let at = group.first + (ranks.get(group)?.get(record.edge) ?? ordinal)
        // Two records of one edge in a step: the later is a second transfer of it only if there is room for one.
        if (row[at] !== undefined) at = group.first + ordinal
        if (row[at] !== undefined) tally.ignore(REASONS.duplicate)
        else {
          row[at] = record
          seen[at]++
        }
      })
    }
    return row
  })

  const transfers: SharedTransfer[] = []
  const neverRecorded: string[] = []
  const place = new Int32Array(candidates).fill(-1)
  for (const group of groups) {
    const size = group.byEdge ? group.edges.size : Math.max(group.mostPerStep, group.graphEdges.size)
    const edges = [...group.edges]
    for (let i = 0; i < size; i++) {
      const at = group.first + i
      const inGraph = group.byEdge ? group.graphEdges.has(edges[i]) : i < group.graphEdges.size
      if (seen[at] === 0) {
        if (inGraph) neverRecorded.push(group.tensor)
      } else if (inGraph || 2 * seen[at] >= perStep.length) {
        place[at] = transfers.length
        group.slots.push(transfers.length)
        transfers.push({ source: group.source, destination: group.destination, tensor: group.tensor })
      } else tally.ignore(REASONS.rare, seen[at])
    }
  }
  let lost = 0
  const recorded = assigned.map(row => {
    const kept = new Array<RecordedTransfer | undefined>(transfers.length)
    for (let at = 0; at < candidates; at++) if (place[at] >= 0) kept[place[at]] = row[at]
    for (const record of kept) if (record === undefined) lost++
    return kept
  })
  const arrivals = new Map<string, number[]>()
  for (const group of groups) {
    const key = operationKey(group.destination, group.tensor)
    arrivals.set(key, [...(arrivals.get(key) ?? []), ...group.slots])
  }
  return {
    transfers,
    recorded,
    neverRecorded,
    lost,
    arriving: (destination, tensor) => arrivals.get(operationKey(destination, tensor)) ?? [],
    find: ({ source, destination, tensor, edge }) => {
      const group = byKey.get(`${source}\n${destination}\n${tensor}`)
      const rank = group === undefined ? undefined : graphRanks.get(group)?.get(edge)
      if (group === undefined || rank === undefined) return undefined
      const at = place[group.first + rank]
      return at < 0 ? undefined : at
    }
  }
}
