import { element } from './elements.ts'
import { paint } from './paint.ts'
import { paintRuler, RULER_HEIGHT } from './paintRuler.ts'
import { type Box, boxOf } from './paintSelection.ts'
import { paintPicture } from './picture.ts'
import { laneOf } from './slices.ts'
import type { TimelineState } from './state.ts'
import { Surface } from './surface.ts'
import { type Theme, themeOf } from './theme.ts'

/** Rows are visible up to this height; others are scrolled to. */
const TALLEST = 520
const PICTURE_RATIO = 2

/** The canvases: a ruler, and below it the rows, which scroll. Draws at most once a frame. */
export class Plot {
  readonly ruler: HTMLCanvasElement
  readonly canvas: HTMLCanvasElement
  /** Scrolls vertically; holds the canvas, which stays, and something as tall as all rows. */
  readonly scroller: HTMLElement
  private readonly rulerSurface: Surface
  private readonly surface: Surface
  private readonly spacer: HTMLElement
  private readonly observer: ResizeObserver
  private theme: Theme
  private frame = 0

  /** @param labels stand to the left of the rows and scroll with them */
  constructor(
    private readonly state: TimelineState,
    labels: HTMLElement
  ) {
    this.ruler = element('canvas', { class: 'timeline-ruler', 'aria-hidden': 'true' })
    this.canvas = element('canvas', { class: 'timeline-canvas', 'aria-hidden': 'true' })
    this.spacer = element('div', { class: 'timeline-rows' }, labels, this.canvas)
    this.scroller = element('div', { class: 'timeline-scroller' }, this.spacer)
    this.rulerSurface = new Surface(this.ruler)
    this.surface = new Surface(this.canvas)
    this.theme = themeOf(this.scroller)
    this.observer = new ResizeObserver(() => this.invalidate())
    this.observer.observe(this.scroller)
    this.observer.observe(this.ruler)
    this.scroller.addEventListener('scroll', () => this.invalidate(), { passive: true })
  }

  /** Width of the time axis in pixels. */
  get width(): number {
    return Math.max(1, this.canvas.clientWidth)
  }

  destroy(): void {
    this.observer.disconnect()
    cancelAnimationFrame(this.frame)
  }

  invalidate(): void {
    if (this.frame === 0) this.frame = requestAnimationFrame(() => this.draw())
  }

  /** After the colours of the page have changed. */
  restyle(): void {
    this.theme = themeOf(this.scroller)
    this.invalidate()
  }

  /** After rows were added or taken away. */
  layOut(): void {
    const { height } = this.state.rows
    this.spacer.style.height = `${height}px`
    this.scroller.style.height = `${Math.min(TALLEST, height)}px`
    this.invalidate()
  }

  /** @param ratio dots of a pixel */
  private draw(ratio = window.devicePixelRatio || 1): void {
    cancelAnimationFrame(this.frame)
    this.frame = 0
    this.surface.resize(this.width, this.scroller.clientHeight, ratio)
    this.canvas.style.height = `${this.scroller.clientHeight}px`
    this.rulerSurface.resize(Math.max(1, this.ruler.clientWidth), RULER_HEIGHT, ratio)
    const { state, theme } = this
    const { slices, rows, view, hovered, selected, before, after } = state
    const scene = { slices, rows, view, scrolled: this.scroller.scrollTop, theme, hovered, selected, before, after }
    paint(this.surface, scene)
    paintRuler(this.rulerSurface, this.width, scene)
  }

  /** What is to be seen, with the names beside it, in at least two dots for each pixel. */
  picture(): Promise<Blob> {
    this.draw(Math.max(PICTURE_RATIO, window.devicePixelRatio))
    const { ruler, canvas, state, theme, scroller } = this
    const picture = paintPicture({
      ruler,
      canvas,
      rows: state.rows,
      hosts: state.slices.hosts,
      scrolled: scroller.scrollTop,
      theme
    })
    this.draw()
    return picture
  }

  /** Where a slice is, in pixels from the corner of the canvas. */
  placeOf(slice: number): Box | undefined {
    const { slices, rows, view } = this.state
    return boxOf(this.surface, { slices, rows, view, scrolled: this.scroller.scrollTop }, slice)
  }

  scrollTo(slice: number): void {
    const row = this.state.rows.rows[this.state.rows.ofLane[laneOf(this.state.slices, slice)]]
    const { scrollTop, clientHeight } = this.scroller
    if (row === undefined || (row.top >= scrollTop && row.top + row.height <= scrollTop + clientHeight)) return
    this.scroller.scrollTop = row.top - clientHeight / 2
  }
}
