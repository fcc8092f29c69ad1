import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { cases } from '../support/random.ts'

/** The heap alone, as JavaScript: the same source as in the core. */
interface TagHeap {
  insertTag(positions: number, heap: number, tag: number, connection: number): void
  changeTag(positions: number, heap: number, position: number, tag: number): void
  removeTag(positions: number, heap: number, position: number): void
  lowerTags(heap: number, by: number): void
  positionOf(positions: number, connection: number): number
  i32: { load(address: number, offset?: number): number; store(address: number, value: number): void }
  f64: { load(address: number): number }
}

const entriesAt = 1024
const entryBytes = 16
const most = 6000
const positionsAt = entriesAt + most * entryBytes
const heapAt = 64
const farOffset = 8

let newHeap: () => TagHeap
beforeAll(async () => {
  const root = join(import.meta.dirname, '../..')
  const { outputFiles } = await build({
    stdin: { contents: "export * from './assembly/tagHeap.ts'", resolveDir: root, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'heap'
  })
  const memory = readFileSync(join(root, 'scripts/portable-memory.js'), 'utf8')
  newHeap = new Function(`${memory}\n${outputFiles[0].text}\nportableMemory.grow(8)\nreturn { ...heap, i32, f64 }`) as () => TagHeap
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
 * Fills a heap, changes and removes entries at random as links do, above all the first, and holds it against a list. Tags are whole numbers up to
 * `distinct`, so that many may be alike.
 *
 * @returns the most entries that were in no order
 */
function play(count: number, distinct: number, seed: number): number {
  const heap = newHeap()
  heap.i32.store(heapAt, entriesAt)
  const random = generator(seed)
  const tags = new Map<number, number>()
  let far = 0
  let clock = 0
  const anyTag = () => clock + Math.floor(random() ** 2 * distinct)
  const add = (connection: number, tag: number) => {
    tags.set(connection, tag)
    heap.insertTag(positionsAt, heapAt, tag, connection)
  }
  const first = () => heap.i32.load(entriesAt, 8)
  const comesFirst = (connection: number) => {
    const tag = tags.get(connection)!
    for (const [other, otherTag] of tags) if (otherTag < tag || (otherTag === tag && other < connection)) return false
    return true
  }
  for (let connection = 0; connection < count; connection++) add(connection, anyTag())
  for (let round = 0; round < 3 * count; round++) {
    const what = random()
    const connection = what < 0.9 ? first() : Math.floor(random() * count)
    if (!tags.has(connection)) {
      add(connection, anyTag())
    } else if (what < 0.1 || what > 0.97) {
      heap.removeTag(positionsAt, heapAt, heap.positionOf(positionsAt, connection))
      tags.delete(connection)
    } else {
      if (what < 0.9) clock = tags.get(connection)!
      tags.set(connection, anyTag())
      heap.changeTag(positionsAt, heapAt, heap.positionOf(positionsAt, connection), tags.get(connection)!)
    }
    if (tags.size === 0) break
    // As a link's clock starts again. Whole numbers, so nothing is rounded.
    if (round % 1009 === 0) {
      heap.lowerTags(heapAt, clock)
      for (const [other, tag] of tags) tags.set(other, tag - clock)
      clock = 0
    }
    far = Math.max(far, heap.i32.load(heapAt, farOffset))
    // To look at all is slow.
    if (round % 97 === 0) expect(comesFirst(first())).toBe(true)
  }
  expect(heap.i32.load(heapAt, 4)).toBe(tags.size)
  const order = [...tags].sort(([a, tagA], [b, tagB]) => tagA - tagB || a - b).map(([connection]) => connection)
  const taken = order.map(() => {
    const connection = first()
    heap.removeTag(positionsAt, heapAt, heap.positionOf(positionsAt, connection))
    return connection
  })
  expect(taken).toEqual(order)
  return far
}

test('entries leave in the order of tag and connection', () => {
  const sizes = fc.noBias(fc.integer({ min: 1, max: most }))
  const numbers = fc.record({ count: sizes, distinct: fc.constantFrom(1, 10, 1e4, 2 ** 40), seed: fc.nat() })
  fc.assert(
    fc.property(numbers, ({ count, distinct, seed }) => {
      play(count, distinct, seed)
    }),
    cases(20)
  )
})

test('of thousands most are in no order, of hundreds none', () => {
  expect(play(5000, 2 ** 40, 1)).toBeGreaterThan(3000)
  expect(play(500, 2 ** 40, 1)).toBe(0)
})
