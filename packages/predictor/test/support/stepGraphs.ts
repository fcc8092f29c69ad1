import { type Operation, type Profile, type ProfiledStep, profileFrom } from '@foretrain/trace-parser'
import type { Policy, Ranks, StepGraph } from '../../src/policies/policy.ts'
import { stepGraphOf } from '../../src/policies/stepGraph.ts'

/** An operation by name: what it is, what it waits for, and its bytes or µs. */
export type Part = [name: string, kind: Operation['kind'], dependencies: string[], amount: number]

/** One recorded step of the operations, in their order; pulls start at `startUs`, by name, else at 0. */
export function oneStepProfile(parts: Part[], startUs: Record<string, number> = {}): Profile {
  const id = new Map(parts.map(([name], index) => [name, index]))
  const isTransfer = (kind: string) => kind === 'pull' || kind === 'push'
  const operations = parts.map(([name, kind, dependencies, amount]): Operation => {
    const ids = dependencies.map(dependency => id.get(dependency)!).sort((a, b) => a - b)
    return { name, kind, type: '', server: 0, bytes: isTransfer(kind) ? amount : 0, dependencies: ids }
  })
  const step: ProfiledStep = {
    trace: 'step',
    spanUs: 1000,
    durationUs: parts.map(([, kind, , amount]) => (isTransfer(kind) ? 0 : amount)),
    gapUs: parts.map(() => 0),
    startUs: parts.map(([name]) => startUs[name] ?? 0),
    endUs: parts.map(() => 0),
    imputed: []
  }
  return profileFrom(operations, [step])
}

/** A transfer of n bytes takes n µs alone. */
export function graphFrom(parts: Part[]): StepGraph {
  return stepGraphOf(oneStepProfile(parts), { goodputBytesPerUs: 1, parsePerByteUs: 0, parseFixedUs: 0 })
}

/** Rank of each pull by its name. */
export function ranksByName(policy: Policy, graph: StepGraph, order = 0): Record<string, number> {
  const { pulls } = policy.rank(graph, order) as Ranks
  return Object.fromEntries(graph.pulls.map((id, position) => [graph.operations[id].name, pulls[position]]))
}

/** Names of the pulls, first to go first. */
export function orderByName(policy: Policy, graph: StepGraph, order = 0): string[] {
  return Object.entries(ranksByName(policy, graph, order))
    .sort(([, a], [, b]) => a - b)
    .map(([name]) => name)
}
