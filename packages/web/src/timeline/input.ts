import type { Plot } from './plot.ts'
import type { TimelineState } from './state.ts'

/** A pointer that moved no further has clicked. */
const CLICK_PIXELS = 4
/** Zoom of one notch of a wheel, of about 100 pixels, is by e^0.2. */
const ZOOM_PER_PIXEL = 0.002
const LINE_PIXELS = 16
const KEY_ZOOM = 0.6
const KEY_PAN = 0.15
const KEY_SCROLL_PIXELS = 60

/** What pointers do: drag moves, two fingers and the wheel zoom, hover looks, click selects. */
export function listenToPointers(plot: Plot, state: TimelineState): void {
  const { canvas, scroller } = plot
  const down = new Map<number, PointerEvent>()
  let moved = 0
  const place = (event: MouseEvent) => {
    const box = canvas.getBoundingClientRect()
    return { x: event.clientX - box.left, y: event.clientY - box.top + scroller.scrollTop }
  }
  const sliceAt = (event: MouseEvent) => {
    const { x, y } = place(event)
    return state.sliceAt(x, y, plot.width)
  }
  canvas.addEventListener('pointerdown', event => {
    if (event.button !== 0) return
    if (down.size === 0) moved = 0
    down.set(event.pointerId, event)
    canvas.setPointerCapture(event.pointerId)
  })
  canvas.addEventListener('pointermove', event => {
    const before = down.get(event.pointerId)
    if (before === undefined) {
      state.hover(sliceAt(event))
      return
    }
    down.set(event.pointerId, event)
    const byX = event.clientX - before.clientX
    moved += Math.abs(byX) + Math.abs(event.clientY - before.clientY)
    if (moved <= CLICK_PIXELS) return
    canvas.classList.add('is-dragged')
    const other = [...down.values()].find(({ pointerId }) => pointerId !== event.pointerId)
    if (other !== undefined) pinch(before, event, other)
    else {
      state.pan(-byX / plot.width)
      scroller.scrollTop -= event.clientY - before.clientY
    }
  })
  const release = (event: PointerEvent) => {
    const isClick = down.delete(event.pointerId) && event.type === 'pointerup' && moved <= CLICK_PIXELS
    if (down.size === 0) canvas.classList.remove('is-dragged')
    if (isClick) state.select(sliceAt(event))
  }
  canvas.addEventListener('pointerup', release)
  canvas.addEventListener('pointercancel', release)
  canvas.addEventListener('pointerleave', () => state.hover(undefined))
  canvas.addEventListener('dblclick', event => {
    const slice = sliceAt(event)
    if (slice !== undefined) state.zoomTo(slice)
  })
  canvas.addEventListener('wheel', wheel, { passive: false })

  function pinch(before: PointerEvent, now: PointerEvent, other: PointerEvent): void {
    const apart = (event: PointerEvent) => Math.max(10, Math.abs(event.clientX - other.clientX))
    const middle = place(now).x / 2 + place(other).x / 2
    state.zoom(apart(before) / apart(now), middle / plot.width)
  }

  function wheel(event: WheelEvent): void {
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PIXELS : 1
    const alongTime = event.shiftKey ? event.deltaX || event.deltaY : event.deltaX
    const { fromUs, toUs } = state.view
    if (event.shiftKey || Math.abs(alongTime) > Math.abs(event.deltaY)) state.pan((alongTime * pixels) / plot.width)
    else state.zoom(Math.exp(event.deltaY * pixels * ZOOM_PER_PIXEL), place(event).x / plot.width)
    state.hover(sliceAt(event))
    // At the end of the zoom the page scrolls on.
    if (event.ctrlKey || state.view.fromUs !== fromUs || state.view.toUs !== toUs) event.preventDefault()
  }
}

/** What a key does; undefined for keys that the timeline leaves to the page. */
export function keyAction(key: string, plot: Plot, state: TimelineState): (() => void) | undefined {
  const actions: Record<string, () => void> = {
    '+': () => state.zoom(KEY_ZOOM),
    '=': () => state.zoom(KEY_ZOOM),
    '-': () => state.zoom(1 / KEY_ZOOM),
    '0': () => state.fit(),
    ArrowLeft: () => state.pan(-KEY_PAN),
    ArrowRight: () => state.pan(KEY_PAN),
    ArrowUp: () => plot.scroller.scrollBy(0, -KEY_SCROLL_PIXELS),
    ArrowDown: () => plot.scroller.scrollBy(0, KEY_SCROLL_PIXELS),
    Home: () => state.pan(Number.NEGATIVE_INFINITY),
    End: () => state.pan(Number.POSITIVE_INFINITY),
    p: () => state.follow('before'),
    n: () => state.follow('after'),
    ',': () => state.step(-1),
    '.': () => state.step(1),
    Enter: () => (state.selected === undefined ? state.step(1) : state.zoomTo(state.selected)),
    Escape: () => state.select(undefined)
  }
  return Object.hasOwn(actions, key) ? actions[key] : undefined
}
