import type { SliceKind } from '@foretrain/predictor'
import { kindNames } from './describe.ts'
import { shownText } from './details.ts'
import { button, element } from './elements.ts'
import type { TimelineState } from './state.ts'

/** In the order in which they follow each other in a step. */
const legendKinds: readonly SliceKind[] = ['pull', 'parse', 'compute', 'push', 'update', 'wait', 'gap']
const BUTTON_ZOOM = 0.5

/** What can be saved; the buttons wait for it to settle. */
export interface Saving {
  onSave?: (kind: SavedKind) => Promise<void>
  onExport?: () => Promise<void>
}

export type SavedKind = 'csv' | 'png'

/** Zoom, the length that is shown, what the colours mean, and the way to a file. */
export class Toolbar {
  readonly root: HTMLElement
  private readonly shown = element('span', { class: 'timeline-shown' })

  constructor(
    private readonly state: TimelineState,
    saving: Saving
  ) {
    const zoom = element(
      'div',
      { class: 'timeline-zoom', role: 'group', 'aria-label': 'Zoom' },
      button('−', 'Zoom out', () => state.zoom(1 / BUTTON_ZOOM)),
      button('+', 'Zoom in', () => state.zoom(BUTTON_ZOOM)),
      button('Fit', 'Fit everything', () => state.fit())
    )
    const legend = legendKinds.map(kind =>
      element('li', {}, element('span', { class: `timeline-swatch is-${kind}`, 'aria-hidden': 'true' }), kindNames[kind])
    )
    this.root = element('div', { class: 'timeline-bar' }, zoom, this.shown, element('ul', { class: 'timeline-legend' }, ...legend))
    if (saving.onSave !== undefined || saving.onExport !== undefined) this.root.append(saves(saving))
  }

  render(): void {
    this.shown.textContent = shownText(this.state)
  }
}

function saves({ onSave, onExport }: Saving): HTMLElement {
  const word = element('span', { class: 'saves-word', 'aria-hidden': 'true' }, 'Save')
  const group = element('div', { class: 'saves', role: 'group', 'aria-label': 'Save timeline' }, word)
  const offer = (label: string, title: string, save: () => Promise<void>) => {
    const made = button(label, title, () => {
      made.disabled = true
      save().finally(() => {
        made.disabled = false
      })
    })
    group.append(made)
  }
  if (onSave !== undefined) {
    offer('CSV', 'Save timeline as CSV: the slices that are shown', () => onSave('csv'))
    offer('PNG', 'Save timeline as PNG: the picture as it is', () => onSave('png'))
  }
  if (onExport !== undefined) offer('Perfetto', 'Save timeline for Perfetto: the whole run, for ui.perfetto.dev', onExport)
  return group
}
