import { OperationKind } from '@foretrain/core-wasm'
import type { Profile } from '@foretrain/trace-parser'
import { buildGraph } from '../compile/workGraph.ts'
import { defaults } from '../defaults.ts'
import type { StepGraph } from './policy.ts'

/** What decides how long a transfer takes alone. */
interface TransferCost {
  /** Bytes per µs. */
  goodputBytesPerUs: number
  parsePerByteUs: number
  parseFixedUs: number
}

/** The graph of a profile's step before contraction, with mean durations over its steps. */
export function stepGraphOf(profile: Profile, cost: TransferCost): StepGraph {
  const { operations } = profile
  const dependents: number[][] = operations.map(() => [])
  operations.forEach(({ dependencies }, id) => {
    for (const dependency of dependencies) dependents[dependency].push(id)
  })
  const { nodes, templates } = buildGraph(profile, defaults.epsilonUs.value, 0)
  const perByteUs = 1 / cost.goodputBytesPerUs + cost.parsePerByteUs
  const durationUs = new Float64Array(operations.length)
  const transferUs = new Float64Array(operations.length)
  nodes.forEach((node, id) => {
    if (node === undefined || node.kind === OperationKind.delay) return
    const mean = node.amount.reduce((sum, amount) => sum + amount, 0) / templates
    if (isTransfer(operations[id].kind)) transferUs[id] = mean * perByteUs + cost.parseFixedUs
    else durationUs[id] = mean
  })
  const of = (kind: 'pull' | 'push') => operations.flatMap((operation, id) => (operation.kind === kind ? [id] : []))
  return { operations, dependents, durationUs, transferUs, pulls: of('pull'), pushes: of('push') }
}

function isTransfer(kind: string): boolean {
  return kind === 'pull' || kind === 'push'
}

/** Dependencies first. Profiles are free of cycles: the reader refuses others. */
export function inTopologicalOrder({ operations, dependents }: StepGraph): number[] {
  const missing = operations.map(({ dependencies }) => dependencies.length)
  const order = operations.flatMap((_, id) => (missing[id] === 0 ? [id] : []))
  for (let i = 0; i < order.length; i++) for (const id of dependents[order[i]]) if (--missing[id] === 0) order.push(id)
  return order
}
