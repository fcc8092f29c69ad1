import type { Comparison, Prediction } from '@foretrain/predictor'
import { computed, signal } from '@preact/signals'
import type { CurvePoint } from './engine/curve.ts'
import type { LevelName } from './engine/levels.ts'
import type { Measured } from './measured.ts'
import { defaultSettings, type Settings } from './settings.ts'
import type { Found } from './worker/protocol.ts'

/** What the page shows. Views read it; actions.ts alone writes it. */

export interface Trace {
  /** Counts the traces that were opened; the workers know them by it. */
  number: number
  /** What the visitor dropped, for a title. */
  name: string
  found: Found
  passedOver: string[]
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
/** One line, and the field that it is about. */
export const problem = signal<{ message: string; field?: keyof Settings } | undefined>(undefined)
/** Cluster size that the visitor looks at; undefined: the largest. */
export const chosenSize = signal<number | undefined>(undefined)

/** The point that the details are about. */
export const shownPoint = computed<CurvePoint | undefined>(() => {
  const current = curve.value
  if (current === undefined) return undefined
  const { sizes, points } = current
  const wanted = chosenSize.value !== undefined && sizes.includes(chosenSize.value) ? chosenSize.value : sizes[sizes.length - 1]
  return points.get(wanted)
})

/** Points that there are, ascending by workers. */
export const shownPoints = computed<CurvePoint[]>(() => {
  const current = curve.value
  return (current?.sizes ?? []).map(size => current?.points.get(size)).filter(point => point !== undefined)
})

/** Of the policies; undefined until it is asked for, and when the settings have moved on. */
export const comparison = signal<Comparison | undefined>(undefined)
export const comparing = signal<{ done: number; total: number } | undefined>(undefined)
