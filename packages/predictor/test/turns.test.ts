import { type Core, loadCore } from '@foretrain/core-wasm'
import type { Profile, ProfiledStep } from '@foretrain/trace-parser'
import { beforeAll, describe, expect, test } from 'vitest'
import { measureGoodput } from '../src/calibrate/goodput.ts'
import { recordedTurns } from '../src/calibrate/turns.ts'
import { compile } from '../src/compile/compile.ts'
import { withFirstTurns } from '../src/compile/firstTurns.ts'
import { chainNetwork, recordedBySimulation } from './support/syntheticProfile.ts'

let core: Core
beforeAll(async () => {
  core = await loadCore()
})

const layers = [40_000, 9_400_000, 600_000, 1_200_000, 80_000, 12_000_000, 300_000, 4_000_000, 20_000]
const path = { goodputBytesPerUs: 119.5, windowBytes: 8 * 1024 * 1024 - 256, parsePerByteUs: 0, latencyUs: 50 }
const recorded = () => recordedBySimulation(core, chainNetwork({ layers, forwardUs: 9000, updateUs: 60, steps: 3 }), path)

test('the goodput shows in back-to-back transfers', () => {
  expect(measureGoodput(recorded())! / path.goodputBytesPerUs).toBeCloseTo(1, 1)
})

test('first turns are read off the ends of what followed them', () => {
  const profile = recorded()
  const turns = recordedTurns(profile, profile.steps[0], path.goodputBytesPerUs)
  // Pulls come first, in the order of layers. The two that exceed the window of 8.39 MB gave way after it, to within the parse and latency.
  const pulls = turns.subarray(0, layers.length)
  layers.forEach((bytes, layer) => {
    if (bytes < path.windowBytes) expect(pulls[layer]).toBe(Number.POSITIVE_INFINITY)
    else expect(pulls[layer] / path.windowBytes).toBeCloseTo(1, 1)
  })
})

test('a job carries the turns of the last operation that each of its own stands for', () => {
  const profile = recorded()
  const { job, operationOf } = compile(profile)
  const turns = profile.steps.map((_, step) => Float64Array.from(profile.operations, (_, id) => 1000 * step + id))
  const { firstTurnBytes } = withFirstTurns(job, operationOf, turns)
  const last = job.operations - 1
  expect(firstTurnBytes![2 * job.operations + last]).toBe(2000 + operationOf[last].at(-1)!)
})

describe('a step of other bytes than the median', () => {
  // Its transfers are those of the recorded steps, but the profile's medians are half as large.
  const halved = () => {
    const profile = recorded()
    const operations = profile.operations.map(operation => ({ ...operation, bytes: operation.bytes / 2 }))
    const bytes = profile.operations.flatMap(
      ({ kind, bytes }, id): Array<[number, number]> => (kind === 'pull' || kind === 'push' ? [[id, bytes]] : [])
    )
    return { ...profile, operations, steps: profile.steps.map(step => ({ ...step, bytes })) }
  }

  test('has the goodput of its own bytes', () => {
    expect(measureGoodput(halved())).toBe(measureGoodput(recorded()))
  })

  test('has the turns of its own bytes', () => {
    const turnsOf = (profile: Profile) => recordedTurns(profile, profile.steps[0], path.goodputBytesPerUs)
    expect(turnsOf(halved())).toEqual(turnsOf(recorded()))
  })
})

test('a step with a lost record does not tell the goodput while others do', () => {
  const profile = recorded()
  const largest = profile.operations.findIndex(({ kind, bytes }) => kind === 'pull' && bytes === 12_000_000)
  const late = (step: ProfiledStep) => ({ ...step, endUs: step.endUs.with(largest, step.endUs[largest] + 5e6), imputed: [largest] })
  const [first, ...others] = profile.steps
  const without = measureGoodput({ ...profile, steps: others })!
  expect(measureGoodput({ ...profile, steps: [late(first), ...others] })! / without).toBeCloseTo(1, 9)
  expect(measureGoodput({ ...profile, steps: profile.steps.map(late) })).toBeGreaterThan(0)
})
