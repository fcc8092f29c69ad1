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
  sortRun(positions: number, entries: number, count: number, bound: number, room: number): void
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

/** An order with a list beside it of what should stand in it. */
class Played {
  readonly tags = new Map<number, number>()
  /** The most entries that were far, and that were dead. */
  readonly seen = { far: 0, dead: 0 }

  constructor(
    readonly order: TagOrder,
    readonly positions: number,
    readonly address: number,
    readonly room: number
  ) {}

  field(name: string): number {
    return this.order.i32.load(this.address, this.order.layout[name])
  }

  add(connection: number, tag: number): void {
    this.tags.set(connection, tag)
    this.order.insertTag(this.positions, this.address, tag, connection)
  }

  change(connection: number, tag: number): void {
    this.tags.set(connection, tag)
    this.order.changeTag(this.positions, this.address, this.order.positionOf(this.positions, connection), tag)
  }

  remove(connection: number): void {
    this.tags.delete(connection)
    this.order.removeTag(this.positions, this.address, this.order.positionOf(this.positions, connection))
  }

  lower(by: number): void {
    this.order.lowerTags(this.address, by)
    for (const [other, tag] of this.tags) this.tags.set(other, tag - by)
  }

  first(): number {
    return this.order.i32.load(this.field('ORDER_FIRST'), this.order.layout.TAG_CONNECTION)
  }

  /** That entries lie in their room, and the first is one of them with its tag; with `all`, that it comes before the others. */
  check(all: boolean): void {
    const [count, heap, run, dead] = ['COUNT', 'HEAP', 'RUN', 'DEAD'].map(name => this.field(`ORDER_${name}`))
    this.seen.far = Math.max(this.seen.far, count - heap + dead - run)
    this.seen.dead = Math.max(this.seen.dead, dead)
    const end = this.field('ORDER_RUN_START') + count - heap + dead
    if (count !== this.tags.size || (count > heap && end > this.room))
      throw new Error(`${count} entries end at ${end} of ${this.room}`)
    if (count === 0) return
    const first = this.first()
    const tag = this.order.f64.load(this.field('ORDER_FIRST'))
    if (this.tags.get(first) !== tag) throw new Error(`first is ${first} at ${tag}: ${this.tags.get(first)}`)
    if (!all) return
    for (const [other, otherTag] of this.tags) {
      if (otherTag < tag || (otherTag === tag && other < first))
        throw new Error(`${first} at ${tag} comes before ${other} at ${otherTag}`)
    }
  }

  /** Takes all, the first first. */
  drain(): void {
    const expected = [...this.tags].sort(([a, tagA], [b, tagB]) => tagA - tagB || a - b).map(([connection]) => connection)
    const taken = expected.map(() => {
      const connection = this.first()
      this.remove(connection)
      return connection
    })
    expect(taken).toEqual(expected)
  }
}

function newPlayed(count: number, orders: number): Played[] {
  const order = newOrder()
  const { ORDER_BYTES, TAG_BYTES } = order.layout
  const ends = [entriesAt]
  for (let i = 0; i < orders; i++) ends.push(order.initialiseOrder(orderAt + i * ORDER_BYTES, ends[i], count))
  return Array.from({ length: orders }, (_, i) => {
    return new Played(order, ends[orders], orderAt + i * ORDER_BYTES, (ends[i + 1] - ends[i]) / TAG_BYTES)
  })
}

/**
 * Fills orders, changes and removes entries at random as links do, above all the first, and holds them against lists. Tags are whole numbers up to
 * `distinct`, so that many may be alike. With two orders what leaves one joins the other: they share an array of positions, as those of sharing do.
 */
function play({ count, distinct, ofFirst, orders, seed }: Play): { far: number; dead: number } {
  const played = newPlayed(count, orders)
  const random = generator(seed)
  let clock = 0
  const anyTag = () => clock + Math.floor(random() ** 2 * distinct)
  for (let connection = 0; connection < count; connection++) played[connection % orders].add(connection, anyTag())
  for (let round = 0; round < 3 * count; round++) {
    const what = random()
    const chosen = played[Math.floor(random() * orders)]
    const connection = what < ofFirst && chosen.tags.size > 0 ? chosen.first() : Math.floor(random() * count)
    const own = played.find(({ tags }) => tags.has(connection))
    if (own === undefined) {
      chosen.add(connection, anyTag())
    } else if (what < 0.1 || what > 0.97) {
      own.remove(connection)
      if (orders > 1) played[1 - played.indexOf(own)].add(connection, anyTag())
    } else {
      if (what < ofFirst) clock = own.tags.get(connection)!
      own.change(connection, anyTag())
    }
    // As a link's clock starts again. Whole numbers, so nothing is rounded.
    if (round % 1009 === 0) {
      for (const one of played) one.lower(clock)
      clock = 0
    }
    // To look at all is slow.
    for (const one of played) one.check(round % 97 === 0)
  }
  for (const one of played) one.drain()
  return played[0].seen
}

interface Play {
  count: number
  distinct: number
  /** Share of changes that are of the first. */
  ofFirst: number
  orders: number
  seed: number
}

test('entries leave in the order of tag and connection', () => {
  const plays = fc.record({
    count: fc.noBias(fc.integer({ min: 1, max: most })),
    distinct: fc.constantFrom(1, 10, 1e4, 2 ** 40),
    ofFirst: fc.constantFrom(0.9, 0.3),
    orders: fc.constantFrom(1, 2),
    seed: fc.nat()
  })
  fc.assert(
    fc.property(plays, how => {
      play(how)
    }),
    cases(20)
  )
})

const usual = { count: 5000, distinct: 2 ** 40, ofFirst: 0.9, orders: 1, seed: 1 }

test('of thousands most are in no order, of hundreds none', () => {
  expect(play(usual).far).toBeGreaterThan(3000)
  expect(play({ ...usual, count: 500 }).far).toBe(0)
})

test('what leaves the middle of a run is dead in it', () => {
  expect(play({ ...usual, ofFirst: 0.3 }).dead).toBeGreaterThan(20)
})

test('it stays dead when it comes to stand at the same place of another order', () => {
  const [one, other] = newPlayed(most, 2)
  for (let i = 0; i < most; i++) (i % 2 === 0 ? one : other).add(i, (i * 7919) % 6007)
  const place = one.field('ORDER_RUN_START') + 50
  const connection = [...one.tags.keys()].find(key => one.order.positionOf(one.positions, key) === place)!
  while (other.field('ORDER_RUN') > 5) other.remove(other.first())
  const standsThere = [...other.tags.keys()].find(key => one.order.positionOf(one.positions, key) === place)!
  one.remove(connection)
  other.add(connection, 1e6)
  other.remove(standsThere)
  expect(one.order.positionOf(one.positions, connection)).toBe(place)
  one.drain()
  other.drain()
})

test('tags alike to the bound leave in the order of their connections', () => {
  for (const changed of [false, true]) {
    const [one] = newPlayed(most, 1)
    for (let i = 0; i < 5000; i++) one.add(i + 500, (i * 7919) % 5003)
    const bound = one.order.f64.load(one.address + one.order.layout.ORDER_BOUND)
    for (const connection of [3, 5900, 4]) {
      if (changed) one.add(connection, 1e6)
      if (changed) one.change(connection, bound)
      else one.add(connection, bound)
    }
    // Near ones that come to be as far, and far ones that stay.
    for (const connection of [...one.tags.keys()].slice(0, 500)) one.change(connection, bound)
    one.drain()
  }
})

test('there is room for all while most of a run is dead', () => {
  const [one] = newPlayed(most, 1)
  for (let i = 0; i < most; i++) one.add(i, (i * 7919) % 6007)
  const start = one.field('ORDER_RUN_START')
  const last = start + one.field('ORDER_RUN') - 1
  const middle = [...one.tags.keys()].filter(key => {
    const position = one.order.positionOf(one.positions, key)
    return position >= start && position < last
  })
  const inHeap = [...one.tags.keys()].filter(key => one.order.positionOf(one.positions, key) < start)
  for (const connection of [...middle, ...inHeap]) one.change(connection, 1e6 + connection)
  one.check(true)
  expect(middle.length).toBeGreaterThan(100)
  expect(one.seen.dead).toBe(middle.length)
  one.drain()
})

/*
 * Every 64th of 2,048 entries is a sample. The heap keeps the order in which they are added as long as no parent (i − 1) / 4 has a greater tag: here all
 * samples but the first, and what descends from them, are far behind the others, which are more than half.
 */
test('samples that mislead leave all in the heap', () => {
  const [one] = newPlayed(2048, 1)
  const isBehind = [false]
  for (let i = 0; i < 2048; i++) {
    if (i > 0) isBehind.push(i % 64 === 0 || isBehind[(i - 1) >> 2])
    one.add(i, isBehind[i] ? 1e6 + i : i)
  }
  expect(isBehind.filter(behind => !behind).length).toBeGreaterThan(1024)
  expect(one.field('ORDER_HEAP')).toBe(2048)
  expect(one.field('ORDER_PATIENCE')).toBeGreaterThan(2048)
  one.drain()
})

test('thousands of tags alike cost no pass over all at each change', () => {
  const [one] = newPlayed(most, 1)
  const moved = { count: 0 }
  for (let i = 0; i < 4095; i++) one.add(i, 7)
  const { store } = one.order.i32
  one.order.i32.store = (address, value, offset) => {
    moved.count++
    store(address, value, offset)
  }
  for (let round = 0; round < 4096; round++) {
    one.add(5000, 7)
    one.remove(5000)
  }
  expect(moved.count / 4096).toBeLessThan(100)
  one.drain()
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
    order.sortRun(entriesAt + 40 * count, entriesAt, count, 100, entriesAt + 16 * count)
    const run = tags.map((_, i) => order.i32.load(entriesAt + 16 * i, order.layout.TAG_CONNECTION))
    expect(run).toEqual([...tags.keys()].sort((a, b) => tags[b] - tags[a] || b - a))
    expect(run.map((_, i) => order.f64.load(entriesAt + 16 * i))).toEqual(run.map(connection => tags[connection]))
  }
})
