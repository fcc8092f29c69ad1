/** The part of the time that is shown. Pure: every change is a new view. */
export interface View {
  fromUs: number
  toUs: number
}

/** Closer than this there is nothing to see: times are rounded to nanoseconds. */
const SHORTEST_US = 0.5
/** Room on both sides of everything, as a share of it. */
const MARGIN = 0.01

/** All of a span. */
export function wholeView({ fromUs, toUs }: View): View {
  const margin = Math.max(SHORTEST_US, (toUs - fromUs) * MARGIN)
  return { fromUs: fromUs - margin, toUs: toUs + margin }
}

/**
 * Zooms about a place.
 *
 * @param factor of the length that is shown: 0.5 shows half of it
 * @param share where the place is: 0 = left edge, 1 = right edge; it keeps its time
 * @param span of everything
 */
export function zoomed(view: View, factor: number, share: number, span: View): View {
  const whole = wholeView(span)
  const length = view.toUs - view.fromUs
  const wanted = Math.min(whole.toUs - whole.fromUs, Math.max(SHORTEST_US, length * factor))
  const fromUs = view.fromUs + share * (length - wanted)
  return within({ fromUs, toUs: fromUs + wanted }, whole)
}

/** Moves by a share of what is shown, to the right for positive ones, and no further than to the end. */
export function panned(view: View, share: number, span: View): View {
  const whole = wholeView(span)
  const byUs = Math.min(whole.toUs - view.fromUs, Math.max(whole.fromUs - view.toUs, share * (view.toUs - view.fromUs)))
  return within({ fromUs: view.fromUs + byUs, toUs: view.toUs + byUs }, whole)
}

/** The view moved, not zoomed, so that a span lies in it; as it is when that is so already. Of a longer span the begin is shown. */
export function revealing(view: View, shown: View, span: View): View {
  if (shown.fromUs >= view.fromUs && shown.toUs <= view.toUs) return view
  const length = view.toUs - view.fromUs
  const middle = Math.min((shown.fromUs + shown.toUs) / 2, shown.fromUs + length * 0.4)
  return within({ fromUs: middle - length / 2, toUs: middle + length / 2 }, wholeView(span))
}

/** A span with as much again on both sides. */
export function about({ fromUs, toUs }: View, span: View): View {
  const length = Math.max(SHORTEST_US, toUs - fromUs)
  return within({ fromUs: fromUs - length, toUs: toUs + length }, wholeView(span))
}

export function isWhole(view: View, span: View): boolean {
  const whole = wholeView(span)
  return view.fromUs <= whole.fromUs && view.toUs >= whole.toUs
}

function within({ fromUs, toUs }: View, whole: View): View {
  const length = Math.min(toUs - fromUs, whole.toUs - whole.fromUs)
  const start = Math.min(Math.max(fromUs, whole.fromUs), whole.toUs - length)
  return { fromUs: start, toUs: start + length }
}
