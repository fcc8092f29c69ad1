/** Streams below belong to the workers' phases and templates; from here on to what each draws for its shares, then to which of its steps straggle. */
export const LUCK_STREAMS = 2 ** 27
export const STRAGGLE_STREAMS = 2 ** 28

const gamma = 0x9e3779b9

/** Four well-mixed, never all-zero 32-bit words for one random stream (xoshiro128** in assembly/random.ts), by MurmurHash3's finaliser. */
export function randomSeed(seed: number, replication: number, stream: number): [number, number, number, number] {
  const begin = beginOf(seed, replication, stream)
  const words: [number, number, number, number] = [wordOf(begin, 1), wordOf(begin, 2), wordOf(begin, 3), wordOf(begin, 4)]
  if (words.every(word => word === 0)) words[0] = 1
  return words
}

/** Writes them to `address`. For three streams of each of many workers, without an array for each. */
export function writeRandomSeed(view: DataView, address: number, seed: number, replication: number, stream: number): void {
  const begin = beginOf(seed, replication, stream)
  let all = 0
  for (let i = 0; i < 4; i++) {
    const word = wordOf(begin, i + 1)
    all |= word
    view.setInt32(address + 4 * i, word, true)
  }
  if (all === 0) view.setInt32(address, 1, true)
}

function beginOf(seed: number, replication: number, stream: number): number {
  const low = absorb(gamma, seed % 2 ** 32)
  return absorb(absorb(absorb(low, Math.floor(seed / 2 ** 32)), replication), stream)
}

function absorb(state: number, part: number): number {
  return mix(state ^ mix((part | 0) + gamma))
}

function wordOf(begin: number, index: number): number {
  return mix((begin + Math.imul(index, gamma)) | 0)
}

function mix(value: number): number {
  let h = value | 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}
