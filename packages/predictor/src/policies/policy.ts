import type { Operation } from '@foretrain/trace-parser'

/**
 * What a policy may look at: the graph of a step, and how long its parts take. All arrays run parallel to `operations`, and an operation is
 * known by its index in them.
 */
export interface StepGraph {
  /** As in the profile: kind, name, server, bytes, and the indices of the operations that must complete first. */
  operations: readonly Operation[]
  /** Operations that wait for each operation, ascending. */
  dependents: ReadonlyArray<readonly number[]>
  /**
   * How long each compute and update holds its slot, µs: the mean over the steps of the profile. 0 for transfers, and for operations
   * that are too short to hold one (`epsilonUs` in defaults.json).
   */
  durationUs: Float64Array
  /**
   * How long each transfer takes alone, µs: bytes over the goodput of the path, and what its receiver needs for it. Not the recorded
   * duration, which contains the wait behind other transfers. 0 for the rest.
   */
  transferUs: Float64Array
  /** The transfers by direction, ascending. */
  pulls: readonly number[]
  pushes: readonly number[]
}

/** Position of each transfer: small goes first, equal numbers keep the order of the recorded step. Finite. */
export interface Ranks {
  /** Parallel to `StepGraph.pulls`. */
  pulls: ArrayLike<number>
  /** Parallel to `StepGraph.pushes`. Absent: pushes are sent as they become ready, as TensorFlow does. */
  pushes?: ArrayLike<number>
}

/** An order of the transfers of a step. */
export interface Policy {
  /** As points and comparisons name it. */
  readonly name: string
  /**
   * Least number of different orders in all. Absent: one order for every step. With more, every recorded step is played in several of
   * them, equally many each.
   */
  readonly orders?: number
  /**
   * The order numbered `order`, from 0 on. The same arguments must give the same ranks.
   *
   * @returns undefined: nothing is changed, every step sends its transfers as it was recorded to
   */
  rank(graph: StepGraph, order: number): Ranks | undefined
}
