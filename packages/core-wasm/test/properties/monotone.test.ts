import fc from 'fast-check'
import { expect } from 'vitest'
import { cluster } from '../support/cluster.ts'
import { everySimulator } from '../support/everySimulator.ts'
import { job, type OperationSpec } from '../support/job.ts'
import { stepEndsUs } from '../support/outcome.ts'
import { cases } from '../support/random.ts'

const layers = fc.array(
  fc.record({
    pullBytes: fc.integer({ min: 0, max: 5e7 }),
    computeUs: fc.double({ min: 0, max: 1e6, noNaN: true }),
    pushBytes: fc.integer({ min: 0, max: 5e7 }),
    updateUs: fc.double({ min: 0, max: 1e5, noNaN: true })
  }),
  { minLength: 1, maxLength: 6 }
)

type Layers = typeof layers extends fc.Arbitrary<infer T> ? T : never

/** Layer i computes after layer i-1 and its own pull, and then pushes and updates: the order in which each station serves is fixed. */
const chainOf = (list: Layers): OperationSpec[] =>
  list.flatMap(({ pullBytes, computeUs, pushBytes, updateUs }, i): OperationSpec[] => [
    { kind: 'pull', amount: pullBytes },
    { kind: 'compute', amount: computeUs, after: i === 0 ? [0] : [4 * i, 4 * (i - 1) + 1] },
    { kind: 'push', amount: pushBytes, after: [4 * i + 1] },
    { kind: 'update', amount: updateUs, after: [4 * i + 2] }
  ])

// In general more bandwidth can make a run slower: it changes the order in which first-come-first-served stations get their work
// (Graham's anomalies). With one worker, one server, no windows and a chain of computations each order is fixed; every time is then a
// maximum of sums of durations, and no duration grows.
everySimulator('one worker with a fixed order is never slower on faster links', simulate => {
  const notSlower = (list: Layers, out: number, into: number, factor: number, perByteUs: number) => {
    const endUs = (scale: number) => {
      const hosts = cluster({
        servers: [{ outBytesPerUs: out * scale, inBytesPerUs: into * scale }],
        workers: [{ latencyUs: 100 }],
        workerParse: { slots: 1, perByteUs, fixedUs: 20 }
      })
      return stepEndsUs(simulate(job(chainOf(list)), hosts, { steps: 3 }), 0)[2]
    }
    expect(endUs(factor)).toBeLessThanOrEqual(endUs(1) * (1 + 1e-12))
  }
  const rate = fc.double({ min: 1, max: 1000, noNaN: true })
  const factor = fc.constantFrom(1.01, 2, 100)
  fc.assert(fc.property(layers, rate, rate, factor, fc.constantFrom(0, 0.01), notSlower), cases(100))
})

// The same graph bounds the step from below: no step is shorter than its bytes over the link, its computations, or its updates.
everySimulator('no step is shorter than the work of any of its resources', simulate => {
  const bounded = (list: Layers, out: number, into: number) => {
    const hosts = cluster({ servers: [{ outBytesPerUs: out, inBytesPerUs: into }] })
    const endUs = stepEndsUs(simulate(job(chainOf(list)), hosts, { steps: 1 }), 0)[0]
    const total = (key: keyof Layers[number]) => list.reduce((sum, layer) => sum + layer[key], 0)
    const bounds = [total('pullBytes') / out, total('computeUs'), total('pushBytes') / into, total('updateUs')]
    expect(endUs).toBeGreaterThanOrEqual(Math.max(...bounds) * (1 - 1e-12))
  }
  const rate = fc.double({ min: 1, max: 1000, noNaN: true })
  fc.assert(fc.property(layers, rate, rate, bounded), cases(100))
})
