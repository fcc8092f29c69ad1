import { describe, expect, test } from 'vitest'
import { fifo } from '../src/policies/fifo.ts'
import { countBits, forEachBit } from '../src/policies/neededPulls.ts'
import { random } from '../src/policies/random.ts'
import { tac } from '../src/policies/tac.ts'
import { tic } from '../src/policies/tic.ts'
import { graphFrom, orderByName, type Part, ranksByName } from './support/stepGraphs.ts'

/**
 * Layers behind each other: x(a), y(x, b), z(y, c). Pulls needed: x {a}, y {a, b}, z {a, b, c}.
 * TIC: M⁺(a) = M⁺(b) = 2 (y), M⁺(c) = 3 (z).
 * TAC, M = 100, 200, 300, all compute 50:
 *   R = {a, b, c}: P(a) = 50, P(b) = P(c) = 0. a against b: min(P(b), M(a)) = 0 < min(P(a), M(b)) = 50, so a; against c likewise.
 *   R = {b, c}: y needs only b now, P(b) = 50: b by the same comparison. Then c.
 */
const chain: Part[] = [
  ['c', 'pull', [], 300],
  ['b', 'pull', [], 200],
  ['a', 'pull', [], 100],
  ['x', 'compute', ['a'], 50],
  ['y', 'compute', ['x', 'b'], 50],
  ['z', 'compute', ['y', 'c'], 50]
]

/**
 * Two branches of two pulls each, joined: x(a, b), y(c, d), z(x, y).
 * TIC: every pull is needed with exactly one other by x or y: M⁺ = 2 for all, one rank.
 * TAC, M(a) = 500, the others 100, x and y 1000:
 *   R = all: P = 0 for all, so both minima are 0 and M⁺ decides: a, b 600; c, d 200. c stands before d.
 *   R = {a, b, d}: y needs only d: P(d) = 1000. d against a: min(0, M(d)) = 0 < min(1000, M(a)) = 500: d.
 *   R = {a, b}: P = 0, M⁺ = 600 both: a stands first. Then b.
 */
const branches: Part[] = [
  ['a', 'pull', [], 500],
  ['b', 'pull', [], 100],
  ['c', 'pull', [], 100],
  ['d', 'pull', [], 100],
  ['x', 'compute', ['a', 'b'], 1000],
  ['y', 'compute', ['c', 'd'], 1000],
  ['z', 'compute', ['x', 'y'], 1000]
]

/**
 * s is needed by two operations, e by one that needs nothing else: u(s, a), v(s, b, c), w(e).
 * TIC: M⁺(s) = M⁺(a) = 2 (u), M⁺(b) = M⁺(c) = 3 (v), M⁺(e) = ∞. Two pulls stand before the second group, four before e.
 * TAC, M: s 200, a 300, b 100, c 100, e 400; u 400, v 600, w 700:
 *   R = all: P(e) = 700, else 0. e against s: min(P(s), M(e)) = 0 < min(P(e), M(s)) = 200: e; likewise against all.
 *   R = {s, a, b, c}: P = 0. M⁺: v sums to 400, u to 500: s, b, c 400, a 500. s stands first.
 *   R = {a, b, c}: u needs only a: P(a) = 400, so a. v: b and c, P = 0, M⁺ = 200 both: b stands first. Then c.
 */
const shared: Part[] = [
  ['s', 'pull', [], 200],
  ['a', 'pull', [], 300],
  ['b', 'pull', [], 100],
  ['c', 'pull', [], 100],
  ['e', 'pull', [], 400],
  ['u', 'compute', ['s', 'a'], 400],
  ['v', 'compute', ['s', 'b', 'c'], 600],
  ['w', 'compute', ['e'], 700]
]

/**
 * Every tensor goes through an operation of 2 or 3 µs that waits for nothing else, as `Identity` does: too short to hold a slot, so it is no use
 * of the tensor and no compute that TAC could start.
 */
const handedThrough: Part[] = [
  ['k2', 'pull', [], 100],
  ['k1', 'pull', [], 100],
  ['k3', 'pull', [], 100],
  ['use2', 'compute', ['k2'], 3],
  ['use1', 'compute', ['k1'], 2],
  ['use3', 'compute', ['k3'], 3],
  ['layer1', 'compute', ['use1'], 50],
  ['layer2', 'compute', ['layer1', 'use2'], 50],
  ['layer3', 'compute', ['layer2', 'use3'], 50],
  ['loss', 'compute', ['layer3'], 50],
  // Of the backward pass, which needs every tensor again.
  ['back2', 'compute', ['loss', 'use2'], 50],
  ['push', 'push', ['back2'], 100],
  ['update', 'update', ['push'], 50]
]

describe('tic', () => {
  test.each([
    ['chain', chain, { a: 0, b: 0, c: 2 }],
    ['branches', branches, { a: 0, b: 0, c: 0, d: 0 }],
    ['shared', shared, { s: 0, a: 0, b: 2, c: 2, e: 4 }],
    ['handed through', handedThrough, { k1: 0, k2: 0, k3: 2 }]
  ])('%s', (_name, parts, ranks) => {
    expect(ranksByName(tic, graphFrom(parts))).toEqual(ranks)
  })
})

describe('tac', () => {
  test.each([
    ['chain', chain, 'a b c'],
    ['branches', branches, 'c d a b'],
    ['shared', shared, 'e s a b c'],
    ['handed through', handedThrough, 'k1 k2 k3']
  ])('%s', (_name, parts, order) => {
    expect(orderByName(tac, graphFrom(parts)).join(' ')).toBe(order)
  })
})

describe('fifo', () => {
  test.each([
    ['chain', chain, 'a b c'],
    // x and y lie at one depth: by name.
    ['branches', branches, 'a b c d'],
    ['shared', shared, 'a b c e s'],
    ['handed through', handedThrough, 'k1 k2 k3']
  ])('%s', (_name, parts, order) => {
    expect(orderByName(fifo, graphFrom(parts)).join(' ')).toBe(order)
  })

  test('where no operation holds a slot, every one is a use; what nothing waits for comes last', () => {
    const parts: Part[] = [
      ['unused', 'pull', [], 1],
      ['b', 'pull', [], 1],
      ['a', 'pull', [], 1],
      ['x', 'compute', ['b'], 1],
      ['y', 'compute', ['x', 'a'], 1]
    ]
    expect(orderByName(fifo, graphFrom(parts))).toEqual(['a', 'b', 'unused'])
  })
})

describe('random', () => {
  const graph = graphFrom(['a', 'b', 'c'].map((name): Part => [name, 'pull', [], 1]))

  test('the same seed gives the same orders, another one others', () => {
    const orders = (seed: number) => Array.from({ length: 64 }, (_, order) => orderByName(random(seed), graph, order).join(''))
    expect(orders(7)).toEqual(orders(7))
    expect(orders(7)).not.toEqual(orders(8))
    expect(new Set(orders(7)).size).toBe(6)
  })

  test('every permutation is as likely as any other', () => {
    const counts = new Map<string, number>()
    const draws = 6000
    for (let i = 0; i < draws; i++) {
      const order = orderByName(random(i >> 6), graph, i & 63).join('')
      counts.set(order, (counts.get(order) ?? 0) + 1)
    }
    const expected = draws / 6
    const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
    // 99.9 % point with 5 degrees of freedom.
    expect(chiSquare).toBeLessThan(20.52)
    expect(counts.size).toBe(6)
  })
})

test('bits beyond one word are visited in their order', () => {
  const bits = Uint32Array.of(0x8000_0001, 0, 0x10)
  const seen: number[] = []
  forEachBit(bits, index => seen.push(index))
  expect(seen).toEqual([0, 31, 68])
  expect(countBits(bits)).toBe(3)
})
