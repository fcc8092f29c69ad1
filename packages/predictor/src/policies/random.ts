import { defaults } from '../defaults.ts'
import type { Policy } from './policy.ts'

/**
 * Every permutation of the pulls as likely as any other. The simulator draws one of the templates for each step, so the orders are drawn
 * here, `leastOrders` of them (defaults.json) or more, and dealt out to the templates.
 *
 * @param seed of the question: the same seed gives the same orders
 */
export function random(seed: number): Policy {
  return {
    name: 'random',
    orders: defaults.leastOrders.value,
    rank: ({ pulls }, order) => ({ pulls: permutation(pulls.length, drawing(seed, order)) })
  }
}

/** Fisher and Yates. */
function permutation(length: number, below: (bound: number) => number): Uint32Array {
  const ranks = Uint32Array.from({ length }, (_, index) => index)
  for (let last = length - 1; last > 0; last--) {
    const other = below(last + 1)
    const swapped = ranks[last]
    ranks[last] = ranks[other]
    ranks[other] = swapped
  }
  return ranks
}

/** Words to discard until the two seeds have reached every bit of the state. */
const warmUpWords = 16

/**
 * Uniform whole numbers below a bound, from sfc32 (Doty-Humphrey, PractRand): 32-bit arithmetic alone, so every JavaScript engine draws
 * the same. One stream for each pair of seeds.
 */
function drawing(seed: number, order: number): (bound: number) => number {
  let [a, b, c, counter] = [seed | 0, order | 0, 0x6f72_6465, 1]
  const next = () => {
    const word = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + word) | 0
    return word >>> 0
  }
  for (let i = 0; i < warmUpWords; i++) next()
  return bound => {
    // Words beyond the last whole multiple would favour small numbers.
    const limit = 2 ** 32 - (2 ** 32 % bound)
    for (;;) {
      const word = next()
      if (word < limit) return word % bound
    }
  }
}
