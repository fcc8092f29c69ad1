import { endUs, firstEndingAfter, firstWhere, type Slices } from './slices.ts'
import type { View } from './view.ts'

/** Is told what is to be drawn of a lane, from left to right. Places are pixels from the left edge of the view. */
export interface LanePen {
  /** A slice of a pixel or more. */
  slice(slice: number, left: number, right: number): void
  /**
   * Pixels in which only shorter slices lie.
   *
   * @param first of them
   * @param share of the time that they fill: 0 … 1
   */
  crowd(first: number, left: number, right: number, share: number): void
}

/**
 * Walks over what is visible of a lane. What it costs depends on the pixels, not on the slices: of those that are narrower than a pixel all that
 * begin within one are taken at once.
 *
 * @param width of the view in pixels
 */
export function walkLane(slices: Slices, lane: number, view: View, width: number, pen: LanePen): void {
  const { startUs, durationUs, durationBefore, laneStart } = slices
  const usPerPixel = (view.toUs - view.fromUs) / width
  const pixel = (us: number) => (us - view.fromUs) / usPerPixel
  const end = laneStart[lane + 1]
  let slice = firstEndingAfter(slices, lane, view.fromUs)
  while (slice < end && startUs[slice] < view.toUs) {
    const left = pixel(startUs[slice])
    if (durationUs[slice] >= usPerPixel) {
      pen.slice(slice, left, pixel(endUs(slices, slice)))
      slice++
      continue
    }
    const column = Math.floor(left)
    const columnEndUs = view.fromUs + (column + 1) * usPerPixel
    let next = firstWhereFrom(slice + 1, end, other => startUs[other] >= columnEndUs)
    // A long one that begins in this pixel is its last: slices of a lane do not overlap.
    if (next - 1 > slice && durationUs[next - 1] >= usPerPixel) next--
    const share = Math.min(1, (durationBefore[next] - durationBefore[slice]) / usPerPixel)
    pen.crowd(slice, column, column + 1, share)
    slice = next
  }
}

/** As `firstWhere`, in steps that double: what is looked for is often near. */
function firstWhereFrom(from: number, to: number, holds: (number: number) => boolean): number {
  let step = 1
  let low = from
  while (low < to && !holds(low)) {
    const next = Math.min(to, low + step)
    if (next === to || holds(next)) return firstWhere(low + 1, next, holds)
    low = next
    step *= 2
  }
  return low
}
