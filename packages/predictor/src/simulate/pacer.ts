/** Simulated events between two visits to the event loop: some tens of milliseconds. */
const eventsBetweenPauses = 200_000

/** Lets the event loop run between stretches of simulation, and ends them when the caller has aborted. */
export class Pacer {
  readonly #signal: AbortSignal | undefined
  #events = 0

  constructor(signal?: AbortSignal) {
    this.#signal = signal
  }

  /** Called after `events` simulated events; throws the signal's reason when it is aborted. */
  async breathe(events: number): Promise<void> {
    this.#signal?.throwIfAborted()
    this.#events += events
    if (this.#events < eventsBetweenPauses) return
    this.#events = 0
    await new Promise(resolve => setTimeout(resolve, 0))
    this.#signal?.throwIfAborted()
  }

  /** Events to take at most before the next `breathe`. */
  get stretch(): number {
    return eventsBetweenPauses
  }
}
