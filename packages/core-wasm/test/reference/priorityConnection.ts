import type { Priority } from '../../src/job.ts'
import { type Agenda, EventClass } from './agenda.ts'
import { Connection, type Ends, type Stream } from './connection.ts'

interface Chunk {
  stream: Stream
  bytes: number
  isFirst: boolean
  isLast: boolean
}

/** Streams are cut into chunks, which are handed over by priority as far as the credit allows. */
export class PriorityConnection extends Connection {
  override readonly pausesGrowth = true
  /** In the order of becoming ready. */
  #waiting: Stream[] = []
  #handedOver: Chunk[] = []
  #underHandOver: Chunk | undefined
  #chunkOnWire: Chunk | undefined
  readonly #agenda: Agenda
  readonly #priority: Priority
  readonly #place: number
  readonly #send: () => void

  /** @param send starts a turn of the idle connection */
  constructor(agenda: Agenda, priority: Priority, ends: Ends, place: number, send: (connection: Connection) => void) {
    super(ends, 0, 0)
    this.#agenda = agenda
    this.#priority = priority
    this.#place = place
    this.#send = () => send(this)
  }

  override append(stream: Stream): void {
    this.#waiting.push(stream)
    this.#actAt(this.#agenda.nowUs, () => {})
  }

  override startTurn(nowUs: number, delayUs = 0): void {
    const chunk = this.#handedOver.shift()
    if (!chunk) return
    if (chunk.isFirst) chunk.stream.firstByteUs = nowUs + delayUs
    this.turnBytes = this.unsentTurnBytes = chunk.bytes
    this.#chunkOnWire = chunk
    this.onWire = chunk.stream
  }

  override endTurn(): Stream | undefined {
    const { stream, isLast } = this.#chunkOnWire!
    this.#chunkOnWire = undefined
    this.onWire = undefined
    this.#handOver()
    return isLast ? stream : undefined
  }

  /** Nothing wakes it but its own events. */
  override mayStartUs(): number {
    return Infinity
  }

  #actAt(timeUs: number, first: () => void): void {
    const happen = () => {
      first()
      this.#handOver()
      if (!this.isOccupied && this.#handedOver.length > 0) this.#send()
    }
    this.#agenda.add({ timeUs, eventClass: EventClass.chunk, worker: this.worker, operation: this.#place, happen })
  }

  #handOver(): void {
    while (!this.#underHandOver) {
      const chunk = this.#takeChunk()
      if (!chunk) return
      if (this.#priority.chunkUs === 0) {
        this.#handedOver.push(chunk)
        continue
      }
      this.#underHandOver = chunk
      const times = chunk.isFirst ? chunk.stream.messages : 1
      this.#actAt(this.#agenda.nowUs + times * this.#priority.chunkUs, () => {
        this.#handedOver.push(chunk)
        this.#underHandOver = undefined
      })
    }
  }

  #takeChunk(): Chunk | undefined {
    if (this.#waiting.length === 0) return undefined
    const rank = Math.min(...this.#waiting.map(stream => stream.priority))
    const stream = this.#waiting.find(one => one.priority === rank)!
    const bytes = Math.min(this.#priority.partitionBytes, stream.restBytes)
    const unsent = [this.#chunkOnWire, ...this.#handedOver].reduce((sum, chunk) => sum + (chunk?.bytes ?? 0), 0)
    if (unsent > 0 && unsent + bytes > this.#priority.creditBytes) return undefined
    const isFirst = stream.restBytes === stream.bytes
    stream.restBytes -= bytes
    const isLast = stream.restBytes === 0
    if (isLast) this.#waiting = this.#waiting.filter(one => one !== stream)
    return { stream, bytes, isFirst, isLast }
  }
}
