import { type Description, describe } from './describe.ts'
import { element } from './elements.ts'
import type { TimelineState } from './state.ts'
import { timeText } from './units.ts'

/** Of those that a slice followed, or that followed it, so many are listed. */
const MOST_LISTED = 8

/** What is said below the rows of the selected slice, with ways to those that it followed and that followed it. */
export class Details {
  readonly root = element('section', { class: 'timeline-details', 'aria-label': 'Selected slice', 'aria-live': 'polite' })

  constructor(private readonly state: TimelineState) {}

  render(): void {
    const { selected, slices } = this.state
    if (selected === undefined) {
      const hint = 'Select a slice: click one, or press Enter while the timeline has the focus.'
      this.root.replaceChildren(element('p', { class: 'timeline-hint' }, hint))
      return
    }
    const described = describe(slices, selected)
    this.root.replaceChildren(
      element('h4', { class: 'timeline-name' }, described.name),
      facts(described),
      this.list('Followed', 'before', 'P', 'nothing in this step'),
      this.list('Followed by', 'after', 'N', 'nothing in this step')
    )
  }

  private list(title: string, direction: 'before' | 'after', key: string, none: string): HTMLElement {
    const related = this.state[direction]
    const heading = element('h5', {}, `${title} `, element('kbd', {}, key))
    const items = related.slice(0, MOST_LISTED).map(slice => element('li', {}, this.link(slice)))
    const rest = related.length - items.length
    if (rest > 0) items.push(element('li', { class: 'timeline-hint' }, `and ${rest} more`))
    const list = items.length > 0 ? element('ul', {}, ...items) : element('p', { class: 'timeline-hint' }, none)
    return element('div', { class: 'timeline-related' }, heading, list)
  }

  private link(slice: number): HTMLElement {
    const { name, kind, takes } = describe(this.state.slices, slice)
    const made = element('button', { type: 'button', class: 'timeline-link' }, name, element('small', {}, ` ${kind}, ${takes}`))
    made.addEventListener('click', () => this.state.select(slice))
    return made
  }
}

/** What is known of a slice as pairs, without those that it does not have. */
function facts({ kind, type, place, lane, begins, ends, takes, bytes, waited }: Description): HTMLElement {
  const pairs = [
    ['what', [kind, type].filter(part => part !== '').join(', ')],
    ['where', place],
    ['track', lane],
    ['begins', begins],
    ['ends', ends],
    ['takes', takes],
    ['size', bytes],
    ['waited', waited]
  ].filter(([, value]) => value !== '')
  return element(
    'dl',
    { class: 'timeline-facts' },
    ...pairs.map(([term, value]) => element('div', {}, element('dt', {}, term), element('dd', {}, value)))
  )
}

/** Beside the pointer. */
export function tipContent({ name, kind, type, place, begins, ends, takes, bytes, waited }: Description): Node[] {
  const line = (...parts: string[]) => element('div', {}, parts.filter(part => part !== '').join(' · '))
  return [
    element('strong', {}, name),
    line(kind, type, bytes),
    line(place),
    line(`${begins} – ${ends}`, takes),
    ...(waited === '' ? [] : [line(`waited ${waited}`)])
  ]
}

/** "12 ms of 1.24 s". */
export function shownText({ view, slices }: TimelineState): string {
  const { fromUs, toUs } = slices.span
  return `${timeText(Math.min(view.toUs - view.fromUs, toUs - fromUs))} of ${timeText(toUs - fromUs)}`
}
