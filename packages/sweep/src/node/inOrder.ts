import type { Row } from '../local/rows.ts'

/** Puts rows that come chunk by chunk, in whatever order, into that of their points. */
export class InOrder {
  readonly #waiting = new Map<number, Row[]>()
  #next = 0

  /** Points before the first that is missing. */
  get head(): number {
    return this.#next
  }

  /** @returns the rows that are now next; none while an earlier chunk is missing */
  accept(rows: Row[]): Row[] {
    if (rows.length === 0) return []
    this.#waiting.set(rows[0].point, rows)
    const ready: Row[] = []
    for (;;) {
      const next = this.#waiting.get(this.#next)
      if (next === undefined) return ready
      this.#waiting.delete(this.#next)
      this.#next += next.length
      for (const row of next) ready.push(row)
    }
  }
}
