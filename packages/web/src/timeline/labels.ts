import { element } from './elements.ts'
import type { TimelineState } from './state.ts'

/** The names beside the rows; those of hosts open and close them. */
export class Labels {
  readonly root = element('div', { class: 'timeline-labels' })

  constructor(private readonly state: TimelineState) {}

  render(): void {
    const { state } = this
    const { hosts } = state.slices
    const focused = (document.activeElement as HTMLElement | null)?.dataset.timelineHost
    this.root.replaceChildren(
      ...state.rows.rows.flatMap(({ content, host, label, top, height }) => {
        const name = content.kind === 'host' ? this.hostButton(host, hosts[host].name) : laneName(label)
        if (name === undefined) return []
        name.style.top = `${top}px`
        name.style.height = `${Math.max(height, 14)}px`
        return [name]
      })
    )
    if (focused !== undefined) this.root.querySelector<HTMLElement>(`[data-timeline-host="${focused}"]`)?.focus()
  }

  private hostButton(host: number, name: string): HTMLElement {
    const isOpen = !this.state.isCollapsed(host)
    const made = element(
      'button',
      { type: 'button', class: 'timeline-host', 'aria-expanded': String(isOpen), 'data-timeline-host': String(host) },
      name
    )
    made.addEventListener('click', () => this.state.toggle(host))
    return made
  }
}

function laneName(label: string | undefined): HTMLElement | undefined {
  if (label === undefined) return undefined
  const isWaiting = label.endsWith(', waiting')
  // It stands below what is waited for.
  return element(
    'span',
    { class: isWaiting ? 'timeline-lane is-waiting' : 'timeline-lane', title: label },
    isWaiting ? 'waiting' : label
  )
}
