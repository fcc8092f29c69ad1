/** Simulated events between two visits to the event loop: some tens of milliseconds. */
const eventsBetweenPauses = 200_000

/** Lets the event loop run between stretches of simulation, and ends them when the caller has aborted. */
export class Pacer {
  readonly #signal: AbortSignal | undefined
  readonly #onSteps: ((steps: number) => void) | undefined
  #events = 0

  /** @param onSteps told how many worker-steps more were simulated */
  constructor(signal?: AbortSignal, onSteps?: (steps: number) => void) {
    this.#signal = signal
    this.#onSteps = onSteps
  }

  /** Called after `events` simulated events, in which `steps` worker-steps ended; throws the signal's reason when it is aborted. */
  async breathe(events: number, steps = 0): Promise<void> {
    this.#signal?.throwIfAborted()
    if (steps > 0) this.#onSteps?.(steps)
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
