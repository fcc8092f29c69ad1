/**
 * Measures rivals in turn, round after round, so that whatever slows the machine for a while slows all of them; each round begins with
 * another rival, so that none always runs in the wake of the same one.
 *
 * @template T
 * @param {Record<string, (round: number) => T | Promise<T>>} rivals what to run, by name
 * @param {number} rounds
 * @returns {Promise<Record<string, T[]>>} of each rival, what it returned in each round
 */
export async function interleave(rivals, rounds) {
  const names = Object.keys(rivals)
  /** @type {Record<string, T[]>} */
  const results = Object.fromEntries(names.map(name => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (let place = 0; place < names.length; place++) {
      const name = names[(round + place) % names.length]
      results[name].push(await rivals[name](round))
    }
  }
  return results
}
