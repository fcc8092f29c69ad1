import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { axisOrder, canonicalJson, chunksOf, Grid, type SweepAxes, type SweepPlan } from '../src/local/index.ts'
import { sweepHash } from '../src/node/identity.ts'
import { remaining } from '../src/node/remaining.ts'
import { smallProfile } from './support/profile.ts'

const values = (most: number) => fc.uniqueArray(fc.integer({ min: 1, max: most }), { minLength: 1, maxLength: 3 })
const optional = (most: number) =>
  fc.option(fc.uniqueArray(fc.integer({ min: 1, max: most }), { minLength: 1, maxLength: 2 }), { nil: undefined })
const axes: fc.Arbitrary<SweepAxes> = fc
  .record({
    workers: values(64),
    servers: optional(4),
    bandwidthBitsPerSecond: optional(1e10),
    latencyUs: optional(1000),
    computeSpeed: optional(10),
    batchSize: optional(64),
    policy: fc.option(fc.uniqueArray(fc.constantFrom('recorded' as const, 'tac' as const, 'fifo' as const), { minLength: 1 }), {
      nil: undefined
    })
  })
  .map(lists => Object.fromEntries(Object.entries(lists).filter(([, list]) => list !== undefined)) as unknown as SweepAxes)
const plans: fc.Arbitrary<SweepPlan> = axes.map(lists => ({ common: {}, axes: lists }))

describe('the grid', () => {
  test('every combination of the lists stands in it once', () => {
    fc.assert(
      fc.property(axes, lists => {
        const grid = new Grid(lists)
        const points = Array.from({ length: grid.size }, (_, index) => grid.at(index))
        expect(grid.size).toBe(Object.values(lists).reduce((product, list) => product * list.length, 1))
        expect(new Set(points.map(canonicalJson)).size).toBe(grid.size)
        for (const point of points) {
          expect(Object.keys(point).sort()).toEqual(Object.keys(lists).sort())
          for (const [axis, value] of Object.entries(point)) expect(lists[axis as keyof SweepAxes]).toContain(value)
        }
      })
    )
  })

  test('points follow each other as in nested loops, the last axis fastest', () => {
    fc.assert(
      fc.property(axes, lists => {
        const grid = new Grid(lists)
        const place = (index: number) =>
          axisOrder.flatMap(axis => {
            const list = lists[axis] as ReadonlyArray<unknown> | undefined
            return list === undefined ? [] : [list.indexOf(grid.at(index)[axis])]
          })
        for (let index = 1; index < grid.size; index++) {
          const [before, after] = [place(index - 1), place(index)]
          const differs = before.findIndex((at, i) => at !== after[i])
          expect(after[differs]).toBe(before[differs] + 1)
          expect(after.slice(differs + 1).every(at => at === 0)).toBe(true)
        }
      })
    )
  })
})

describe('chunks', () => {
  test('cover every point once, in order, and share a set-up', () => {
    fc.assert(
      fc.property(plans, fc.integer({ min: 1, max: 64 }), (plan, threads) => {
        const grid = new Grid(plan.axes)
        let next = 0
        for (const { from, to } of chunksOf(grid, plan, threads)) {
          expect(from).toBe(next)
          expect(to).toBeGreaterThan(from)
          expect(Math.floor((to - 1) / grid.pointsPerSetUp)).toBe(Math.floor(from / grid.pointsPerSetUp))
          next = to
        }
        expect(next).toBe(grid.size)
      })
    )
  })

  test('a hundred thousand points of two steps go in chunks of hundreds', () => {
    const workers = Array.from({ length: 100_000 }, (_, i) => 1 + (i % 1000))
    const plan: SweepPlan = { common: { fixed: { replications: 1, steps: 2 } }, axes: { workers } }
    const chunks = [...chunksOf(new Grid(plan.axes), plan, 2)]
    expect(chunks.length).toBeLessThan(10_000)
  })
})

test('what remains is what is not done, whatever was done', () => {
  const ranges = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 24 }).map(edges => {
    const sorted = [...edges].sort((a, b) => a - b)
    return Array.from({ length: sorted.length >> 1 }, (_, i) => ({ from: sorted[2 * i], to: sorted[2 * i + 1] }))
  })
  const chunks = fc.uniqueArray(fc.integer({ min: 1, max: 59 }), { maxLength: 12 }).map(edges => {
    const sorted = [0, ...[...edges].sort((a, b) => a - b), 60]
    return sorted.slice(1).map((to, i) => ({ from: sorted[i], to }))
  })
  const pointsOf = (list: Iterable<{ from: number; to: number }>) =>
    [...list].flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + i))
  fc.assert(
    fc.property(chunks, ranges, (all, done) => {
      const finished = new Set(pointsOf(done))
      expect(pointsOf(remaining(all, done))).toEqual(pointsOf(all).filter(point => !finished.has(point)))
    })
  )
})

describe('the hash of a sweep', () => {
  const profile = smallProfile()

  test('does not depend on the order of fields, and does on every value', () => {
    fc.assert(
      fc.property(plans, fc.integer({ min: 2, max: 1000 }), (plan, seed) => {
        const reversed = Object.fromEntries(Object.entries(plan.axes).reverse()) as unknown as SweepAxes
        const hash = sweepHash(profile, plan)
        expect(sweepHash({ ...profile }, { axes: reversed, common: { ...plan.common } })).toBe(hash)
        expect(sweepHash(profile, { ...plan, common: { seed } })).not.toBe(hash)
        expect(sweepHash(profile, { ...plan, axes: { ...plan.axes, workers: [...plan.axes.workers, 65] } })).not.toBe(hash)
        expect(sweepHash({ ...profile, worker: 'another' }, plan)).not.toBe(hash)
      }),
      { numRuns: 20 }
    )
  })
})
