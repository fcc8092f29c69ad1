import { loadCore } from '@foretrain/core-wasm'
import type { Profile } from '@foretrain/trace-parser'
import { expect, test } from 'vitest'
import { grownWindows } from '../src/calibrate/grownWindows.ts'
import { parametersOf } from '../src/predict/parameters.ts'
import { setUp } from '../src/setUp.ts'
import { readCase } from './support/cases.ts'

const whole = Number.POSITIVE_INFINITY
const profile = {
  operations: [
    { kind: 'pull', bytes: 5e6 },
    { kind: 'push', bytes: 5e6 }
  ],
  steps: Array(8).fill({})
} as unknown as Profile
const steps = (...pulls: number[]) => pulls.map(pull => Float64Array.of(pull, 2e6))

test('cuts that ended before the trace did are gone, in their direction', () => {
  const firstTurns = grownWindows(profile, steps(3e6, 2e6, whole, 3e6, whole, whole, whole))
  expect(firstTurns.map(turns => turns[0])).toEqual(Array(7).fill(whole))
  expect(firstTurns.map(turns => turns[1])).toEqual(Array(7).fill(2e6))
})

test('as many uncut steps as there were before between cuts are chance', () => {
  const recorded = steps(3e6, whole, whole, whole, 3e6, whole, whole, whole)
  expect(grownWindows(profile, recorded)).toBe(recorded)
})

test('two uncut steps are too few', () => {
  const recorded = steps(3e6, 3e6, 3e6, whole, whole)
  expect(grownWindows(profile, recorded)).toBe(recorded)
})

test('a rest within the scatter of ends is no cut', () => {
  const recorded = steps(3e6, 2e6, 4.9e6, 4.8e6, 4.9e6)
  expect(grownWindows(profile, recorded).map(turns => turns[0])).toEqual(Array(5).fill(whole))
})

test('what was never cut needs nothing', () => {
  const recorded = steps(whole, whole, whole, whole).map(turns => Float64Array.of(turns[0], whole))
  expect(grownWindows(profile, recorded)).toBe(recorded)
})

test('the window’s note says so', async () => {
  const core = await loadCore()
  const noteOf = async (name: string) => {
    const question = { profile: (await readCase(name)).profile, workers: [1] }
    return parametersOf(question, [setUp(core, question)]).window.note
  }
  expect(await noteOf('mobilenetv2-200')).toMatch(/streams of a step are cut.*; windows grew past the tensors/)
  expect(await noteOf('resnet50-1000')).not.toMatch(/windows grew/)
})
