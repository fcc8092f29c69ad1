import { type Agenda, EventClass, type Occurrence } from './agenda.ts'
import type { Connection } from './connection.ts'

const RAMP_EVENTS = 7
/** TCP's minimum retransmission time-out: the congestion window outlives shorter pauses. */
const KEPT_FOR_US = 200_000

/** The share that a connection claims beside others: 1, or less while it grows after a pause. */
export class Weight {
  value = 1
  readonly connection: Connection
  #eventsSoFar = RAMP_EVENTS
  #idleSinceUs = -Infinity
  #growth: Occurrence | undefined
  readonly #agenda: Agenda
  readonly #rampUs: number

  constructor(agenda: Agenda, connection: Connection, rampUs: number) {
    this.#agenda = agenda
    this.connection = connection
    this.#rampUs = rampUs
  }

  turnBusy(isAlone: boolean): void {
    if (this.#rampUs === 0) return
    if (isAlone) {
      this.alone()
      return
    }
    if (this.#agenda.nowUs - this.#idleSinceUs >= KEPT_FOR_US) this.#setEventsSoFar(0)
    this.#scheduleGrowth()
  }

  turnIdle(): void {
    this.#idleSinceUs = this.#agenda.nowUs
    this.#dropGrowth()
  }

  /** No other connection is busy on either of its links. */
  alone(): void {
    this.#dropGrowth()
    this.#setEventsSoFar(RAMP_EVENTS)
  }

  #setEventsSoFar(events: number): void {
    this.#eventsSoFar = events
    this.value = 16 ** (events / RAMP_EVENTS - 1)
  }

  #scheduleGrowth(): void {
    if (this.#eventsSoFar === RAMP_EVENTS) return
    this.#growth = this.#agenda.add({
      timeUs: this.#agenda.nowUs + this.#rampUs / RAMP_EVENTS,
      eventClass: EventClass.net,
      worker: this.connection.worker,
      operation: 0,
      happen: () => {
        this.#setEventsSoFar(this.#eventsSoFar + 1)
        this.#scheduleGrowth()
      }
    })
  }

  #dropGrowth(): void {
    if (this.#growth) this.#agenda.remove(this.#growth)
    this.#growth = undefined
  }
}
