import type { Row } from '../local/rows.ts'
import { InOrder } from './inOrder.ts'
import { type TextFormat, textFormats } from './textFile.ts'

/** The result of a sweep on its way to a pipe, a terminal or a device: rows in the order of points, as soon as all before them are there. */
export class SweepStream {
  /** Nothing can be resumed. */
  readonly done = []
  readonly #inOrder = new InOrder()
  readonly #format: TextFormat
  readonly #write: (text: string) => Promise<void>

  /** @param write hands text over; its rejection ends the sweep */
  constructor(format: TextFormat, write: (text: string) => Promise<void>) {
    this.#format = format
    this.#write = write
  }

  get head(): number {
    return this.#inOrder.head
  }

  async write(rows: Row[]): Promise<void> {
    const { head, line } = textFormats[this.#format]
    const isFirst = this.#inOrder.head === 0
    const ready = this.#inOrder.accept(rows)
    if (ready.length > 0) await this.#write((isFirst ? head : '') + ready.map(line).join(''))
  }

  async finish(): Promise<void> {}

  async suspend(): Promise<boolean> {
    return false
  }
}
