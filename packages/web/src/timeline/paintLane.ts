import type { SliceKind } from '@foretrain/predictor'
import { walkLane } from './levelOfDetail.ts'
import type { Scene } from './paint.ts'
import { kindOf, type Slices } from './slices.ts'
import type { Surface } from './surface.ts'

/** Fewer pixels hold no name that could be read. */
const NAME_PIXELS = 30
const NAME_HEIGHT = 11
const NAME_MARGIN = 4
/** Neighbours stay apart from so many pixels on. */
const APART_PIXELS = 4
/** Even one slice in a pixel is seen. */
const LEAST_SHARE = 0.45
/** Steps of opacity: equal ones side by side are drawn as one. */
const SHADES = 6

interface Named {
  slice: number
  left: number
  right: number
}

/** Draws the slices of a lane, then their names. */
export function drawLane(surface: Surface, lane: number, top: number, height: number, scene: Scene): void {
  const { context, width } = surface
  const { slices, view, theme } = scene
  const named: Named[] = []
  const crowds = new Crowds(surface, top, height, scene)
  let painted: SliceKind | undefined
  walkLane(slices, lane, view, width, {
    slice(slice, left, right) {
      crowds.end()
      const kind = kindOf(slices, slice)
      if (kind !== painted) context.fillStyle = theme.fill[kind]
      painted = kind
      const [from, to] = drawBox(surface, left, right, top, height)
      if (to - from >= NAME_PIXELS) named.push({ slice, left: from, right: to })
    },
    crowd(first, left, right, share) {
      painted = undefined
      crowds.add(kindOf(slices, first), left, right, share)
    }
  })
  crowds.end()
  drawNames(surface, named, top, height, scene)
}

/** Fills from `left` to `right`, as far as they are visible, at least a pixel of the screen. */
export function drawBox(surface: Surface, left: number, right: number, top: number, height: number): [left: number, right: number] {
  const from = surface.snap(Math.max(-1, left))
  const apart = right - left >= APART_PIXELS ? 1 / surface.ratio : 0
  const to = Math.max(from + 1 / surface.ratio, surface.snap(Math.min(surface.width + 1, right)) - apart)
  surface.context.fillRect(from, top, to - from, height)
  return [from, to]
}

/** Pixels side by side that hold as much of the same kind become one rectangle. */
class Crowds {
  private open: { kind: SliceKind; shade: number; left: number; right: number } | undefined

  constructor(
    private readonly surface: Surface,
    private readonly top: number,
    private readonly height: number,
    private readonly scene: Scene
  ) {}

  add(kind: SliceKind, left: number, right: number, share: number): void {
    const shade = Math.ceil(Math.max(LEAST_SHARE, share) * SHADES)
    if (this.open?.kind === kind && this.open.shade === shade && this.open.right >= left) this.open.right = right
    else {
      this.end()
      this.open = { kind, shade, left, right }
    }
  }

  end(): void {
    if (this.open === undefined) return
    const { kind, shade, left, right } = this.open
    const { context } = this.surface
    context.globalAlpha = shade / SHADES
    context.fillStyle = this.scene.theme.fill[kind]
    context.fillRect(this.surface.snap(left), this.top, this.surface.snap(right) - this.surface.snap(left), this.height)
    context.globalAlpha = 1
    this.open = undefined
  }
}

/** Writes names on slices, where they can be read. */
export function drawNames(
  { context }: Surface,
  named: readonly Named[],
  top: number,
  height: number,
  { slices, theme }: Scene
): void {
  if (named.length === 0 || height < NAME_HEIGHT) return
  context.font = `10px ${theme.font}`
  context.textBaseline = 'middle'
  for (const { slice, left, right } of named) {
    const visibleLeft = Math.max(0, left)
    const text = fitted(context, partsOf(slices, slice), right - visibleLeft - 2 * NAME_MARGIN)
    if (text === '') continue
    context.fillStyle = theme.text[kindOf(slices, slice)]
    context.fillText(text, visibleLeft + NAME_MARGIN, top + height / 2 + 0.5)
  }
}

/** Parts of a name; the last of a transfer's, "read" or "grad", says no more than its lane. */
function partsOf(slices: Slices, slice: number): string[] {
  const { operation, operations, step, steps } = slices
  if (operation[slice] < 0) return [`step ${steps.ordinal[step[slice]]}`]
  const parts = operations.name[operation[slice]].split('/')
  return operations.server[operation[slice]] >= 0 && parts.length > 1 ? parts.slice(0, -1) : parts
}

const widths = new Map<string, number>()

function widthOf(context: CanvasRenderingContext2D, text: string): number {
  let width = widths.get(text)
  if (width === undefined) {
    if (widths.size > 20_000) widths.clear()
    width = context.measureText(text).width
    widths.set(text, width)
  }
  return width
}

/** As much of the end of a name as fits, by whole parts; else the begin of its last two. '' when nothing of use fits. */
function fitted(context: CanvasRenderingContext2D, parts: readonly string[], pixels: number): string {
  const last = Math.max(0, parts.length - 2)
  for (let from = 0; from <= last; from++) {
    const tail = parts.slice(from).join('/')
    if (widthOf(context, tail) <= pixels) return tail
  }
  const text = parts.slice(last).join('/')
  const characters = Math.floor((text.length * pixels) / widthOf(context, text)) - 1
  return characters >= 3 ? `${text.slice(0, characters)}…` : ''
}
