import { expect, test } from 'vitest'
import { measureWindow } from '../src/simulate/window.ts'

/** Steps as [worker, start, end], in the order of their ends. */
function recordsOf(steps: Array<[number, number, number]>) {
  return {
    worker: Int32Array.from(steps, ([worker]) => worker),
    template: Int32Array.from(steps, () => 0),
    startUs: Float64Array.from(steps, ([, start]) => start),
    endUs: Float64Array.from(steps, ([, , end]) => end),
    staleness: Int32Array.from(steps, () => 1)
  }
}

test('one worker: whole steps over the time they took', () => {
  const records = recordsOf([
    [0, 0, 50],
    [0, 52, 62],
    [0, 64, 74]
  ])
  const { stepsPerUs, cycleUs } = measureWindow(records, 1, 1, false, 2)
  expect(stepsPerUs).toBeCloseTo(2 / 24, 12)
  expect(cycleUs).toEqual([12, 12])
})

test('a step that crosses an edge counts by its share', () => {
  // The window begins at 10, with the first completion, and ends at 25, the last completion of worker 1. Inside: worker 0 has its step to 20 and
  // half of that to 30; worker 1 has 5 of 15 µs missing at the front of its only step.
  const records = recordsOf([
    [0, 0, 10],
    [0, 10, 20],
    [1, 5, 25],
    [0, 20, 30]
  ])
  const { stepsPerUs, perWorkerPerUs } = measureWindow(records, 2, 1, false, 0)
  expect(perWorkerPerUs[0]).toBeCloseTo(1.5 / 15, 12)
  expect(perWorkerPerUs[1]).toBeCloseTo(15 / 20 / 15, 12)
  expect(stepsPerUs).toBeCloseTo(2.25 / 15, 12)
})

test('a slow start is cut off', () => {
  const steps: Array<[number, number, number]> = [[0, 0, 100]]
  for (let i = 0; i < 60; i++) {
    const [, , before] = steps[steps.length - 1]
    steps.push([0, before, before + (i < 10 ? 50 : 10 + (i % 2))])
  }
  const { stepsPerUs } = measureWindow(recordsOf(steps), 1, 1, true, 0)
  expect(stepsPerUs).toBeCloseTo(1 / 10.5, 3)
})
