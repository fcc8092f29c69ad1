/** Work of which only the latest matters: what begins ends what went before. */
export class Latest {
  #now = new AbortController()

  /** Aborts what runs. */
  begin(): AbortSignal {
    this.stop()
    return this.#now.signal
  }

  stop(): void {
    this.#now.abort()
    this.#now = new AbortController()
  }
}
