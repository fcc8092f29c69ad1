/** A canvas that is as sharp as its screen. Places are CSS pixels. */
export class Surface {
  readonly context: CanvasRenderingContext2D
  width = 0
  height = 0
  /** Device pixels of a CSS pixel. */
  ratio = 1

  constructor(readonly canvas: HTMLCanvasElement) {
    const context = canvas.getContext('2d', { alpha: false })
    if (context === null) throw new Error('this browser draws no canvas')
    this.context = context
  }

  /** To be called before drawing: follows the size of the element and the screen. */
  resize(width: number, height: number, ratio: number): void {
    if (width === this.width && height === this.height && ratio === this.ratio) return
    this.width = width
    this.height = height
    this.ratio = ratio
    this.canvas.width = Math.max(1, Math.round(width * ratio))
    this.canvas.height = Math.max(1, Math.round(height * ratio))
  }

  clear(colour: string): void {
    this.context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0)
    this.context.globalAlpha = 1
    this.context.fillStyle = colour
    this.context.fillRect(0, 0, this.width, this.height)
  }

  /** The nearest edge between two device pixels. */
  snap(place: number): number {
    return Math.round(place * this.ratio) / this.ratio
  }
}
