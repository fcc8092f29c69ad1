import type { TimelineColumns } from '@foretrain/predictor'
import { Dependencies } from './dependencies.ts'
import { layOut, type Rows, rowAt } from './rows.ts'
import { endUs, firstEndingAfter, firstWhere, laneOf, type Slices, slicesOf } from './slices.ts'
import { about, panned, revealing, type View, wholeView, zoomed } from './view.ts'

/** So many hosts are open at first: more do not fit. */
const OPEN_AT_FIRST = 4
/** A slice is met so many pixels beside it, too. */
const NEAR_PIXELS = 3

/** What changed: `content` is a new timeline, `rows` what stands below each other. */
export type Change = 'content' | 'rows' | 'view' | 'hover' | 'selection'

/** What is shown of a timeline and what is selected in it. Knows nothing of a document. */
export class TimelineState {
  slices!: Slices
  rows!: Rows
  view!: View
  hovered: number | undefined
  selected: number | undefined
  /** Slices that the selected one followed, and that followed it. */
  before: number[] = []
  after: number[] = []
  private collapsed!: Set<number>
  private dependencies: Dependencies | undefined

  constructor(
    columns: TimelineColumns,
    private readonly onChange: (change: Change) => void
  ) {
    this.load(columns)
  }

  replace(columns: TimelineColumns): void {
    this.load(columns)
    this.onChange('content')
  }

  zoom(factor: number, share = 0.5): void {
    this.show(zoomed(this.view, factor, share, this.slices.span))
  }

  /** @param share of what is shown, to the right */
  pan(share: number): void {
    this.show(panned(this.view, share, this.slices.span))
  }

  fit(): void {
    this.show(wholeView(this.slices.span))
  }

  /** Shows a slice with what is around it. */
  zoomTo(slice: number): void {
    this.show(about(this.spanOf(slice), this.slices.span))
  }

  show(view: View): void {
    this.view = view
    this.onChange('view')
  }

  hover(slice: number | undefined): void {
    if (slice === this.hovered) return
    this.hovered = slice
    this.onChange('hover')
  }

  select(slice: number | undefined): void {
    this.selected = slice
    this.dependencies ??= new Dependencies(this.slices)
    this.before = slice === undefined ? [] : this.dependencies.before(slice)
    this.after = slice === undefined ? [] : this.dependencies.after(slice)
    if (slice !== undefined) this.reveal(slice)
    this.onChange('selection')
  }

  /** Along the dependencies: to what was waited for longest, or to what began first then. */
  follow(direction: 'before' | 'after'): void {
    const [next] = this[direction]
    if (next !== undefined) this.select(next)
  }

  /** To the slice beside the selected one on its lane; without one to the first visible operation. */
  step(by: 1 | -1): void {
    if (this.selected === undefined) {
      const first = this.firstVisible()
      if (first !== undefined) this.select(first)
      return
    }
    const lane = laneOf(this.slices, this.selected)
    const next = this.selected + by
    if (next >= this.slices.laneStart[lane] && next < this.slices.laneStart[lane + 1]) this.select(next)
  }

  toggle(host: number): void {
    if (!this.collapsed.delete(host)) this.collapsed.add(host)
    this.layOut()
  }

  isCollapsed(host: number): boolean {
    return this.collapsed.has(host)
  }

  /**
   * The slice at a place.
   *
   * @param x pixels from the left edge of the view, whose width is `width`
   * @param y pixels from the top of all rows
   */
  sliceAt(x: number, y: number, width: number): number | undefined {
    const row = rowAt(this.rows, y)
    if (row?.content.kind !== 'lane') return undefined
    const { lane } = row.content
    const usPerPixel = (this.view.toUs - this.view.fromUs) / width
    const us = this.view.fromUs + x * usPerPixel
    const { laneStart, startUs } = this.slices
    const slice = firstEndingAfter(this.slices, lane, us)
    const distance = (candidate: number) =>
      candidate < laneStart[lane] || candidate >= laneStart[lane + 1]
        ? Number.POSITIVE_INFINITY
        : Math.max(0, startUs[candidate] - us, us - endUs(this.slices, candidate)) / usPerPixel
    const nearest = distance(slice - 1) < distance(slice) ? slice - 1 : slice
    return distance(nearest) <= NEAR_PIXELS ? nearest : undefined
  }

  /** Slices that are under way in what is shown, and not hidden. */
  *visible(): Generator<number> {
    const { slices, view, rows } = this
    for (const { content } of rows.rows) {
      if (content.kind !== 'lane') continue
      const end = slices.laneStart[content.lane + 1]
      const from = firstEndingAfter(slices, content.lane, view.fromUs)
      const to = firstWhere(from, end, slice => slices.startUs[slice] >= view.toUs)
      for (let slice = from; slice < to; slice++) yield slice
    }
  }

  private firstVisible(): number | undefined {
    let first: number | undefined
    for (const slice of this.visible()) {
      if (this.slices.operation[slice] >= 0) return slice
      first ??= slice
    }
    return first
  }

  private load(columns: TimelineColumns): void {
    this.slices = slicesOf(columns)
    this.dependencies = undefined
    this.hovered = undefined
    this.selected = undefined
    this.before = []
    this.after = []
    this.collapsed = closedAtFirst(columns)
    this.rows = layOut(columns, this.collapsed)
    this.view = wholeView(this.slices.span)
  }

  private layOut(): void {
    this.rows = layOut(this.slices, this.collapsed)
    this.onChange('rows')
  }

  /** Moves what is shown, and opens the host, so that a slice is seen. */
  private reveal(slice: number): void {
    const { host } = this.slices.lanes[laneOf(this.slices, slice)]
    if (this.collapsed.has(host)) this.toggle(host)
    const view = revealing(this.view, this.spanOf(slice), this.slices.span)
    if (view !== this.view) this.show(view)
  }

  private spanOf(slice: number): View {
    return { fromUs: this.slices.startUs[slice], toUs: endUs(this.slices, slice) }
  }
}

/** Of many workers only the first are open; servers are. */
function closedAtFirst({ hosts }: TimelineColumns): Set<number> {
  const servers = hosts.filter(({ kind }) => kind === 'server').length
  const open = Math.max(1, OPEN_AT_FIRST - servers)
  return new Set(hosts.flatMap(({ kind }, host) => (kind === 'worker' && host >= open ? [host] : [])))
}
