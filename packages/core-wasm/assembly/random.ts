/**
 * xoshiro128** (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2018). 32-bit only, so that WebAssembly and
 * JavaScript draw the same numbers. A stream is four words somewhere in memory, seeded by the host (never all zero).
 */

function next(stream: i32): i32 {
  const s0 = i32.load(stream)
  const s1 = i32.load(stream, 4)
  let s2 = i32.load(stream, 8)
  let s3 = i32.load(stream, 12)
  // Products stay below 2^53, so "| 0" wraps them alike in 32-bit and in double arithmetic.
  const five = (s1 * 5) | 0
  const rotated = (five << 7) | (five >>> 25)
  const result = (rotated * 9) | 0
  s2 ^= s0
  s3 ^= s1
  i32.store(stream, s0 ^ s3)
  i32.store(stream, s1 ^ s2, 4)
  i32.store(stream, s2 ^ (s1 << 9), 8)
  i32.store(stream, (s3 << 11) | (s3 >>> 21), 12)
  return result
}

/** Uniform in [0, 1), 53 bits. */
export function uniform(stream: i32): f64 {
  const high = next(stream) >>> 5
  const low = next(stream) >>> 6
  return (f64(high) * 67108864.0 + f64(low)) / 9007199254740992.0
}

/** Uniform in 0 … bound − 1. */
export function below(stream: i32, bound: i32): i32 {
  return i32(uniform(stream) * f64(bound))
}
