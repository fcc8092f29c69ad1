import type { SliceKind } from '@foretrain/predictor'
import { kindNames } from './describe.ts'
import { shownText } from './details.ts'
import { button, element } from './elements.ts'
import type { TimelineState } from './state.ts'

/** In the order in which they follow each other in a step. */
const legendKinds: readonly SliceKind[] = ['pull', 'parse', 'compute', 'push', 'update', 'wait', 'gap']
const BUTTON_ZOOM = 0.5

/** Zoom, the length that is shown, what the colours mean, and the way to a file. */
export class Toolbar {
  readonly root: HTMLElement
  private readonly shown = element('span', { class: 'timeline-shown' })

  /** @param onExport undefined: no file is offered */
  constructor(
    private readonly state: TimelineState,
    onExport: (() => Promise<void>) | undefined
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
    if (onExport !== undefined) this.root.append(exportButton(onExport))
  }

  render(): void {
    this.shown.textContent = shownText(this.state)
  }
}

function exportButton(onExport: () => Promise<void>): HTMLButtonElement {
  const title = 'Save for Perfetto: this run as a file for ui.perfetto.dev'
  const made = button('Save for Perfetto', title, () => {
    made.disabled = true
    onExport().finally(() => {
      made.disabled = false
    })
  })
  made.classList.add('timeline-export')
  return made
}
