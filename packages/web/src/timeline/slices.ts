import { type SliceKind, sliceKinds, type TimelineColumns } from '@foretrain/predictor'

/** What is drawn, with what makes looking things up in it fast. Built once for each timeline. */
export interface Slices extends TimelineColumns {
  /** One more than slices: `[i]` is the sum of the durations in front of slice i, µs. */
  durationBefore: Float64Array
  /** Of all slices. */
  span: { fromUs: number; toUs: number }
}

export function slicesOf(columns: TimelineColumns): Slices {
  const { startUs, durationUs } = columns
  const durationBefore = new Float64Array(startUs.length + 1)
  let fromUs = Number.POSITIVE_INFINITY
  let toUs = Number.NEGATIVE_INFINITY
  for (let i = 0; i < startUs.length; i++) {
    durationBefore[i + 1] = durationBefore[i] + durationUs[i]
    fromUs = Math.min(fromUs, startUs[i])
    toUs = Math.max(toUs, startUs[i] + durationUs[i])
  }
  const span = startUs.length > 0 ? { fromUs, toUs } : { fromUs: 0, toUs: 1 }
  return { ...columns, durationBefore, span }
}

export function kindOf({ kind }: TimelineColumns, slice: number): SliceKind {
  return sliceKinds[kind[slice]]
}

export function endUs({ startUs, durationUs }: TimelineColumns, slice: number): number {
  return startUs[slice] + durationUs[slice]
}

/** The lane of a slice. */
export function laneOf({ laneStart }: TimelineColumns, slice: number): number {
  return firstWhere(1, laneStart.length, lane => laneStart[lane] > slice) - 1
}

/** The first slice of a lane that ends after a time; the end of the lane when none does. */
export function firstEndingAfter(slices: TimelineColumns, lane: number, us: number): number {
  return firstWhere(slices.laneStart[lane], slices.laneStart[lane + 1], slice => endUs(slices, slice) > us)
}

/** The smallest number from `from` on, below `to`, for which something holds that then holds for all larger ones; `to` if there is none. */
export function firstWhere(from: number, to: number, holds: (number: number) => boolean): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
