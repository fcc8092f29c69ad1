/** Streams below belong to the workers' phases and templates; from here on to what each draws for its shares, then to which of its steps straggle. */
export const LUCK_STREAMS = 2 ** 27
export const STRAGGLE_STREAMS = 2 ** 28

/** Four well-mixed, never all-zero 32-bit words for one random stream (xoshiro128** in assembly/random.ts), by MurmurHash3's finaliser. */
export function randomSeed(seed: number, replication: number, stream: number): [number, number, number, number] {
  let state = 0x9e3779b9
  for (const part of [seed % 2 ** 32, Math.floor(seed / 2 ** 32), replication, stream])
    state = mix(state ^ mix((part | 0) + 0x9e3779b9))
  const words: [number, number, number, number] = [0, 0, 0, 0]
  for (let i = 0; i < 4; i++) {
    state = (state + 0x9e3779b9) | 0
    words[i] = mix(state)
  }
  if (words.every(word => word === 0)) words[0] = 1
  return words
}

function mix(value: number): number {
  let h = value | 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}
