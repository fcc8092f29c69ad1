/** Tries inputs until it is told no more; says of each what it is about to try, so that whoever waits knows where it hangs. */
import { parentPort, workerData } from 'node:worker_threads'
import fc from 'fast-check'
import { attempt } from './attempt.mjs'
import { makeInput, plans } from './plan.mjs'
import { makeSeeds } from './seeds.mjs'

const RUNS_A_BATCH = 500

const { seed, deadline } = /** @type {{ seed: number, deadline: number }} */ (workerData)
const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort)
const seeds = await makeSeeds()

for (let batch = 0; Date.now() < deadline; batch++) {
  const property = fc.asyncProperty(plans(seeds), async plan => {
    if (Date.now() > deadline) return
    port.postMessage({ begins: plan })
    const input = makeInput(plan, seeds)
    const { isProfile, message, tookMs } = await attempt(input)
    port.postMessage({
      ended: { seed: plan.seed, isProfile, message, tookMs, bytes: Math.max(input.bytes.length, input.unpackedBytes) }
    })
  })
  const result = await fc.check(property, { numRuns: RUNS_A_BATCH, seed: seed + batch })
  if (!result.failed) continue
  const [plan] = result.counterexample ?? []
  const { errorInstance } = result
  port.postMessage({ found: { plan, message: errorInstance instanceof Error ? errorInstance.stack : String(errorInstance) } })
}
port.postMessage({ done: true })
