import type { Operation, Profile } from '../profile.ts'
import type { SharedOperations, SharedTransfers } from './align.ts'
import { inputNode, parseOperationLabel } from './labels.ts'
import type { PartitionGraph } from './partition.ts'
import { operationKey } from './readStep.ts'
import { UPDATE_TYPE } from './roles.ts'
import type { Template } from './template.ts'

/** Operations that stand for a variable; what they give out is the variable or a handle of it. */
const VARIABLE_TYPE = /^(?:Variable|VariableV2|VarHandleOp|AutoReloadVariable|TemporaryVariable)$/
/** Between a variable and what is read of it there are a few operations (Identity, a gather, a cast); more is another graph. */
const MOST_BETWEEN = 16

interface Node {
  type: string
  /** Names in the same task. */
  inputs: string[]
}

/**
 * Which operations belong to each variable: its pulls, by what they read; its updates, by their first input, which is the variable
 * (training_ops.cc, state_ops.cc, resource_variable_ops.cc); pushes, by the updates that they feed; and other server operations, by what
 * they wait for. What reads or feeds several variables belongs to none.
 *
 * The order of variables is that in which they were created, as far as a trace tells: TensorFlow numbers the edges of the whole graph in the
 * order of the nodes that they lead to, so the edge number of a variable's first pull follows its first use in the program, and layers use their
 * variables in the order in which they create them. Variables that are not pulled come last, in the order of their first operation.
 */
export function variablesOf(
  { vertices }: Template,
  operations: readonly Operation[],
  servers: readonly string[],
  shared: SharedOperations,
  transfers: SharedTransfers,
  partition: PartitionGraph | undefined
): NonNullable<Profile['variables']> {
  const owners = ownersOf(operations, servers, serverNodes(shared, partition))
  const edges = firstEdges(vertices, shared.operations.length, transfers)
  const found = new Map<string, { name: string; operations: number[]; edge: number }>()
  owners.forEach((name, id) => {
    if (name === undefined) return
    const variable = found.get(name) ?? { name, operations: [], edge: Number.POSITIVE_INFINITY }
    found.set(name, variable)
    variable.operations.push(id)
    if (operations[id].kind === 'pull') variable.edge = Math.min(variable.edge, edges[id])
  })
  const inOrder = [...found.values()].sort((a, b) => compare(a.edge, b.edge) || a.operations[0] - b.operations[0])
  return inOrder.map(({ name, operations: own }) => ({ name, operations: own }))
}

/** Infinity against itself is no difference. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a - b
}

/** Nodes of all tasks as the partition graphs and the labels tell them, by `operationKey`. */
function serverNodes({ complete }: SharedOperations, partition: PartitionGraph | undefined): Map<string, Node> {
  const nodes = new Map<string, Node>()
  for (const { nodes: executed } of complete.slice(0, 1)) {
    for (const [key, { name, label }] of executed) {
      const { type, inputs } = parseOperationLabel(name, label)
      nodes.set(key, { type, inputs: dataInputs(inputs) })
    }
  }
  for (const { raw, task } of partition?.nodes ?? [])
    nodes.set(operationKey(task, raw.name), { type: raw.op, inputs: dataInputs(raw.inputs) })
  return nodes
}

function dataInputs(inputs: readonly string[]): string[] {
  return inputs.filter(input => !input.startsWith('^')).map(inputNode)
}

/** Name of the variable to which each operation belongs; undefined for those of none and those of the worker. */
function ownersOf(
  operations: readonly Operation[],
  servers: readonly string[],
  nodes: ReadonlyMap<string, Node>
): Array<string | undefined> {
  const owners = operations.map(({ kind, name, type, server }): string | undefined => {
    if (kind === 'pull') return variableBehind(servers[server], name, nodes)
    if (kind !== 'update' || !UPDATE_TYPE.test(type)) return undefined
    const [first] = nodes.get(operationKey(servers[server], name))?.inputs ?? []
    return first === undefined ? undefined : variableBehind(servers[server], first, nodes)
  })
  const isPush = ({ kind }: Operation) => kind === 'push'
  const fed = fedBy(operations, owners)
  operations.forEach((operation, id) => {
    if (isPush(operation) && fed[id].size === 1) owners[id] = [...fed[id]][0]
  })
  operations.forEach(({ kind, dependencies }, id) => {
    if (kind !== 'update' || owners[id] !== undefined) return
    const before = new Set(dependencies.filter(dependency => operations[dependency].kind !== 'compute').map(at => owners[at]))
    if (before.size === 1) owners[id] = [...before][0]
  })
  return owners
}

/** The only variable from which a node of a server is computed. */
function variableBehind(task: string, name: string, nodes: ReadonlyMap<string, Node>): string | undefined {
  const found = new Set<string>()
  const seen = new Set<string>([name])
  const waiting = [name]
  while (waiting.length > 0 && seen.size <= MOST_BETWEEN) {
    const at = waiting.pop()!
    const node = nodes.get(operationKey(task, at)) ?? nodes.get(operationKey(task, at.replace(/_G\d+$/, '')))
    if (node === undefined) continue
    if (VARIABLE_TYPE.test(node.type)) found.add(at)
    else for (const input of node.inputs) if (!seen.has(input) && seen.add(input)) waiting.push(input)
  }
  return found.size === 1 ? [...found][0] : undefined
}

/** For each operation, the variables of the updates that it leads to on its server without passing another update of a variable. */
function fedBy(operations: readonly Operation[], owners: ReadonlyArray<string | undefined>): Array<Set<string>> {
  const fed = operations.map(() => new Set<string>())
  for (let id = operations.length - 1; id >= 0; id--) {
    const { kind, dependencies } = operations[id]
    if (kind !== 'update') continue
    const own = owners[id]
    const reached = own === undefined ? fed[id] : [own]
    for (const dependency of dependencies) for (const name of reached) fed[dependency].add(name)
  }
  return fed
}

/** Edge number of each transfer in the first step that recorded it, by the profile's operations; Infinity where there is none. */
function firstEdges(vertices: readonly number[], operationCount: number, { recorded }: SharedTransfers): number[] {
  return vertices.map(vertex => {
    const edge = recorded.map(row => row[vertex - operationCount]?.edge).find(number => number !== undefined && number >= 0)
    return edge ?? Number.POSITIVE_INFINITY
  })
}
