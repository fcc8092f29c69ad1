import type { PlayedStep } from './play.ts'
import type { Resource } from './tracks.ts'

/** What a slice shows, in the order of its codes (`TimelineColumns.kind`). */
export const sliceKinds = ['step', 'compute', 'update', 'pull', 'push', 'parse', 'gap', 'wait'] as const
/** One of `sliceKinds`. */
export type SliceKind = (typeof sliceKinds)[number]

/** A span of one operation, or of a whole step, without its track. Times are ns since the run began. */
export interface Slice {
  kind: SliceKind
  startNs: number
  endNs: number
  /** Of the profile; -1 for a whole step. */
  operation: number
  of: PlayedStep
  /** Of a transfer. */
  bytes: number
  /** Time between being ready and being served. */
  waitedNs: number
  /** Of a transfer on the wire: when it could have begun, and when its receiver had it parsed. */
  transfer?: { readyNs: number; endNs: number }
  /** Arrows that leave from this slice and that end in it. */
  flowsOut?: Flow[]
  flowsIn?: Flow[]
}

export interface Flow {
  /** Unique in a timeline. */
  id: number
  name: 'apply' | 'first use'
}

/** What is placed on one lane together, one after the other. */
export interface Placed {
  kind: 'slices'
  resource: Resource
  slices: Slice[]
}

/** A number of things under way changes. */
export interface Change {
  kind: 'change'
  process: number
  counter: string
  atNs: number
  by: number
}

export type Drawn = Placed | Change

/** Nanoseconds are what the Trace Event Format's three decimals of a µs can hold. */
export function nanoseconds(us: number): number {
  return Math.round(us * 1000)
}
