import { shape } from './shape.ts'

const MARGIN = 8
const LINE_SAMPLE = 20
/** By the style of a border. */
const dashes: Record<string, string> = { dashed: '6 4', dotted: '1 4' }

/**
 * Draws what the signs of a chart mean below its copy, as the list on the page has it: each item a text with its sign in front, which is the
 * item's ::before: a box, or a line by its upper border.
 *
 * @returns height that was added, in pixels
 */
export function appendLegend(legend: Element, copy: SVGSVGElement, chart: Element): number {
  const place = chart.getBoundingClientRect()
  const box = legend.getBoundingClientRect()
  const group = shape('g', { 'font-size': getComputedStyle(legend).fontSize, fill: getComputedStyle(legend).color })
  for (const item of legend.children) {
    const { left, top, height } = item.getBoundingClientRect()
    const x = left - place.left
    const middle = place.height + top - box.top + height / 2
    const style = getComputedStyle(item, '::before')
    const width = Number.parseFloat(style.width) || LINE_SAMPLE
    group.append(signOf(style, x, middle, width))
    const gap = Number.parseFloat(getComputedStyle(item).columnGap) || MARGIN
    const text = shape('text', { x: x + width + gap, y: middle, dy: '0.34em' })
    text.textContent = item.textContent
    group.append(text)
  }
  copy.append(group)
  return box.height + MARGIN
}

function signOf(style: CSSStyleDeclaration, x: number, middle: number, width: number): SVGElement {
  const height = Number.parseFloat(style.height) || 0
  const border = Number.parseFloat(style.borderTopWidth) || 0
  if (border > 0)
    return shape('line', {
      ...{ x1: x, x2: x + width, y1: middle, y2: middle },
      stroke: style.borderTopColor,
      'stroke-width': border,
      'stroke-dasharray': dashes[style.borderTopStyle],
      'stroke-linecap': style.borderTopStyle === 'dotted' ? 'round' : undefined
    })
  return shape('rect', {
    ...{ x, y: middle - height / 2, width, height },
    fill: style.backgroundColor,
    opacity: style.opacity,
    transform: style.transform === 'none' ? undefined : `rotate(45 ${x + width / 2} ${middle})`
  })
}
