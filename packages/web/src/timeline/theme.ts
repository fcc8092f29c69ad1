import { type SliceKind, sliceKinds } from '@foretrain/predictor'

/** Colours and type of the page, as a canvas needs them: custom properties of the host's style (style/5-timeline.css). */
export interface Theme {
  fill: Record<SliceKind, string>
  /** Of names on slices of a kind. */
  text: Record<SliceKind, string>
  surface: string
  band: string
  ink: string
  inkSoft: string
  line: string
  accent: string
  counter: string
  font: string
}

export function themeOf(host: Element): Theme {
  const style = getComputedStyle(host)
  const property = (name: string) => style.getPropertyValue(name).trim()
  const ofKinds = (suffix: string) =>
    Object.fromEntries(sliceKinds.map(kind => [kind, property(`--timeline-${kind}${suffix}`)])) as Record<SliceKind, string>
  return {
    fill: ofKinds(''),
    text: ofKinds('-text'),
    surface: property('--card'),
    band: property('--timeline-band'),
    ink: property('--ink'),
    inkSoft: property('--ink-soft'),
    line: property('--line'),
    accent: property('--accent'),
    counter: property('--timeline-counter'),
    font: style.fontFamily
  }
}
