// @ts-expect-error: benchmark.js brings no types
import Benchmark from 'benchmark'

/**
 * Measures warm asynchronous calls with benchmark.js, one benchmark after the other. The empty call comes first: what the harness itself
 * costs is part of every figure.
 *
 * @param {Record<string, () => unknown>} calls
 * @param {number} seconds to spend on each
 * @returns {Promise<Record<string, number[]>>} of each, seconds a call, sample by sample
 */
export async function secondsPerCall(calls, seconds) {
  /** @type {Record<string, number[]>} */
  const samples = {}
  for (const [name, call] of Object.entries({ 'empty call': async () => {}, ...calls })) {
    await call()
    samples[name] = await measure(name, call, name === 'empty call' ? Math.min(seconds, 1) : seconds)
  }
  return samples
}

/**
 * @param {string} name
 * @param {() => unknown} call
 * @param {number} seconds
 * @returns {Promise<number[]>}
 */
function measure(name, call, seconds) {
  return new Promise((resolve, reject) => {
    const benchmark = new Benchmark(name, {
      defer: true,
      // Calls take up to a second: a few samples are what there is time for.
      minSamples: 3,
      maxTime: seconds,
      // benchmark.js would wait for ever for a call that failed.
      fn: (/** @type {{ resolve: () => void }} */ deferred) => void Promise.resolve(call()).then(() => deferred.resolve(), reject)
    })
    benchmark.on('complete', () => resolve(benchmark.stats.sample))
    benchmark.on('error', () => reject(benchmark.error))
    benchmark.run({ async: true })
  })
}
