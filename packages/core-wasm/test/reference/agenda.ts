/** The order in which events of one time are taken. */
export const EventClass = { net: 0, parse: 1, compute: 2, update: 3, release: 4, step: 5 } as const
export type EventClass = (typeof EventClass)[keyof typeof EventClass]

export interface Occurrence {
  timeUs: number
  eventClass: EventClass
  worker: number
  operation: number
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

  add(occurrence: Occurrence): Occurrence {
    if (!(occurrence.timeUs >= this.nowUs)) throw new Error(`${occurrence.timeUs} µs lies before ${this.nowUs} µs`)
    this.#coming.push(occurrence)
    return occurrence
  }

  remove(occurrence: Occurrence): void {
    this.#coming = this.#coming.filter(other => other !== occurrence)
  }

  earliestUs(): number {
    return Math.min(Infinity, ...this.#coming.map(occurrence => occurrence.timeUs))
  }

  dueCount(): number {
    return this.#coming.filter(occurrence => occurrence.timeUs <= this.nowUs).length
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
