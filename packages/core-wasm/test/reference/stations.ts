import type { Parse } from '../../src/job.ts'
import type { Agenda, EventClass } from './agenda.ts'

export interface Work {
  worker: number
  operation: number
  durationUs: number
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
        eventClass: this.#eventClass,
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

/** Received messages take the slot that is free first, in the order in which they left the wire, whatever their latency. */
export class ParseStation {
  readonly #freeAtUs: number[]
  readonly #parse: Parse

  constructor(parse: Parse) {
    this.#parse = parse
    this.#freeAtUs = Array.from({ length: parse.slots }, () => 0)
  }

  /** When a message that arrives at `arrivalUs` is parsed. */
  endUs(arrivalUs: number, bytes: number): number {
    const slot = this.#freeAtUs.indexOf(Math.min(...this.#freeAtUs))
    const endUs = Math.max(arrivalUs, this.#freeAtUs[slot]) + this.#parse.perByteUs * bytes + this.#parse.fixedUs
    this.#freeAtUs[slot] = endUs
    return endUs
  }
}
