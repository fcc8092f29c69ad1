import type { TimelineCounter } from '@foretrain/predictor'
import type { Scene } from './paint.ts'
import { firstWhere } from './slices.ts'
import type { Surface } from './surface.ts'

/** Draws a count over time as steps, filled. A pixel in which it changes shows the most that there was. */
export function drawCounter(surface: Surface, { atUs, value }: TimelineCounter, top: number, height: number, scene: Scene): void {
  const { context, width } = surface
  const { view, theme } = scene
  const most = value.reduce((largest, count) => Math.max(largest, count), 1)
  const usPerPixel = (view.toUs - view.fromUs) / width
  context.beginPath()
  context.moveTo(0, top + height)
  let change = firstWhere(0, atUs.length, i => atUs[i] > view.fromUs)
  let count = change > 0 ? value[change - 1] : 0
  for (let pixel = 0; pixel < width; pixel++) {
    const untilUs = view.fromUs + (pixel + 1) * usPerPixel
    let shown = count
    for (; change < atUs.length && atUs[change] < untilUs; change++) {
      count = value[change]
      shown = Math.max(shown, count)
    }
    const y = top + height * (1 - shown / most)
    context.lineTo(pixel, y)
    context.lineTo(pixel + 1, y)
  }
  context.lineTo(width, top + height)
  context.fillStyle = theme.counter
  context.fill()
}
