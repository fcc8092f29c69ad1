import type { StepGraph } from './policy.ts'
import { inTopologicalOrder } from './stepGraph.ts'

/**
 * The variable behind a pull, or the part of one: its tensor is named after the operation that read it, "conv1/kernel/read" for a reference variable,
 * "conv1/Conv2D/ReadVariableOp" for a resource variable. The latter tells the reader only, so the reader stands for the variable.
 */
export function variableOfPull(name: string): string {
  return name
    .replace(/:\d+$/, '')
    .replace(/\/(?:read|Read\/ReadVariableOp(?:_\d+)?|ReadVariableOp(?:_\d+)?)((?::\d+)?\/part_\d+)?$/, (_, part = '') =>
      part.replace(/^:\d+/, '')
    )
}

/**
 * The variable, or the part of one, that an optimizer's operation changes: TensorFlow names it "…/update_VARIABLE/Apply…". Undefined for operations of
 * other names.
 */
export function variableOfUpdate(name: string): string | undefined {
  const [, variable, part = ''] = /(?:^|\/)update_(.+)\/[^/]*Apply[^/]*?(\/part_\d+)?$/.exec(name) ?? []
  return variable === undefined ? undefined : variable + part
}

/**
 * For each push, the pull of the variable that it updates, as positions in `StepGraph.pulls`; −1 where none has its size.
 * The name of an update settles it where it tells the variable. Else the profile does not say what an update
 * changes, but a gradient has the size of its variable, and the backward pass meets the layers in the opposite order: among those of one
 * size the k-th gradient from the end belongs to the k-th variable that is used.
 *
 * @param useRanks order in which the pulls are used first, parallel to `StepGraph.pulls`
 */
export function pullsOfPushes(graph: StepGraph, useRanks: ArrayLike<number>): number[] {
  const { operations, pulls, pushes, dependents } = graph
  const byVariable = new Map(pulls.map((id, position) => [variableOfPull(operations[id].name), position]))
  const named = pushes.map(push =>
    dependents[push].reduce((found, id) => {
      const variable = variableOfUpdate(operations[id].name)
      return variable === undefined ? found : (byVariable.get(variable) ?? found)
    }, -1)
  )
  const taken = new Set(named)
  const waiting = new Map<number, number[]>()
  const depth = depthOf(graph)
  for (const position of [...pulls.keys()].sort((a, b) => useRanks[a] - useRanks[b])) {
    const { bytes } = operations[pulls[position]]
    if (!taken.has(position)) waiting.set(bytes, [...(waiting.get(bytes) ?? []), position])
  }
  const result = [...named]
  const deepestFirst = [...pushes.keys()].sort((a, b) => depth[pushes[b]] - depth[pushes[a]] || pushes[b] - pushes[a])
  for (const index of deepestFirst)
    if (named[index] < 0) result[index] = waiting.get(operations[pushes[index]].bytes)?.shift() ?? -1
  return result
}

/** Operations on the longest path to each. */
function depthOf(graph: StepGraph): Float64Array {
  const depth = new Float64Array(graph.operations.length)
  for (const id of inTopologicalOrder(graph))
    for (const dependency of graph.operations[id].dependencies) depth[id] = Math.max(depth[id], depth[dependency] + 1)
  return depth
}
