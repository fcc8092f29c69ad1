import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { kneeOf } from '../src/plan/knee.ts'
import { type Goal, nextSizes } from '../src/plan/nextSizes.ts'

const goal: Goal = { target: 30, kneeShare: 0.5, growth: 0.01, largest: 1024 }

/** Everything that a search on a curve simulates, round by round. */
function search(curve: (workers: number) => number, changes: Partial<Goal> = {}) {
  const known = new Map<number, number>()
  const rounds: number[][] = []
  for (;;) {
    const sizes = nextSizes(known, { ...goal, ...changes })
    if (sizes.length === 0) return { known, rounds }
    rounds.push(sizes)
    for (const size of sizes) {
      expect(known.has(size)).toBe(false)
      known.set(size, curve(size))
    }
  }
}

function smallestMeeting(known: ReadonlyMap<number, number>, target: number): number | undefined {
  return [...known].filter(([, throughput]) => throughput >= target).sort(([a], [b]) => a - b)[0]?.[0]
}

describe('a curve that scales to 10 workers: min(10 n, 100)', () => {
  const curve = (workers: number) => Math.min(10 * workers, 100)

  test('every round, with the target within the scaling part', () => {
    // 16 → 32 adds nothing, so doubling ends. 30 lies on the line from 20 with 2 to 40 with 4, at 3; below it 2 and 1 have failed.
    // The knee, of slope 5: 8 is worth 80 - 40 = 40, and 4 and 16 beside it 20; so 6 and 12. 12 is worth 40 too and is larger; so 10 and 14,
    // between it and 8 and 16. 10 is worth 50; so 9 and 11, with 45 each, and it is found.
    expect(search(curve).rounds).toEqual([
      [1, 2, 4, 8],
      [16, 32],
      [3, 6, 12],
      [10, 14],
      [9, 11]
    ])
  })

  test('a target that it does not reach: halfway to the neighbours of the fastest, and no more', () => {
    const { known, rounds } = search(curve, { target: 101 })
    expect(smallestMeeting(known, 101)).toBeUndefined()
    // 6 and 12 are for the knee, 12 and 24 for the target.
    expect(rounds[2]).toEqual([6, 12, 24])
    expect(rounds).toHaveLength(5)
  })

  test('a target that one worker meets', () => {
    const { known } = search(curve, { target: 10 })
    expect(smallestMeeting(known, 10)).toBe(1)
  })
})

test('a curve that never ends growing ends at the largest', () => {
  const { known } = search(workers => workers, { largest: 100, target: 1000 })
  expect([...known.keys()].sort((a, b) => a - b)).toEqual([1, 2, 4, 8, 16, 32, 64, 82, 100])
})

test.each([1, 2, 3])('no size above %i is tried when that is the largest', largest => {
  const { known } = search(workers => workers, { largest, target: 1000 })
  expect([...known.keys()].sort((a, b) => a - b)).toEqual([1, 2, 3].slice(0, largest))
})

test('one doubling without growth is no end where phases may lock', () => {
  const dip: Record<number, number> = { 1: 10, 2: 19, 3: 17, 4: 19 }
  const { known } = search(workers => dip[workers] ?? 30, { target: 25 })
  expect(known.has(8)).toBe(true)
  expect(smallestMeeting(known, 25)).toBe(5)
})

test('a smaller size that meets the target below one that fails is found next to it', () => {
  // 6 dips below the target of 30 that 5 and 7 meet.
  const curve = (workers: number) => [0, 10, 18, 25, 27, 31, 29, 32, 33][Math.min(workers, 8)]
  expect(smallestMeeting(search(curve).known, 30)).toBe(5)
})

describe('properties, on curves that rise and bend', () => {
  /** Ever less is added by each further worker: half · rate is reached at `half` workers. */
  const bent = fc.record({
    rate: fc.double({ min: 0.01, max: 1e4, noNaN: true }),
    half: fc.double({ min: 0.3, max: 2000, noNaN: true })
  })
  const shares = fc.double({ min: 0.02, max: 3, noNaN: true })
  const kneeShares = fc.double({ min: 0.05, max: 1, noNaN: true })

  test('the smallest size that meets the target, and the knee, from few sizes', () => {
    fc.assert(
      fc.property(bent, shares, kneeShares, ({ rate, half }, share, kneeShare) => {
        const curve = (workers: number) => (rate * workers) / (workers + half)
        const target = share * curve(8)
        const { known } = search(curve, { target, kneeShare })
        expect(known.size).toBeLessThanOrEqual(45)
        const all = Array.from({ length: 1024 }, (_, index) => index + 1)
        const found = smallestMeeting(known, target)
        if (found === undefined) expect(Math.max(...known.values())).toBeLessThan(target)
        else expect(found).toBe(all.find(size => curve(size) >= target))
        const rated = (sizes: Iterable<number>) => Array.from(sizes, workers => ({ workers, throughput: curve(workers) }))
        const knee = kneeOf(rated(known.keys()), kneeShare * curve(1)).workers
        const best = kneeOf(rated(all), kneeShare * curve(1)).workers
        const isLast = knee === Math.max(...known.keys())
        expect(Math.abs(knee - best)).toBeLessThanOrEqual(Math.max(1, knee / (isLast ? 4 : 16)))
      })
    )
  })
})
