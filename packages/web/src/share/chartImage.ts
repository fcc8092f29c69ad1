import { appendLegend } from './legend.ts'
import { shape } from './shape.ts'

/** What shapes and texts have from the style sheet or from what they lie in; each is an attribute of SVG as well. */
const inheritedProperties = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'shape-rendering',
  'visibility',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor'
] as const

/** Device pixels of a pixel in pictures of dots. */
const SCALE = 2

/** A chart as text of an SVG file, with its size in pixels. */
interface Picture {
  text: string
  width: number
  height: number
}

/**
 * A chart of the page as a document of its own: it looks the same without the page's style sheet, in the colours that it has now. What its
 * signs mean stands below it, if it does so on the page.
 *
 * @param chart shown on the page; its "aria-label" becomes the title
 * @returns text of an SVG file
 */
export function chartSvg(chart: SVGSVGElement): string {
  return pictureOf(chart).text
}

/**
 * The same picture in dots, two for each pixel of the page.
 *
 * @throws Error when the browser cannot draw it
 */
export async function chartPng(chart: SVGSVGElement): Promise<Blob> {
  const { text, width, height } = pictureOf(chart)
  const url = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = Math.round(width * SCALE)
    canvas.height = Math.round(height * SCALE)
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
    return await new Promise((resolve, reject) =>
      canvas.toBlob(
        blob => (blob === null ? reject(new Error('the browser made no picture of the chart')) : resolve(blob)),
        'image/png'
      )
    )
  } finally {
    URL.revokeObjectURL(url)
  }
}

function pictureOf(chart: SVGSVGElement): Picture {
  const copy = chart.cloneNode(true) as SVGSVGElement
  copyStyles(chart, copy, {})
  const title = shape('title', {})
  title.textContent = chart.getAttribute('aria-label')
  copy.prepend(title, shape('rect', { width: '100%', height: '100%', fill: groundBehind(chart) }))
  const { width, height } = chart.getBoundingClientRect()
  const legend = chart.closest('.chart-block')?.querySelector('.legend')
  const wholeHeight = height + (legend ? appendLegend(legend, copy, chart) : 0)
  copy.setAttribute('width', String(width))
  copy.setAttribute('height', String(wholeHeight))
  copy.setAttribute('viewBox', `0 0 ${width} ${wholeHeight}`)
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(copy)}\n`
  return { text, width, height: wholeHeight }
}

/**
 * Gives each element of a copy the looks of its original as attributes, where they differ from what it inherits.
 *
 * @param inherited looks of the parent's copy
 */
function copyStyles(from: Element, to: Element, inherited: Readonly<Record<string, string>>): void {
  const style = getComputedStyle(from)
  const own: Record<string, string> = {}
  for (const name of inheritedProperties) {
    own[name] = style.getPropertyValue(name)
    if (own[name] !== inherited[name]) to.setAttribute(name, own[name])
  }
  if (style.opacity !== '1') to.setAttribute('opacity', style.opacity)
  if (style.display === 'none') to.setAttribute('display', 'none')
  for (const name of [...to.getAttributeNames()])
    if (/^(class|style|role|tabindex|aria-.*|data-.*)$/.test(name)) to.removeAttribute(name)
  for (let i = 0; i < from.children.length; i++) copyStyles(from.children[i], to.children[i], own)
}

/** The colour that the chart is seen on. */
function groundBehind(chart: Element): string {
  for (let element: Element | null = chart; element !== null; element = element.parentElement) {
    const colour = getComputedStyle(element).backgroundColor
    if (!/^rgba\(.*, 0\)$|^transparent$/.test(colour)) return colour
  }
  return '#ffffff'
}
