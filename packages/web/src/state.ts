import type { Comparison, Prediction, TimelineColumns } from '@foretrain/predictor'
import { computed, signal } from '@preact/signals'
import type { CurvePoint } from './engine/curve.ts'
import type { LevelName } from './engine/levels.ts'
import type { Measured } from './measured.ts'
import { defaultSettings, type Settings } from './settings.ts'
import type { Found, OneCluster } from './worker/protocol.ts'

/** What the page shows. Views read it; actions alone write it. */

export interface Trace {
  /** Counts the traces that were opened; the workers know them by it. */
  number: number
  /** What the visitor dropped, for a title. */
  name: string
  /** Of the file or folder, as far as the browser tells it. */
  path: string | undefined
  found: Found
  /** Names of files of a folder that were not read. */
  tooLarge: string[]
}

export interface Curve {
  /** Those that it was simulated with: the fields may have moved on. */
  settings: Settings
  sizes: number[]
  /** Number of workers → its point. */
  points: Map<number, CurvePoint>
  /** The last level that is complete. */
  level: LevelName | undefined
  /** Once all points are simulated in full. */
  prediction: Prediction | undefined
}

export const trace = signal<Trace | undefined>(undefined)
export const measured = signal<Measured | undefined>(undefined)
export const settings = signal<Settings>({ ...defaultSettings })
export const curve = signal<Curve | undefined>(undefined)
/** Of the files being read. */
export const reading = signal<{ done: number; total: number } | undefined>(undefined)
/** Whether a curve is being simulated. */
export const simulating = signal(false)
/** What went wrong, one line. */
export const problem = signal<string | undefined>(undefined)
/** Cluster size that the visitor looks at; undefined: the largest. */
export const chosenSize = signal<number | undefined>(undefined)

/** The cluster size that the details are about. */
export const shownSize = computed<number | undefined>(() => {
  const sizes = curve.value?.sizes ?? []
  const chosen = chosenSize.value
  return chosen !== undefined && sizes.includes(chosen) ? chosen : sizes[sizes.length - 1]
})

export const shownPoint = computed<CurvePoint | undefined>(() =>
  shownSize.value === undefined ? undefined : curve.value?.points.get(shownSize.value)
)

/** The latest curve that is complete: what it says beside its points stays until the next one can say it. */
export const lastPrediction = signal<Prediction | undefined>(undefined)

/** Points that there are, ascending by workers. */
export const shownPoints = computed<CurvePoint[]>(() => {
  const current = curve.value
  return (current?.sizes ?? []).map(size => current?.points.get(size)).filter(point => point !== undefined)
})

/** Of the policies; undefined until it is asked for, and when the settings have moved on. */
export const comparison = signal<Comparison | undefined>(undefined)
export const comparing = signal<{ done: number; total: number } | undefined>(undefined)

/** A window of a simulated run. */
export interface TimelineView {
  question: OneCluster
  /** Number of the trace. */
  profile: number
  columns: TimelineColumns
}

export const timelineView = signal<TimelineView | undefined>(undefined)
/** Whether a window is being simulated. */
export const drawing = signal(false)
