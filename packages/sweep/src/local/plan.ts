import type { SweepCommon, SweepPointAsked, SweepVaried } from '@foretrain/predictor'

/** Lists of what is varied; each combination is a point. An absent list varies nothing: all points have what `predict` takes without. */
export type SweepAxes = { workers: readonly number[] } & {
  [Field in keyof SweepVaried]?: ReadonlyArray<NonNullable<SweepVaried[Field]>>
}

/** Everything that decides the rows of a sweep but the profile. Plain data. */
export interface SweepPlan {
  common: Omit<SweepCommon, 'profile'>
  axes: SweepAxes
}

/** Points of a sweep at most. */
export const mostPoints = 1_000_000

/**
 * The order of points: as nested loops, the first of these the outermost. What costs a set-up of its own is outside, so that neighbours share it; batch size, which
 * changes no simulation, is innermost.
 */
export const axisOrder = [
  'servers',
  'bandwidthBitsPerSecond',
  'latencyUs',
  'computeSpeed',
  'mode',
  'policy',
  'workers',
  'batchSize'
] as const satisfies ReadonlyArray<keyof SweepAxes>

/** What a sweep can vary. */
export type AxisName = (typeof axisOrder)[number]

/** The axes that share a set-up when nothing else differs. */
const withinSetUp: readonly AxisName[] = ['workers', 'batchSize']

interface Axis {
  axis: AxisName
  values: ReadonlyArray<string | number>
}

/** The points of a plan by their numbers, without a list of them. */
export class Grid {
  readonly size: number
  /** So many points in a row have the same set-up. */
  readonly pointsPerSetUp: number
  readonly #lists: Axis[]

  constructor(axes: SweepAxes) {
    this.#lists = axisOrder.flatMap(axis => {
      const values = axes[axis] as ReadonlyArray<string | number> | undefined
      return values === undefined ? [] : [{ axis, values }]
    })
    this.size = combinations(this.#lists)
    this.pointsPerSetUp = combinations(this.#lists.filter(({ axis }) => withinSetUp.includes(axis)))
  }

  at(index: number): SweepPointAsked {
    const asked: Partial<Record<AxisName, string | number>> = {}
    let rest = index
    for (const { axis, values } of [...this.#lists].reverse()) {
      asked[axis] = values[rest % values.length]
      rest = Math.floor(rest / values.length)
    }
    return asked as unknown as SweepPointAsked
  }
}

function combinations(lists: readonly Axis[]): number {
  return lists.reduce((count, { values }) => count * values.length, 1)
}

/** The same text for the same plan, in whatever order its fields were set: keys are sorted, at every depth. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : part
  )
}
