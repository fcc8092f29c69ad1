const rotate = (x: number, by: number) => (x << by) | (x >>> (32 - by))

/** xoshiro128** 1.1, with the names of its authors' C code. */
export class Xoshiro {
  readonly #s: number[]

  constructor(words: readonly number[]) {
    this.#s = words.map(word => word | 0)
  }

  /** Uniform in [0, 1): 27 high bits of one output, then 26 of the next. */
  uniform(): number {
    const high = this.#next() >>> 5
    const low = this.#next() >>> 6
    return (high * 2 ** 26 + low) / 2 ** 53
  }

  #next(): number {
    const s = this.#s
    const result = Math.imul(rotate(Math.imul(s[1], 5), 7), 9)
    const t = s[1] << 9
    s[2] ^= s[0]
    s[3] ^= s[1]
    s[1] ^= s[2]
    s[0] ^= s[3]
    s[2] ^= t
    s[3] = rotate(s[3], 11)
    return result
  }
}
