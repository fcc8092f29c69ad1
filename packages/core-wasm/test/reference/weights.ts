import type { ShareRow } from '../../src/job.ts'
import { type Agenda, EventClass, type Occurrence } from './agenda.ts'
import type { Connection } from './connection.ts'
import type { Xoshiro } from './xoshiro.ts'

const RAMP_EVENTS = 7
/** TCP's minimum retransmission time-out: the congestion window outlives shorter pauses. */
const KEPT_FOR_US = 200_000
const EQUAL: ShareRow = { startWeight: 1, rampUs: 0, spread: 0 }

/** The share that a connection claims beside others: 1 times its luck, or less while it grows after a pause. */
export class Weight {
  readonly connection: Connection
  #row = EQUAL
  #luck = 1
  #eventsSoFar = RAMP_EVENTS
  #idleSinceUs = -Infinity
  #growth: Occurrence | undefined
  /** Until the growth that was under way when the connection last turned idle. */
  #missingUs: number | undefined
  readonly #agenda: Agenda
  readonly #rows: readonly ShareRow[]
  readonly #random: Xoshiro

  constructor(agenda: Agenda, connection: Connection, rows: readonly ShareRow[], random: Xoshiro) {
    this.#agenda = agenda
    this.connection = connection
    this.#rows = rows.length > 0 ? rows : [EQUAL]
    this.#random = random
  }

  get value(): number {
    return this.#row.startWeight ** (1 - this.#eventsSoFar / RAMP_EVENTS) * this.#luck
  }

  /** @param others connections on the server's link, without this one */
  turnBusy(others: number): void {
    if (this.#agenda.nowUs - this.#idleSinceUs >= KEPT_FOR_US) {
      this.#row = this.#rows[Math.min(Math.max(others, 1), this.#rows.length) - 1]
      const { rampUs, spread } = this.#row
      const deviation = spread > 0 ? spread * (2 * this.#random.uniform() - 1) : 0
      this.#luck = (1 + deviation) / (1 - deviation)
      this.#eventsSoFar = others > 0 && rampUs > 0 ? 0 : RAMP_EVENTS
      this.#missingUs = undefined
    }
    if (others === 0) this.#eventsSoFar = RAMP_EVENTS
    this.#scheduleGrowth(this.#missingUs)
  }

  turnIdle(): void {
    this.#idleSinceUs = this.#agenda.nowUs
    this.#missingUs = this.connection.pausesGrowth && this.#growth ? this.#growth.timeUs - this.#agenda.nowUs : undefined
    this.#dropGrowth()
  }

  /** No other connection is busy on the server's link. */
  alone(): void {
    this.#dropGrowth()
    this.#eventsSoFar = RAMP_EVENTS
  }

  #scheduleGrowth(afterUs = this.#row.rampUs / RAMP_EVENTS): void {
    // A weight that begins at 1 has nowhere to grow.
    if (this.#eventsSoFar === RAMP_EVENTS || this.#row.startWeight === 1) return
    this.#growth = this.#agenda.add({
      timeUs: this.#agenda.nowUs + afterUs,
      eventClass: EventClass.net,
      worker: this.connection.worker,
      operation: 0,
      happen: () => {
        this.#eventsSoFar++
        this.#scheduleGrowth()
      }
    })
  }

  #dropGrowth(): void {
    if (this.#growth) this.#agenda.remove(this.#growth)
    this.#growth = undefined
  }
}
