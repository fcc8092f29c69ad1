/** A transfer under way on its connection. */
export interface Stream {
  operation: number
  bytes: number
  /** That it stands for. */
  messages: number
  firstTurnBytes: number
  /** Where priority holds: lower goes first. */
  priority: number
  /** Not yet put into a turn. */
  restBytes: number
  /** -Infinity before the first turn. */
  lastTurnStartUs: number
  firstByteUs: number
  /** The last byte has been sent. */
  sent(): void
}

export type Direction = 'pull' | 'push'

/** Between what and across which links a connection is. */
export interface Ends {
  direction: Direction
  worker: number
  server: number
  /** Indices of the links that it crosses: its sender's out and its receiver's in, or one loopback. */
  links: readonly number[]
  /** Whether its worker and its server are on one host. */
  isLocal: boolean
}

/** Between one worker and one server in one direction: streams in a queue, one turn on the wire. */
export class Connection implements Ends {
  readonly direction: Direction
  readonly worker: number
  readonly server: number
  readonly links: readonly number[]
  readonly isLocal: boolean
  rateBytesPerUs = 0
  turnBytes = 0
  unsentTurnBytes = 0
  onWire: Stream | undefined
  isOnLinks = false
  /** The time until its weight grows stands still while it is idle; else it starts anew. */
  readonly pausesGrowth: boolean = false
  readonly #queue: Stream[] = []
  readonly #latencyUs: number
  readonly #laterTurnBytes: number

  constructor({ direction, worker, server, links, isLocal }: Ends, latencyUs: number, laterTurnBytes: number) {
    this.direction = direction
    this.worker = worker
    this.server = server
    this.links = links
    this.isLocal = isLocal
    this.#latencyUs = latencyUs
    this.#laterTurnBytes = laterTurnBytes
  }

  /** A stream has its turn: on the links or, when they are not free at once, in front of them. */
  get isOccupied(): boolean {
    return this.onWire !== undefined
  }

  append(stream: Stream): void {
    this.#queue.push(stream)
  }

  /** Composes the next turn, if a stream may start one; it goes on the wire `delayUs` later. */
  startTurn(nowUs: number, delayUs = 0): void {
    const index = this.#queue.findIndex(stream => this.#mayStartUs(stream) <= nowUs)
    if (index < 0) return
    const [stream] = this.#queue.splice(index, 1)
    const isFirst = stream.lastTurnStartUs === -Infinity
    if (isFirst) stream.firstByteUs = nowUs + delayUs
    stream.lastTurnStartUs = nowUs + delayUs
    this.turnBytes = Math.min(stream.restBytes, isFirst ? stream.firstTurnBytes : this.#laterTurnBytes)
    this.unsentTurnBytes = this.turnBytes
    stream.restBytes -= this.turnBytes
    // Now, when the turn is composed: what arrives while it is on the wire queues behind.
    if (stream.restBytes > 0) this.#queue.push(stream)
    this.onWire = stream
  }

  /** The turn on the wire has been sent. Gives the stream if that was its last turn. */
  endTurn(): Stream | undefined {
    const stream = this.onWire!
    this.onWire = undefined
    return stream.restBytes > 0 ? undefined : stream
  }

  /** When the first of the waiting streams may start, Infinity if none waits. */
  mayStartUs(): number {
    return Math.min(Infinity, ...this.#queue.map(stream => this.#mayStartUs(stream)))
  }

  #mayStartUs(stream: Stream): number {
    return stream.lastTurnStartUs + 2 * this.#latencyUs
  }
}
