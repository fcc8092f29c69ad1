import type { Job } from '@foretrain/core-wasm'
import type { Profile } from '@foretrain/trace-parser'
import { defaults } from '../defaults.ts'
import { contract } from './contract.ts'
import { layOut } from './layOut.ts'
import { type MergeOptions, mergeTransfers } from './mergeTransfers.ts'
import { releasePullsTogether } from './releaseTogether.ts'
import { buildGraph } from './workGraph.ts'

/** What may be left as it was traced. */
export interface CompileOptions {
  /** False keeps one operation of the job for each of the profile. Default true. */
  contract?: boolean
  /** Largest share of the shortest recorded step that any path may lose to dropped delays; 0 drops none. Default `contractionShare`. */
  contractionShare?: number
  /** Compute and updates shorter than this occupy no slot. Default 20 µs. */
  epsilonUs?: number
  /** Added to the recorded start of pulls: the wanted latency less that of the trace. */
  pullReleaseShiftUs?: number
  /** Whose small transfers are merged, where the graph is contracted. Default: those of both directions. */
  merge?: Partial<MergeOptions>
  /** Pulls without dependencies become ready at the earliest recorded start of any: another order than the recorded one is put on them. */
  releasePullsTogether?: boolean
}

/** The simulator's job, and which operations of the profile it was made of. */
export interface CompiledJob {
  job: Job
  /** For each operation of the job, the indices of the profile's operations that it stands for, the last one last. */
  operationOf: number[][]
  /** Bound on what dropped delays take from any path, µs. */
  droppedUs: number
  /** [k] recorded step of each template, where they are not the same. */
  stepOf?: readonly number[]
}

/** Compute operations that one worker runs at once: as many as the profile shows. */
export function computeSlotsOf(profile: Profile): number {
  return Math.max(1, profile.concurrency.compute)
}

/**
 * Turns a profile into the simulator's job: templates become rows of amounts and release times over one graph, which is contracted to
 * the operations that can make a difference.
 *
 * @throws QuestionError when an operation waits for more others than the simulator can count
 */
export function compile(profile: Profile, options: CompileOptions = {}): CompiledJob {
  const graph = buildGraph(profile, options.epsilonUs ?? defaults.epsilonUs.value, options.pullReleaseShiftUs ?? 0)
  if (options.releasePullsTogether) releasePullsTogether(graph)
  let droppedUs = 0
  if (options.contract ?? true) {
    const shortestUs = profile.steps.reduce((least, step) => Math.min(least, step.spanUs), Number.POSITIVE_INFINITY)
    const budgetUs = shortestUs * (options.contractionShare ?? defaults.contractionShare.value)
    droppedUs = contract(graph, computeSlotsOf(profile), budgetUs)
    const { pulls = true, pushes = true, mostBytes = Number.POSITIVE_INFINITY } = options.merge ?? {}
    mergeTransfers(graph, { pulls, pushes, mostBytes }, budgetUs)
  }
  return { ...layOut(graph, profile), droppedUs }
}
