const svgNamespace = 'http://www.w3.org/2000/svg'

/** What a style sheet may say of a shape or a text that shows in a picture; each is an attribute of SVG as well. */
const properties = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'shape-rendering',
  'opacity',
  'visibility',
  'display',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor'
] as const

/** Device pixels of a pixel in pictures of dots. */
const SCALE = 2

/**
 * A chart of the page as a document of its own: it looks the same without the page's style sheet, in the colours that it has now.
 *
 * @param chart shown on the page; its "aria-label" becomes the title
 * @returns text of an SVG file
 */
export function chartSvg(chart: SVGSVGElement): string {
  const { width, height } = sizeOf(chart)
  const copy = chart.cloneNode(true) as SVGSVGElement
  copyStyles(chart, copy, {})
  copy.setAttribute('width', String(width))
  copy.setAttribute('height', String(height))
  const ground = document.createElementNS(svgNamespace, 'rect')
  ground.setAttribute('width', '100%')
  ground.setAttribute('height', '100%')
  ground.setAttribute('fill', groundBehind(chart))
  const title = document.createElementNS(svgNamespace, 'title')
  title.textContent = chart.getAttribute('aria-label')
  copy.prepend(title, ground)
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(copy)}\n`
}

/**
 * The same chart in dots, two for each pixel of the page.
 *
 * @throws Error when the browser cannot draw it
 */
export async function chartPng(chart: SVGSVGElement): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([chartSvg(chart)], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    const { width, height } = sizeOf(chart)
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

function sizeOf(chart: SVGSVGElement): { width: number; height: number } {
  return chart.getBoundingClientRect()
}

/**
 * Gives each element of a copy the looks of its original as attributes, where they differ from what it inherits.
 *
 * @param inherited looks of the parent's copy
 */
function copyStyles(from: Element, to: Element, inherited: Readonly<Record<string, string>>): void {
  const style = getComputedStyle(from)
  const own: Record<string, string> = {}
  for (const name of properties) {
    own[name] = style.getPropertyValue(name)
    const passes = !['opacity', 'display'].includes(name)
    const expected = passes ? inherited[name] : undefined
    if (own[name] !== expected && !(isPlain(name, own[name]) && expected === undefined)) to.setAttribute(name, own[name])
  }
  for (const name of [...to.getAttributeNames()])
    if (/^(class|style|role|tabindex|aria-.*|data-.*)$/.test(name)) to.removeAttribute(name)
  for (let i = 0; i < from.children.length; i++) copyStyles(from.children[i], to.children[i], own)
}

/** What every element has anyway. */
function isPlain(name: string, value: string): boolean {
  return (name === 'opacity' && value === '1') || (name === 'display' && /^(inline|block)$/.test(value))
}

/** The colour that the chart is seen on. */
function groundBehind(chart: Element): string {
  for (let element: Element | null = chart; element !== null; element = element.parentElement) {
    const colour = getComputedStyle(element).backgroundColor
    if (!/^rgba\(.*, 0\)$|^transparent$/.test(colour)) return colour
  }
  return getComputedStyle(document.documentElement).getPropertyValue('--card').trim() || '#ffffff'
}
