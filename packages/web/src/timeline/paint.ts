import { drawCounter } from './paintCounter.ts'
import { drawLane } from './paintLane.ts'
import { drawConnections, outline } from './paintSelection.ts'
import type { Row, Rows } from './rows.ts'
import type { Slices } from './slices.ts'
import type { Surface } from './surface.ts'
import type { Theme } from './theme.ts'
import { axisPlaces } from './units.ts'
import type { View } from './view.ts'

/** All that a picture of the timeline depends on. */
export interface Scene {
  slices: Slices
  rows: Rows
  view: View
  /** Pixels that are scrolled away at the top. */
  scrolled: number
  theme: Theme
  hovered: number | undefined
  selected: number | undefined
  /** Slices that the selected one followed, and that followed it. */
  before: readonly number[]
  after: readonly number[]
}

/** Least pixels between two lines of the grid. */
export const GRID_PIXELS = 90

/** Draws the rows that are visible. */
export function paint(surface: Surface, scene: Scene): void {
  const { theme, rows, scrolled, selected, hovered } = scene
  surface.clear(theme.surface)
  const visible = rows.rows.filter(({ top, height }) => top + height > scrolled && top < scrolled + surface.height)
  for (const row of visible) drawBand(surface, row, scene)
  drawGrid(surface, scene)
  for (const row of visible) drawRow(surface, row, scene)
  if (selected !== undefined) {
    const related = [...scene.before, ...scene.after]
    if (related.length > 0) veil(surface, theme)
    drawConnections(surface, scene)
    for (const slice of related) outline(surface, scene, slice, theme.accent, 1.5)
    outline(surface, scene, selected, theme.ink, 2)
  }
  if (hovered !== undefined && hovered !== selected) outline(surface, scene, hovered, theme.ink, 1)
}

function drawRow(surface: Surface, row: Row, scene: Scene): void {
  const { content, host } = row
  const top = row.top - scene.scrolled
  if (content.kind === 'lane') drawLane(surface, content.lane, top, row.height - 1, scene)
  else if (content.kind === 'counter') drawCounter(surface, scene.slices.counters[content.counter], top, row.height - 2, scene)
  else if (content.collapsed) drawSummary(surface, host, top, scene)
}

/** What is shown of a host in one row: its steps, and below them its compute; of a server its updates. */
function drawSummary(surface: Surface, host: number, top: number, scene: Scene): void {
  const { lanes, hosts } = scene.slices
  const draw = (name: string, from: number, height: number) => {
    const lane = lanes.findIndex(candidate => candidate.host === host && candidate.name === name)
    if (lane >= 0) drawLane(surface, lane, top + from, height, scene)
  }
  if (hosts[host].kind === 'server') draw('update', 6, 14)
  else {
    draw('step', 3, 13)
    draw('compute', 17, 6)
  }
}

function drawBand({ context, width }: Surface, { top, height, content }: Row, { scrolled, theme }: Scene): void {
  if (content.kind !== 'host') return
  context.fillStyle = theme.band
  context.fillRect(0, top - scrolled, width, height)
}

function drawGrid(surface: Surface, { view, slices, theme }: Scene): void {
  const { context, width, height } = surface
  const usPerPixel = (view.toUs - view.fromUs) / width
  const origin = slices.span.fromUs
  context.fillStyle = theme.line
  for (const us of axisPlaces(view.fromUs - origin, view.toUs - origin, usPerPixel * GRID_PIXELS).places)
    context.fillRect(surface.snap((us + origin - view.fromUs) / usPerPixel), 0, 1 / surface.ratio, height)
}

/** Takes what is not selected back, without hiding it. */
function veil({ context, width, height }: Surface, theme: Theme): void {
  context.globalAlpha = 0.55
  context.fillStyle = theme.surface
  context.fillRect(0, 0, width, height)
  context.globalAlpha = 1
}
