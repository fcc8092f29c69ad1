import { type Job, OperationKind } from '@foretrain/core-wasm'
import type { Profile } from '@foretrain/trace-parser'
import { QuestionError } from '../question.ts'
import { type Node, presentNodes, type WorkGraph } from './workGraph.ts'

/** The simulator counts in 16 bits what an operation still waits for. */
const mostDependencies = 65_535

/**
 * The graph as the simulator takes it, and for each of its operations the profile's operations that it stands for.
 *
 * @throws QuestionError when an operation waits for more than the simulator can count
 */
export function layOut(graph: WorkGraph, profile: Profile): { job: Job; operationOf: number[][] } {
  const nodes = [...presentNodes(graph)]
  for (const { id, dependencies } of nodes)
    if (dependencies.size > mostDependencies) refuse(profile.operations[id].name, dependencies.size)
  const index = new Map(nodes.map((node, position) => [node.id, position]))
  const meanStartUs = profile.operations.map((_, id) => profile.steps.reduce((sum, step) => sum + step.startUs[id], 0))
  // What becomes ready at one time is taken in the order of this list: the order in which the trace shows it.
  const inRecordedOrder = (a: number, b: number) => meanStartUs[a] - meanStartUs[b] || a - b

  const successorStart = new Uint32Array(nodes.length + 1)
  const successors: number[] = []
  nodes.forEach((node, position) => {
    for (const id of [...node.dependents].sort(inRecordedOrder)) successors.push(index.get(id)!)
    successorStart[position + 1] = successors.length
  })

  const amount = new Float64Array(graph.templates * nodes.length)
  const roots = nodes.filter(node => node.dependencies.size === 0)
  const releaseOperation: number[] = []
  const releaseUs: number[] = []
  for (let template = 0; template < graph.templates; template++) {
    nodes.forEach((node, position) => {
      amount[template * nodes.length + position] = node.amount[template]
    })
    const released = (node: Node) => node.releaseUs![template]
    for (const node of [...roots].sort((a, b) => released(a) - released(b) || inRecordedOrder(a.id, b.id))) {
      releaseOperation.push(index.get(node.id)!)
      releaseUs.push(released(node))
    }
  }
  const job: Job = {
    operations: nodes.length,
    templates: graph.templates,
    kind: Uint8Array.from(nodes, node => node.kind),
    server: Uint16Array.from(nodes, node => node.server),
    dependencies: Uint16Array.from(nodes, node => node.dependencies.size),
    successorStart,
    successors: Uint32Array.from(successors),
    amount,
    releaseOperation: Uint32Array.from(releaseOperation),
    releaseUs: Float64Array.from(releaseUs)
  }
  const messages = Uint16Array.from(nodes, messagesOf)
  if (messages.some(count => count > 1)) job.messages = messages
  return { job, operationOf: nodes.map(node => node.standsFor) }
}

/** Transfers stand for none but transfers. */
function messagesOf({ kind, standsFor }: Node): number {
  return kind === OperationKind.pull || kind === OperationKind.push ? standsFor.length : 1
}

function refuse(name: string, dependencies: number): never {
  const short = name.length > 80 ? `${name.slice(0, 79)}…` : name
  throw new QuestionError(
    `profile: operation ${short} waits for ${dependencies} others: use a profile with at most ${mostDependencies}`
  )
}

/** The job with only the named templates, in that order; it must have no first turns of its own yet. */
export function selectTemplates(job: Job, templates: readonly number[]): Job {
  const roots = job.releaseUs.length / job.templates
  const amount = new Float64Array(templates.length * job.operations)
  const releaseOperation = new Uint32Array(templates.length * roots)
  const releaseUs = new Float64Array(templates.length * roots)
  templates.forEach((template, position) => {
    amount.set(job.amount.subarray(template * job.operations, (template + 1) * job.operations), position * job.operations)
    releaseOperation.set(job.releaseOperation.subarray(template * roots, (template + 1) * roots), position * roots)
    releaseUs.set(job.releaseUs.subarray(template * roots, (template + 1) * roots), position * roots)
  })
  return { ...job, templates: templates.length, amount, releaseOperation, releaseUs }
}
