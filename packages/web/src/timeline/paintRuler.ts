import { GRID_PIXELS, type Scene } from './paint.ts'
import type { Surface } from './surface.ts'
import { axisPlaces, placeText } from './units.ts'

export const RULER_HEIGHT = 22

/**
 * Draws the times of the grid's lines, since the begin of the timeline.
 *
 * @param width of the view; the ruler may be wider by a scroll bar
 */
export function paintRuler(surface: Surface, width: number, { view, slices, theme }: Scene): void {
  const { context } = surface
  surface.clear(theme.surface)
  const usPerPixel = (view.toUs - view.fromUs) / width
  const origin = slices.span.fromUs
  const { places, step } = axisPlaces(view.fromUs - origin, view.toUs - origin, usPerPixel * GRID_PIXELS)
  context.font = `11px ${theme.font}`
  context.textBaseline = 'middle'
  for (const us of places) {
    const x = (us + origin - view.fromUs) / usPerPixel
    context.fillStyle = theme.line
    context.fillRect(surface.snap(x), RULER_HEIGHT - 6, 1 / surface.ratio, 6)
    context.fillStyle = theme.inkSoft
    context.fillText(placeText(us, step), x + 4, RULER_HEIGHT / 2)
  }
  context.fillStyle = theme.line
  context.fillRect(0, RULER_HEIGHT - 1 / surface.ratio, surface.width, 1 / surface.ratio)
}
