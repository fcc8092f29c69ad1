/** The order in which events of one time are taken. */
export const EventClass = {
  request: 0,
  net: 1,
  parse: 2,
  ready: 3,
  compute: 4,
  update: 5,
  round: 6,
  release: 7,
  chunk: 8,
  step: 9
} as const
export type EventClass = (typeof EventClass)[keyof typeof EventClass]

export interface Occurrence {
  timeUs: number
  eventClass: EventClass
  worker: number
  operation: number
  /** The time comes out of rates, or of sums that may have been made in another order: another simulator may find it before or after an equal one. */
  isRounded?: boolean
  happen(): void
}

function isBefore(a: Occurrence, b: Occurrence): boolean {
  if (a.timeUs !== b.timeUs) return a.timeUs < b.timeUs
  if (a.eventClass !== b.eventClass) return a.eventClass < b.eventClass
  if (a.worker !== b.worker) return a.worker < b.worker
  return a.operation < b.operation
}

/** What is to come, as an unsorted list that is searched from end to end each time. */
export class Agenda {
  nowUs = 0
  #coming: Occurrence[] = []
  readonly #addedUs = new Map<Occurrence, number>()

  add(occurrence: Occurrence): Occurrence {
    if (!(occurrence.timeUs >= this.nowUs)) throw new Error(`${occurrence.timeUs} µs lies before ${this.nowUs} µs`)
    this.#coming.push(occurrence)
    this.#addedUs.set(occurrence, this.nowUs)
    return occurrence
  }

  remove(occurrence: Occurrence): void {
    this.#coming = this.#coming.filter(other => other !== occurrence)
    this.#addedUs.delete(occurrence)
  }

  earliestUs(): number {
    return Math.min(Infinity, ...this.#coming.map(occurrence => occurrence.timeUs))
  }

  /**
   * How many are due now of which another simulator may, by rounding, find some due a little earlier or later than others. Those that were added
   * at one time for one time are tied by the model, and count once.
   */
  looselyDueCount(): number {
    const due = this.#coming.filter(occurrence => occurrence.timeUs <= this.nowUs)
    const exact = new Set(due.filter(occurrence => !occurrence.isRounded).map(occurrence => this.#addedUs.get(occurrence)))
    return due.filter(occurrence => occurrence.isRounded).length + exact.size
  }

  /** The first of those that are due now, taken out of the list. */
  takeDue(): Occurrence | undefined {
    let first: Occurrence | undefined
    for (const occurrence of this.#coming) {
      if (occurrence.timeUs <= this.nowUs && (!first || isBefore(occurrence, first))) first = occurrence
    }
    if (first) this.remove(first)
    return first
  }
}
