import { TraceError } from '../rawStep.ts'
import { short } from '../text.ts'
import type { SharedOperations, SharedTransfers } from './align.ts'
import { inputNode, parseOperationLabel } from './labels.ts'
import type { PartitionGraph } from './partition.ts'
import { operationKey } from './readStep.ts'
import { sortTopologically } from './topology.ts'

/**
 * The step's graph. Vertices are numbered: operations, then transfers, then (while it is built) nodes without a record, which are
 * contracted: their inputs become inputs of what they feed.
 */
export interface Graph {
  /** TensorFlow's type of each operation; '' where unknown. */
  types: string[]
  /** Per operation and transfer, the operations and transfers that must end first, ascending. */
  dependencies: number[][]
  /** Inputs that name nothing known. */
  dangling: string[]
  /** Tensors that arrive over several edges and could be told apart only by the order of numbers. */
  ambiguous: string[]
}

/** Contracting nodes multiplies edges; no real step comes near this. */
const MOST_EDGES = 5_000_000

class Builder {
  readonly shared: SharedOperations
  readonly transfers: SharedTransfers
  readonly inputs: number[][]
  readonly types: string[]
  readonly names: string[]
  readonly dangling: string[] = []
  readonly ambiguous = new Set<string>()
  private readonly timeless = new Map<string, number>()
  /** Numbers by which a task's inputs name a received tensor: number → rank, once all are known. */
  private readonly suffixes = new Map<string, Map<number, number>>()
  private readonly byName: Map<string, number>

  private readonly worker: string

  constructor(shared: SharedOperations, transfers: SharedTransfers, worker: string) {
    this.shared = shared
    this.transfers = transfers
    this.worker = worker
    const count = shared.operations.length + transfers.transfers.length
    this.inputs = Array.from({ length: count }, () => [])
    this.types = shared.operations.map(() => '')
    this.byName = new Map(shared.operations.map(({ name }, vertex) => [name, vertex]))
    this.names = [...shared.operations.map(({ name }) => name), ...transfers.transfers.map(({ tensor }) => tensor)]
  }

  /** Vertex of a transfer. */
  transfer(index: number): number {
    return this.shared.operations.length + index
  }

  /** A new vertex that will be contracted. */
  contracted(name: string): number {
    this.names.push(name)
    return this.inputs.push([]) - 1
  }

  /** Joins the partition graphs. Returns which operations they know. */
  addPartition(graph: PartitionGraph): Uint8Array {
    const known = new Uint8Array(this.shared.operations.length)
    const meeting = new Map<string, number>()
    const byName = new Map<string, number>()
    const vertices = graph.nodes.map(({ raw, task, rendezvous, transfer }) => {
      let vertex: number | undefined
      if (rendezvous !== undefined) {
        vertex = meeting.get(rendezvous)
        if (vertex === undefined) {
          const recorded = transfer === undefined ? undefined : this.transfers.find(transfer)
          vertex = recorded === undefined ? this.contracted(raw.tensorName) : this.transfer(recorded)
          meeting.set(rendezvous, vertex)
        }
      } else {
        vertex = this.shared.index.get(operationKey(task, raw.name))
        if (vertex === undefined) vertex = this.contracted(raw.name)
        else {
          known[vertex] = 1
          this.types[vertex] = raw.op
        }
      }
      byName.set(`${raw.device}\n${raw.name}`, vertex)
      return vertex
    })
    const nextIterations = new Set<string>()
    for (const { raw } of graph.nodes) if (isNextIteration(raw.op)) nextIterations.add(`${raw.device}\n${raw.name}`)
    graph.nodes.forEach(({ raw }, i) => {
      for (const input of raw.inputs) {
        const key = `${raw.device}\n${inputNode(input)}`
        // The only edge by which a loop returns; executions of a loop are summed, so it orders nothing.
        if (nextIterations.has(key) && isMerge(raw.op)) continue
        const from = byName.get(key)
        if (from === undefined) this.dangling.push(inputNode(input))
        else if (from !== vertices[i]) this.inputs[vertices[i]].push(from)
      }
    })
    return known
  }

  /** Takes the inputs of operations from their labels. */
  addLabels(known: Uint8Array | undefined): void {
    const { operations, complete } = this.shared
    const parsed = operations.map(({ name, label }) => parseOperationLabel(name, label))
    const loops = new Set<number>()
    parsed.forEach(({ type }, i) => {
      if (this.types[i] === '') this.types[i] = type
      if (isNextIteration(type)) loops.add(i)
    })
    const timeless = new Map<string, string>()
    for (const table of complete) {
      for (const [key, label] of table.timeless) if (!this.shared.index.has(key)) timeless.set(key, label)
    }
    const extra: Array<{ task: string; vertex: number; inputs: string[] }> = []
    for (const [key, label] of timeless) {
      const [task, name] = [key.slice(0, key.indexOf('\n')), key.slice(key.indexOf('\n') + 1)]
      const vertex = this.contracted(name)
      this.timeless.set(key, vertex)
      extra.push({ task, vertex, inputs: parseOperationLabel(name, label).inputs })
    }
    const sources = [
      ...operations
        .map(({ task }, vertex) => ({ task, vertex, inputs: parsed[vertex].inputs }))
        .filter(({ vertex }) => !known?.[vertex]),
      ...extra
    ]
    for (const { task, inputs } of sources) for (const input of inputs) this.noteSuffix(task, inputNode(input))
    for (const [key, numbers] of this.suffixes) {
      this.suffixes.set(key, new Map([...numbers.keys()].sort((a, b) => a - b).map((number, rank) => [number, rank])))
    }
    for (const { task, vertex, inputs } of sources) {
      if (inputs.length === 0) this.addControlSource(task, vertex)
      for (const input of inputs) {
        const name = inputNode(input)
        const from = this.resolve(task, name)
        if (from === undefined) this.dangling.push(name)
        else if (from !== vertex && from >= 0 && !(loops.has(from) && isMerge(parsed[vertex]?.type ?? '')))
          this.inputs[vertex].push(from)
      }
    }
  }

  /** Takes the producers of transfers from their names, where no graph gave any. */
  addProducers(): void {
    this.transfers.transfers.forEach(({ source, tensor }, i) => {
      const vertex = this.transfer(i)
      if (this.inputs[vertex].length > 0) return
      const from = this.resolve(source, tensor)
      if (from !== undefined && from >= 0 && from !== vertex) this.inputs[vertex].push(from)
    })
  }

  /**
   * A control edge between tasks is sent as a constant named after its source, `X/ctrl_S<n>` (`X_S<n>` in TensorFlow 1.x;
   * AddDummyConst in graph_partition.cc), whose control input the label does not show.
   */
  private addControlSource(task: string, vertex: number): void {
    const match = RECEIVED.exec(this.names[vertex])
    if (match === null || this.types[vertex] !== 'Const') return
    const source = match[1].endsWith('/ctrl') ? match[1].slice(0, -'/ctrl'.length) : match[1]
    const from = this.shared.index.get(operationKey(task, source))
    if (from !== undefined) this.inputs[vertex].push(from)
  }

  private arePeers(a: string, b: string): boolean {
    return a !== b && a !== this.worker && b !== this.worker
  }

  private noteSuffix(task: string, name: string): void {
    const match = RECEIVED.exec(name)
    if (match === null || match[2] !== 'S') return
    const key = operationKey(task, stripped(match[1]))
    const numbers = this.suffixes.get(key)
    const number = Number(match[3])
    if (numbers === undefined) this.suffixes.set(key, new Map([[number, 0]]))
    else numbers.set(number, 0)
  }

  /**
   * The vertex an input names: an operation of the task; `X_S<n>`, tensor X received from another task; `X_G<n>` or `X/_<n>`, X from
   * another device of this task. -1 for a value fed by the client, undefined when nothing is known of it.
   */
  private resolve(task: string, name: string, depth = 0): number | undefined {
    if (depth > DEEPEST_SUFFIX) return undefined
    const key = operationKey(task, name)
    const operation = this.shared.index.get(key) ?? this.timeless.get(key)
    if (operation !== undefined) return operation
    const received = RECEIVED.exec(name)
    if (received !== null && received[2] === 'S') {
      const tensor = stripped(received[1])
      const slots = this.transfers.arriving(task, tensor)
      if (slots.length > 0) {
        if (slots.length > 1) this.ambiguous.add(tensor)
        const rank = this.suffixes.get(operationKey(task, tensor))?.get(Number(received[3])) ?? 0
        return this.transfer(slots[Math.min(rank, slots.length - 1)])
      }
      // A tensor of another server: such transfers are not modelled, but what they make wait is. Names are unique in a graph.
      const sender = this.byName.get(tensor)
      if (sender !== undefined && this.arePeers(task, this.shared.operations[sender].task)) return sender
    }
    if (received !== null && received[2] === 'G') return this.resolve(task, received[1], depth + 1)
    const local = LOCAL.exec(name)
    if (local !== null) return this.resolve(task, local[1], depth + 1)
    return /^_(?:recv|arg|send|retval)_/i.test(name) ? -1 : undefined
  }
}

/** Receiving nodes are named after the sent one (graph_partition.cc): `_S` by the master, `_G` by the worker's own partitioning. */
const RECEIVED = /^(.+)_([SG])(\d+)$/s
/** A tensor crosses tasks once and devices of a task at most once on either side. */
const DEEPEST_SUFFIX = 4
const LOCAL = /^(.+)\/_(\d+)$/s

/** A tensor that crossed a device of its task before it left: its transfer is named after the first. */
function stripped(name: string): string {
  const match = RECEIVED.exec(name)
  return match !== null && match[2] === 'G' ? match[1] : name
}

function isNextIteration(type: string): boolean {
  return type === 'NextIteration' || type === 'RefNextIteration'
}

function isMerge(type: string): boolean {
  return type === 'Merge' || type === 'RefMerge'
}

/**
 * Dependencies of all operations and transfers: from the partition graph where there is one, else from the labels.
 *
 * @throws TraceError when they form a cycle
 */
export function buildGraph(
  trace: string,
  shared: SharedOperations,
  transfers: SharedTransfers,
  worker: string,
  partition: PartitionGraph | undefined
): Graph {
  const builder = new Builder(shared, transfers, worker)
  builder.addLabels(partition === undefined ? undefined : builder.addPartition(partition))
  builder.addProducers()
  const { inputs, names } = builder
  const { order, cyclic } = sortTopologically(inputs)
  if (cyclic.length > 0) {
    throw new TraceError(
      `${short(trace)}: the graph has a cycle through "${short(names[cyclic[0]])}" (${cyclic.length} nodes); a step's graph is acyclic but for loops`
    )
  }
  return {
    types: builder.types,
    dependencies: contract(trace, inputs, order, shared.operations.length + transfers.transfers.length),
    dangling: builder.dangling,
    ambiguous: [...builder.ambiguous]
  }
}

/** Joins edges through all vertices numbered `kept` and above. */
function contract(trace: string, inputs: readonly number[][], order: readonly number[], kept: number): number[][] {
  const resolved: number[][] = Array.from({ length: inputs.length }, () => [])
  let edges = 0
  for (const vertex of order) {
    const all = new Set<number>()
    for (const input of inputs[vertex]) {
      if (input < kept) all.add(input)
      else for (const through of resolved[input]) all.add(through)
    }
    edges += all.size
    if (edges > MOST_EDGES)
      throw new TraceError(`${short(trace)}: more than ${MOST_EDGES} dependencies between operations; this is not one step's graph`)
    resolved[vertex] = [...all].sort((a, b) => a - b)
  }
  return resolved.slice(0, kept)
}
