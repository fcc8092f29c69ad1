import type { Scene } from './paint.ts'
import { drawBox, drawNames } from './paintLane.ts'
import { endUs, kindOf, laneOf } from './slices.ts'
import type { Surface } from './surface.ts'

/** Where a slice is drawn; its host may be collapsed. */
export interface Box {
  left: number
  right: number
  top: number
  height: number
}

export function boxOf(
  { width }: Pick<Surface, 'width'>,
  { slices, rows, view, scrolled }: Pick<Scene, 'slices' | 'rows' | 'view' | 'scrolled'>,
  slice: number
): Box | undefined {
  const row = rows.rows[rows.ofLane[laneOf(slices, slice)]]
  if (row === undefined) return undefined
  const usPerPixel = (view.toUs - view.fromUs) / width
  const pixel = (us: number) => (us - view.fromUs) / usPerPixel
  return { left: pixel(slices.startUs[slice]), right: pixel(endUs(slices, slice)), top: row.top - scrolled, height: row.height - 1 }
}

/** Draws a slice in full colour, with its name, and a frame around it. */
export function outline(surface: Surface, scene: Scene, slice: number, colour: string, lineWidth: number): void {
  const box = boxOf(surface, scene, slice)
  if (box === undefined || box.right < -1 || box.left > surface.width + 1) return
  const { context } = surface
  context.fillStyle = scene.theme.fill[kindOf(scene.slices, slice)]
  const [from, to] = drawBox(surface, box.left, box.right, box.top, box.height)
  drawNames(surface, [{ slice, left: from, right: to }], box.top, box.height, scene)
  const half = lineWidth / 2
  context.strokeStyle = colour
  context.lineWidth = lineWidth
  context.strokeRect(from - half, box.top - half, Math.max(2, to - from) + lineWidth, box.height + lineWidth)
}

/** Curves from what the selected slice followed to its begin, and from its end to what followed it. */
export function drawConnections(surface: Surface, scene: Scene): void {
  const { selected, before, after, theme } = scene
  const own = selected === undefined ? undefined : boxOf(surface, scene, selected)
  if (own === undefined) return
  const { context } = surface
  context.strokeStyle = theme.accent
  context.lineWidth = 1.25
  const curve = (from: Box, to: Box) => {
    const [x0, y0, x1, y1] = [from.right, from.top + from.height / 2, to.left, to.top + to.height / 2]
    const bend = Math.max(12, Math.abs(x1 - x0) / 2)
    context.beginPath()
    context.moveTo(x0, y0)
    context.bezierCurveTo(x0 + bend, y0, x1 - bend, y1, x1, y1)
    context.stroke()
  }
  for (const slice of before) {
    const box = boxOf(surface, scene, slice)
    if (box !== undefined) curve(box, own)
  }
  context.setLineDash([4, 3])
  for (const slice of after) {
    const box = boxOf(surface, scene, slice)
    if (box !== undefined) curve(own, box)
  }
  context.setLineDash([])
}
