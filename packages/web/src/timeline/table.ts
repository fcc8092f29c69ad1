import { type Description, describe } from './describe.ts'
import { element } from './elements.ts'
import type { TimelineState } from './state.ts'
import { placeText } from './units.ts'

/** Of more the longest are listed. */
const MOST_ROWS = 100
/** A view that moves on is not listed. */
const PAUSE_MS = 200

const columns: Array<{ title: string; of: keyof Description; isNumber?: boolean }> = [
  { title: 'operation', of: 'name' },
  { title: 'what', of: 'kind' },
  { title: 'where', of: 'place' },
  { title: 'begins', of: 'begins', isNumber: true },
  { title: 'takes', of: 'takes', isNumber: true },
  { title: 'size', of: 'bytes', isNumber: true },
  { title: 'waited', of: 'waited', isNumber: true }
]

/** The slices that are shown, as a table: for those who do not see the picture, and for numbers to copy. Made when it is opened. */
export class Table {
  readonly root: HTMLDetailsElement
  private readonly place = element('div', { class: 'timeline-table', tabindex: '0', role: 'region', 'aria-label': 'Slices' })
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly state: TimelineState) {
    this.root = element('details', { class: 'timeline-twin' }, element('summary', {}, 'What is shown, as a table'), this.place)
    this.root.addEventListener('toggle', () => this.render())
  }

  destroy(): void {
    clearTimeout(this.timer)
  }

  /** Soon, when nothing changes meanwhile. */
  invalidate(): void {
    if (!this.root.open) return
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.render(), PAUSE_MS)
  }

  private render(): void {
    if (!this.root.open) return
    const { slices, view } = this.state
    const { shown, total } = longestOf(this.state)
    const { fromUs, toUs } = slices.span
    const resolution = Math.max(1e-3, (view.toUs - view.fromUs) / 1000)
    const from = placeText(Math.max(view.fromUs, fromUs) - fromUs, resolution)
    const span = `${from} – ${placeText(Math.min(view.toUs, toUs) - fromUs, resolution)}`
    const caption = `${shown.length < total ? `The ${shown.length} longest of ${total}` : total} slices, ${span}`
    const head = columns.map(({ title, isNumber }) =>
      element('th', { scope: 'col', ...(isNumber && { class: 'is-number' }) }, title)
    )
    const body = shown.map(slice => this.row(slice))
    this.place.replaceChildren(
      element(
        'table',
        {},
        element('caption', {}, caption),
        element('thead', {}, element('tr', {}, ...head)),
        element('tbody', {}, ...body)
      )
    )
  }

  private row(slice: number): HTMLElement {
    const described = describe(this.state.slices, slice)
    const select = element('button', { type: 'button', class: 'timeline-link' }, described.name)
    select.addEventListener('click', () => this.state.select(slice))
    const [, ...rest] = columns
    const cells = rest.map(({ of, isNumber }) => element('td', isNumber ? { class: 'is-number' } : {}, described[of]))
    return element('tr', {}, element('th', { scope: 'row' }, select), ...cells)
  }
}

/** The longest of the visible slices, in the order of their starts. */
function longestOf(state: TimelineState): { shown: number[]; total: number } {
  const { durationUs, startUs } = state.slices
  const visible = [...state.visible()]
  const longest =
    visible.length > MOST_ROWS ? visible.sort((a, b) => durationUs[b] - durationUs[a] || a - b).slice(0, MOST_ROWS) : visible
  return { shown: longest.sort((a, b) => startUs[a] - startUs[b] || a - b), total: visible.length }
}
