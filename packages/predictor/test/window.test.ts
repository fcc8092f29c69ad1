import { expect, test } from 'vitest'
import { stepsInWindow } from '../src/simulate/window.ts'

/** Steps as [worker, start, end], in the order of their ends. */
function recordsOf(steps: Array<[number, number, number]>) {
  return {
    worker: Int32Array.from(steps, ([worker]) => worker),
    template: Int32Array.from(steps, () => 0),
    startUs: Float64Array.from(steps, ([, start]) => start),
    endUs: Float64Array.from(steps, ([, , end]) => end),
    staleness: Int32Array.from(steps, () => 1),
    usedShare: Float64Array.from(steps, () => 1),
    waitedUs: Float64Array.from(steps, () => 3)
  }
}

test('one worker: whole steps over the time they took', () => {
  const records = recordsOf([
    [0, 0, 50],
    [0, 52, 62],
    [0, 64, 74]
  ])
  const { stepsPerUs, cycleUs } = stepsInWindow(records, 1, 1, 2)
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
  const { stepsPerUs, shareOfWorker } = stepsInWindow(records, 2, 1, 0)
  expect(Array.from(shareOfWorker)).toEqual([1.5 / 2.25, 0.75 / 2.25])
  expect(stepsPerUs).toBeCloseTo(2.25 / 15, 12)
})

test('a step counts by the share of its gradients that were used', () => {
  const records = recordsOf([
    [0, 0, 10],
    [1, 0, 10],
    [0, 10, 20],
    [1, 10, 20]
  ])
  const half = { ...records, usedShare: Float64Array.of(1, 0.5, 1, 0.5) }
  const { shareOfWorker, stepsPerUs } = stepsInWindow(half, 2, 2, 0)
  expect(Array.from(shareOfWorker)).toEqual([2 / 3, 1 / 3])
  expect(stepsPerUs).toBeCloseTo(1.5 / 10, 12)
})

test('a wait between steps is part of the cycle, one within a step is so already', () => {
  const records = recordsOf([
    [0, 0, 50],
    [0, 55, 65]
  ])
  expect(stepsInWindow(records, 1, 1, 2, true).cycleUs).toEqual([15])
  expect(stepsInWindow(records, 1, 1, 2, false).cycleUs).toEqual([12])
})
