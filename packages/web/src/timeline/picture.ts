import type { TimelineColumns } from '@foretrain/predictor'
import { RULER_HEIGHT } from './paintRuler.ts'
import type { Row, Rows } from './rows.ts'
import type { Theme } from './theme.ts'

/** For names of tracks. */
const NAMES_WIDTH = 168

export interface Painted {
  /** As they are drawn on the page. */
  ruler: HTMLCanvasElement
  canvas: HTMLCanvasElement
  rows: Rows
  hosts: TimelineColumns['hosts']
  /** Pixels that are scrolled away at the top. */
  scrolled: number
  theme: Theme
}

/**
 * One picture of the ruler, the rows and their names.
 *
 * @throws Error when the browser makes none
 */
export function paintPicture({ ruler, canvas, rows, hosts, scrolled, theme }: Painted): Promise<Blob> {
  const ratio = canvas.width / Math.max(1, canvas.clientWidth)
  const names = Math.round(NAMES_WIDTH * ratio)
  const picture = document.createElement('canvas')
  picture.width = names + canvas.width
  picture.height = ruler.height + canvas.height
  const context = picture.getContext('2d')
  if (context !== null) {
    context.fillStyle = theme.surface
    context.fillRect(0, 0, picture.width, picture.height)
    context.scale(ratio, ratio)
    context.translate(0, RULER_HEIGHT - scrolled)
    for (const row of rows.rows) writeName(context, row, hosts, theme)
    context.setTransform(1, 0, 0, 1, 0, 0)
    context.fillStyle = theme.surface
    context.fillRect(0, 0, names, ruler.height)
    context.drawImage(ruler, names, 0)
    context.drawImage(canvas, names, ruler.height)
  }
  return new Promise((resolve, reject) =>
    picture.toBlob(blob => (blob === null ? reject(new Error('the browser made no picture of the timeline')) : resolve(blob)))
  )
}

function writeName(
  context: CanvasRenderingContext2D,
  { content, host, label, top, height }: Row,
  hosts: Painted['hosts'],
  theme: Theme
) {
  context.textBaseline = 'middle'
  if (content.kind === 'host') {
    context.fillStyle = theme.band
    context.fillRect(0, top, NAMES_WIDTH, height)
    context.font = `600 13px ${theme.font}`
    context.fillStyle = theme.ink
    context.fillText(hosts[host].name, 8, top + height / 2)
  } else if (label !== undefined) {
    context.font = `11px ${theme.font}`
    context.fillStyle = theme.inkSoft
    context.fillText(label, 20, top + 7, NAMES_WIDTH - 28)
  }
}
