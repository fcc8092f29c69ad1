/** Values by their names, of which those used last are kept. A promise that is rejected is not: it is made again. */
export class LastUsed<Value extends Promise<unknown>> {
  readonly #values = new Map<string, Value>()
  readonly #most: number
  readonly #dropped: (value: Value) => void

  /** @param dropped told what is not kept any more */
  constructor(most: number, dropped: (value: Value) => void = () => {}) {
    this.#most = most
    this.#dropped = dropped
  }

  of(name: string, make: () => Value): Value {
    const known = this.#values.get(name)
    const value = known ?? make()
    this.#values.delete(name)
    this.#values.set(name, value)
    if (known === undefined) {
      value.catch(() => {
        if (this.#values.get(name) === value) this.#values.delete(name)
      })
      for (const [oldest, old] of this.#values) {
        if (this.#values.size <= this.#most) break
        this.#values.delete(oldest)
        this.#dropped(old)
      }
    }
    return value
  }

  clear(): void {
    for (const value of this.#values.values()) this.#dropped(value)
    this.#values.clear()
  }
}
