import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { cases } from '../support/random.ts'

/** Orders alone, as JavaScript: the same source as in the core. */
interface TagOrder {
  initialiseOrder(order: number, entries: number, most: number): number
  insertTag(positions: number, order: number, tag: number, connection: number): void
  changeTag(positions: number, order: number, position: number, tag: number): void
  removeTag(positions: number, order: number, position: number): void
  lowerTags(order: number, by: number): void
  sortRun(entries: number, count: number, bound: number, room: number): void
  positionOf(positions: number, connection: number): number
  i32: { load(address: number, offset?: number): number; store(address: number, value: number, offset?: number): void }
  f64: { load(address: number): number; store(address: number, value: number): void }
  layout: Record<string, number>
}

const orderAt = 64
const entriesAt = 1024
const most = 6000

let newOrder: () => TagOrder
beforeAll(async () => {
  const root = join(import.meta.dirname, '../..')
  const contents = ['tagOrder', 'tagRun'].map(file => `export * from './assembly/${file}.ts'`).join('\n')
  const { outputFiles } = await build({
    stdin: { contents: `${contents}\nexport * as layout from './assembly/layout.ts'`, resolveDir: root, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'order'
  })
  const memory = readFileSync(join(root, 'scripts/portable-memory.js'), 'utf8')
  newOrder = new Function(
    `${memory}\n${outputFiles[0].text}\nportableMemory.grow(8)\nreturn { ...order, i32, f64 }`
  ) as () => TagOrder
})

/** Numbers in 0 … 1. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/**
 * Fills an order, changes and removes entries at random as links do, above all the first, and holds it against a list. Tags are whole numbers up to
 * `distinct`, so that many may be alike.
 *
 * @returns the most entries that were far, and the most that were dead
 */
function play({ count, distinct, ofFirst, seed }: { count: number; distinct: number; ofFirst: number; seed: number }) {
  const order = newOrder()
  const positionsAt = order.initialiseOrder(orderAt, entriesAt, count)
  const { ORDER_COUNT, ORDER_HEAP, ORDER_RUN, ORDER_DEAD, ORDER_FIRST, TAG_CONNECTION } = order.layout
  const field = (offset: number) => order.i32.load(orderAt, offset)
  const random = generator(seed)
  const tags = new Map<number, number>()
  const seen = { far: 0, dead: 0 }
  let clock = 0
  const anyTag = () => clock + Math.floor(random() ** 2 * distinct)
  const add = (connection: number, tag: number) => {
    tags.set(connection, tag)
    order.insertTag(positionsAt, orderAt, tag, connection)
  }
  const first = () => order.i32.load(field(ORDER_FIRST), TAG_CONNECTION)
  const comesFirst = (connection: number) => {
    const tag = tags.get(connection)!
    for (const [other, otherTag] of tags) if (otherTag < tag || (otherTag === tag && other < connection)) return false
    return true
  }
  for (let connection = 0; connection < count; connection++) add(connection, anyTag())
  for (let round = 0; round < 3 * count; round++) {
    const what = random()
    const connection = what < ofFirst ? first() : Math.floor(random() * count)
    if (!tags.has(connection)) {
      add(connection, anyTag())
    } else if (what < 0.1 || what > 0.97) {
      order.removeTag(positionsAt, orderAt, order.positionOf(positionsAt, connection))
      tags.delete(connection)
    } else {
      if (what < ofFirst) clock = tags.get(connection)!
      tags.set(connection, anyTag())
      order.changeTag(positionsAt, orderAt, order.positionOf(positionsAt, connection), tags.get(connection)!)
    }
    if (tags.size === 0) break
    // As a link's clock starts again. Whole numbers, so nothing is rounded.
    if (round % 1009 === 0) {
      order.lowerTags(orderAt, clock)
      for (const [other, tag] of tags) tags.set(other, tag - clock)
      clock = 0
    }
    seen.far = Math.max(seen.far, field(ORDER_COUNT) - field(ORDER_HEAP) + field(ORDER_DEAD) - field(ORDER_RUN))
    seen.dead = Math.max(seen.dead, field(ORDER_DEAD))
    // To look at all is slow.
    if (round % 97 === 0) expect(comesFirst(first())).toBe(true)
  }
  expect(field(ORDER_COUNT)).toBe(tags.size)
  const expected = [...tags].sort(([a, tagA], [b, tagB]) => tagA - tagB || a - b).map(([connection]) => connection)
  const taken = expected.map(() => {
    const connection = first()
    order.removeTag(positionsAt, orderAt, order.positionOf(positionsAt, connection))
    return connection
  })
  expect(taken).toEqual(expected)
  return seen
}

test('entries leave in the order of tag and connection', () => {
  const numbers = fc.record({
    count: fc.noBias(fc.integer({ min: 1, max: most })),
    distinct: fc.constantFrom(1, 10, 1e4, 2 ** 40),
    ofFirst: fc.constantFrom(0.9, 0.3),
    seed: fc.nat()
  })
  fc.assert(
    fc.property(numbers, how => {
      play(how)
    }),
    cases(20)
  )
})

test('of thousands most are in no order, of hundreds none', () => {
  expect(play({ count: 5000, distinct: 2 ** 40, ofFirst: 0.9, seed: 1 }).far).toBeGreaterThan(3000)
  expect(play({ count: 500, distinct: 2 ** 40, ofFirst: 0.9, seed: 1 }).far).toBe(0)
})

test('what leaves the middle of a run is dead in it', () => {
  expect(play({ count: 5000, distinct: 2 ** 40, ofFirst: 0.3, seed: 1 }).dead).toBeGreaterThan(20)
})

test('a run is in order, however its tags crowd', () => {
  const crowds: ((random: () => number) => number)[] = [
    random => random() * 100,
    random => Math.floor(random() * 3),
    // All but a few lie in one part in a thousand of the way to the bound.
    random => (random() < 0.01 ? random() * 99 : 99 + random() / 10),
    random => 100 - 2 ** (-40 * random())
  ]
  const order = newOrder()
  for (const [seed, tagOf] of crowds.entries()) {
    const random = generator(seed)
    const count = 1500
    const tags = Array.from({ length: count }, () => tagOf(random))
    tags.forEach((tag, connection) => {
      order.f64.store(entriesAt + 16 * connection, tag)
      order.i32.store(entriesAt + 16 * connection, connection, order.layout.TAG_CONNECTION)
    })
    order.sortRun(entriesAt, count, 100, entriesAt + 16 * count)
    const run = tags.map((_, i) => order.i32.load(entriesAt + 16 * i, order.layout.TAG_CONNECTION))
    expect(run).toEqual([...tags.keys()].sort((a, b) => tags[b] - tags[a] || b - a))
    expect(run.map((_, i) => order.f64.load(entriesAt + 16 * i))).toEqual(run.map(connection => tags[connection]))
  }
})
