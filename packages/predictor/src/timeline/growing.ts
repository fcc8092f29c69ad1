type Numbers = Float64Array | Uint32Array | Int32Array | Uint8Array
type NumbersOf<Kind extends Numbers> = new (length: number) => Kind

const FIRST_LENGTH = 1024

/** A typed array that grows at its end. */
export class Growing<Kind extends Numbers> {
  length = 0
  private values: Kind

  constructor(private readonly kind: NumbersOf<Kind>) {
    this.values = new kind(FIRST_LENGTH)
  }

  push(value: number): void {
    if (this.length === this.values.length) {
      const larger = new this.kind(2 * this.length)
      larger.set(this.values)
      this.values = larger
    }
    this.values[this.length++] = value
  }

  /** What was pushed, in a buffer of its own. @param order place of each value; default as pushed */
  taken(order?: Uint32Array): Kind {
    const { values, length } = this
    if (order === undefined) return values.slice(0, length) as Kind
    const taken = new this.kind(order.length)
    for (let i = 0; i < order.length; i++) taken[i] = values[order[i]]
    return taken
  }
}
