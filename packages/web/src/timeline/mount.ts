import type { TimelineColumns } from '@foretrain/predictor'
import { describe, sentence } from './describe.ts'
import { Details, tipContent } from './details.ts'
import { element } from './elements.ts'
import { keyAction, listenToPointers } from './input.ts'
import { Labels } from './labels.ts'
import { Plot } from './plot.ts'
import { slicesCsv } from './slicesCsv.ts'
import { type Change, TimelineState } from './state.ts'
import { Table } from './table.ts'
import { type SavedKind, Toolbar } from './toolbar.ts'

export interface TimelineOptions {
  /** Offers what is shown as a file: its slices, or the picture. A failure, of the content too, is the caller's to show. */
  onSave?: (kind: SavedKind, content: Promise<Blob>) => Promise<void>
  /** Offers the run as a file. Told when the visitor wants it; the button waits for it to settle. A failure is the caller's to show. */
  onExport?: () => Promise<void>
}

export interface MountedTimeline {
  /** Shows another run. */
  update(columns: TimelineColumns): void
  /** Leaves the host empty. */
  destroy(): void
}

const help =
  'Arrow keys move, + and − zoom, 0 shows everything. Enter selects; comma and period go along a track, P to what a slice followed, N to what followed it. Escape lets go.'

/**
 * Draws a simulated window as a Gantt chart in an element: lanes of hosts over time, with zoom, hover, dependencies, and a table of what is shown.
 *
 * @param host an empty element; colours come from the custom properties of its style
 */
export function mountTimeline(host: HTMLElement, columns: TimelineColumns, options: TimelineOptions = {}): MountedTimeline {
  const state = new TimelineState(columns, change => follow(change))
  const labels = new Labels(state)
  const plot = new Plot(state, labels.root)
  const { onSave, onExport } = options
  const contentOf = { csv: async () => new Blob([slicesCsv(state)], { type: 'text/csv' }), png: () => plot.picture() }
  const toolbar = new Toolbar(state, { onExport, onSave: onSave && (kind => onSave(kind, contentOf[kind]())) })
  const details = new Details(state)
  const table = new Table(state)
  const tip = element('div', { class: 'timeline-tip', hidden: '' })
  const status = element('p', { class: 'visually-hidden', role: 'status' })
  const helpText = element('p', { class: 'timeline-help', id: `timeline-help-${++mounted}` }, help)
  const view = element(
    'div',
    {
      class: 'timeline-view',
      tabindex: '0',
      role: 'application',
      'aria-label': 'Timeline of the simulated run',
      'aria-describedby': helpText.id
    },
    plot.ruler,
    plot.scroller,
    tip
  )
  const root = element('div', { class: 'timeline' }, toolbar.root, view, helpText, details.root, table.root, status)

  view.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    // Enter on the name of a host opens it.
    if (event.target !== view && event.key === 'Enter') return
    const action = keyAction(event.key, plot, state)
    if (action === undefined) return
    event.preventDefault()
    action()
  })
  listenToPointers(plot, state)
  // After what says whether there is something to tell.
  plot.canvas.addEventListener('pointermove', placeTip)
  plot.canvas.addEventListener('wheel', placeTip, { passive: true })

  const scheme = window.matchMedia('(prefers-color-scheme: dark)')
  const restyle = () => plot.restyle()
  scheme.addEventListener('change', restyle)
  host.replaceChildren(root)
  restyle()
  follow('content')

  function follow(change: Change): void {
    if (change === 'content' || change === 'rows') {
      labels.render()
      plot.layOut()
    }
    if (change === 'content' || change === 'selection') details.render()
    if (change === 'selection' && state.selected !== undefined) {
      plot.scrollTo(state.selected)
      if (document.activeElement === view) status.textContent = sentence(describe(state.slices, state.selected))
    }
    if (change === 'hover' || change === 'content') showTip()
    else table.invalidate()
    toolbar.render()
    plot.invalidate()
  }

  function showTip(): void {
    const { hovered, slices } = state
    tip.hidden = hovered === undefined
    plot.canvas.classList.toggle('is-over-slice', hovered !== undefined)
    if (hovered !== undefined) tip.replaceChildren(...tipContent(describe(slices, hovered)))
  }

  /** Beside the pointer, within the view. */
  function placeTip({ clientX, clientY }: MouseEvent): void {
    if (tip.hidden) return
    const box = view.getBoundingClientRect()
    const left = clientX - box.left + 14
    const top = clientY - box.top + 16
    const isFar = left + tip.offsetWidth > box.width
    tip.style.left = `${Math.max(0, isFar ? left - tip.offsetWidth - 28 : left)}px`
    tip.style.top = `${top}px`
  }

  return {
    update: next => state.replace(next),
    destroy() {
      scheme.removeEventListener('change', restyle)
      plot.destroy()
      table.destroy()
      host.replaceChildren()
    }
  }
}

let mounted = 0
