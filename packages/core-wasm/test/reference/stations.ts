import type { Agenda, EventClass } from './agenda.ts'

export interface Work {
  worker: number
  operation: number
  durationUs: number
  /** Of the event at its end, if it is another than the station's. */
  eventClass?: EventClass
  started(): void
  done(): void
}

/** First come, first served by `slots` alike. */
export class Station {
  /** Summed over slots, of finished work. */
  busyUs = 0
  #waiting: Work[] = []
  #freeSlots: number
  readonly #agenda: Agenda
  readonly #eventClass: EventClass

  constructor(agenda: Agenda, eventClass: EventClass, slots: number) {
    this.#agenda = agenda
    this.#eventClass = eventClass
    this.#freeSlots = slots
  }

  add(work: Work): void {
    this.#waiting.push(work)
    this.#serve()
  }

  #serve(): void {
    while (this.#freeSlots > 0 && this.#waiting.length > 0) {
      const work = this.#waiting.shift()!
      this.#freeSlots--
      work.started()
      this.#agenda.add({
        timeUs: this.#agenda.nowUs + work.durationUs,
        eventClass: work.eventClass ?? this.#eventClass,
        worker: work.worker,
        operation: work.operation,
        happen: () => {
          this.#freeSlots++
          this.busyUs += work.durationUs
          this.#serve()
          work.done()
        }
      })
    }
  }
}

/** Messages take the slot that is free first, in the order in which they are announced (left the wire), whenever they arrive. */
export class MessageStation {
  /** Summed over slots, of announced work. */
  busyUs = 0
  readonly #freeAtUs: number[]

  constructor(slots: number) {
    this.#freeAtUs = Array.from({ length: slots }, () => 0)
  }

  /** When a message that arrives at `arrivalUs` is through. */
  endUs(arrivalUs: number, serviceUs: number): number {
    if (serviceUs === 0) return arrivalUs
    const slot = this.#freeAtUs.indexOf(Math.min(...this.#freeAtUs))
    const endUs = Math.max(arrivalUs, this.#freeAtUs[slot]) + serviceUs
    this.#freeAtUs[slot] = endUs
    this.busyUs += serviceUs
    return endUs
  }
}
