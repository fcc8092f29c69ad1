/**
 * xoshiro128** (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2018), one stream per worker. 32-bit only, so
 * that WebAssembly and JavaScript draw the same numbers. The host seeds the four words (never all zero).
 */
import { WORKER_RANDOM } from './layout'

function next(worker: i32): i32 {
  const s0 = i32.load(worker, WORKER_RANDOM)
  const s1 = i32.load(worker, WORKER_RANDOM + 4)
  let s2 = i32.load(worker, WORKER_RANDOM + 8)
  let s3 = i32.load(worker, WORKER_RANDOM + 12)
  // Products stay below 2^53, so "| 0" wraps them alike in 32-bit and in double arithmetic.
  const five = (s1 * 5) | 0
  const rotated = (five << 7) | (five >>> 25)
  const result = (rotated * 9) | 0
  s2 ^= s0
  s3 ^= s1
  i32.store(worker, s0 ^ s3, WORKER_RANDOM)
  i32.store(worker, s1 ^ s2, WORKER_RANDOM + 4)
  i32.store(worker, s2 ^ (s1 << 9), WORKER_RANDOM + 8)
  i32.store(worker, (s3 << 11) | (s3 >>> 21), WORKER_RANDOM + 12)
  return result
}

/** Uniform in [0, 1), 53 bits. */
export function uniform(worker: i32): f64 {
  const high = next(worker) >>> 5
  const low = next(worker) >>> 6
  return (f64(high) * 67108864.0 + f64(low)) / 9007199254740992.0
}

/** Uniform in 0 … bound − 1. */
export function below(worker: i32, bound: i32): i32 {
  return i32(uniform(worker) * f64(bound))
}
