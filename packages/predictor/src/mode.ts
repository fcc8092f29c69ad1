import type { Cluster } from '@foretrain/core-wasm'
import { defaults } from './defaults.ts'
import type { Mode } from './schema.ts'

/** Every mode there is a name for. */
export const modePattern = /^(async|sync|sync:backup=\d+|ssp:\d+|ssp:inf)$/
export const modeNames = 'async, sync, sync:backup=N, ssp:N or ssp:inf'
/** The simulator keeps a counter for each step that a worker may be ahead. */
export const mostStaleness = 1_000_000

type ParsedMode = { kind: 'async' } | { kind: 'ssp'; staleness: number } | { kind: 'sync'; backup: number }

/** A bound of infinity is none, so ssp:inf is the asynchronous mode. */
export function parseMode(mode: Mode = 'async'): ParsedMode {
  const [kind, detail] = mode.split(':')
  if (kind === 'sync') return { kind, backup: Number(detail?.split('=')[1] ?? 0) }
  return kind === 'ssp' && detail !== 'inf' ? { kind, staleness: Number(detail) } : { kind: 'async' }
}

/** What is wrong with a mode, and what would be right; undefined when it can be simulated with all these cluster sizes. */
export function modeProblem(mode: Mode, sizes: readonly number[]): { what: string; wanted: string } | undefined {
  if (!modePattern.test(mode)) return { what: `is ${mode}`, wanted: modeNames }
  const parsed = parseMode(mode)
  if (parsed.kind === 'ssp' && parsed.staleness > mostStaleness)
    return { what: `is ${mode}`, wanted: `a bound of at most ${mostStaleness} steps, or ssp:inf` }
  const fewest = Math.min(...sizes)
  if (parsed.kind === 'sync' && parsed.backup >= fewest) {
    const workers = fewest === 1 ? '1 worker' : `${fewest} workers`
    return { what: `is ${mode}, which leaves nobody of ${workers}`, wanted: 'fewer backups than the smallest cluster has workers' }
  }
  return undefined
}

/** As the simulator takes it. In a cluster of fewer workers than the question asks for (one, to compare with) all others can be backups. */
export function clusterMode(mode: Mode | undefined, workers: number): NonNullable<Cluster['mode']> {
  const parsed = parseMode(mode)
  if (parsed.kind !== 'sync') return parsed
  return { ...parsed, backup: Math.min(parsed.backup, workers - 1), accumulateScale: defaults.accumulateScale.value }
}

/** Worker-steps in a round, where all workers move in rounds; undefined where some may be ahead of others. */
export function stepsPerRound({ mode, workers }: Pick<Cluster, 'mode' | 'workers'>): number | undefined {
  if (mode?.kind === 'sync') return workers.length - mode.backup
  return mode?.kind === 'ssp' && mode.staleness === 0 ? workers.length : undefined
}

/** What moving in rounds does to the bounds. */
export interface RoundLimits {
  /** Worker-steps per second that the workers could make if nobody shared anything with anybody. */
  computePerSecond: number
  /** Cost of a worker-step's updates over that of an asynchronous one: gradients are added up one by one, and applied once a round. */
  updateShare: number
}

/**
 * Of any n workers a round needs the gradients of all but as many as there are backups, so rounds per second are at most the rates of the n slowest, summed, over
 * n less the backups. Without backups and with n = 1 that is the slowest worker. It holds for means: steps that vary make it less, which is no bound.
 *
 * @param aloneRates of each worker that has the cluster to itself, steps per second
 */
export function roundLimits(cluster: Pick<Cluster, 'mode' | 'workers'>, aloneRates: readonly number[]): RoundLimits | undefined {
  const perRound = stepsPerRound(cluster)
  if (perRound === undefined) return undefined
  const backups = aloneRates.length - perRound
  let slowest = 0
  let roundsPerSecond = Number.POSITIVE_INFINITY
  for (const [i, rate] of [...aloneRates].sort((a, b) => a - b).entries()) {
    slowest += rate
    if (i >= backups) roundsPerSecond = Math.min(roundsPerSecond, slowest / (i + 1 - backups))
  }
  const { mode } = cluster
  const updateShare = mode?.kind === 'sync' ? mode.accumulateScale + 1 / perRound : 1
  return { computePerSecond: roundsPerSecond * perRound, updateShare }
}
