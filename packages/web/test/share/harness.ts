import { chartPng, chartSvg } from '../../src/share/chartImage.ts'
import { download } from '../../src/share/download.ts'

declare global {
  interface Window {
    svg(): string
    /** Colours of the dots at these places of the picture, as "r,g,b", and its size. */
    png(places: Array<[x: number, y: number]>): Promise<{ size: [number, number]; dots: string[] }>
    save(name: string, text: string): void
  }
}

const chart = () => document.querySelector('.chart-svg') as SVGSVGElement

window.svg = () => chartSvg(chart())
window.save = (name, text) => download(name, new Blob([text]))
window.png = async places => {
  const bitmap = await createImageBitmap(await chartPng(chart()))
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
  context?.drawImage(bitmap, 0, 0)
  const dot = ([x, y]: [number, number]) => [...(context?.getImageData(x, y, 1, 1).data ?? [])].slice(0, 3).join()
  return { size: [bitmap.width, bitmap.height], dots: places.map(dot) }
}
