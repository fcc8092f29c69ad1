import { OperationKind } from '@foretrain/core-wasm'
import { describe, expect, test } from 'vitest'
import { compileQueue, newQueue, type QueueName, queueTitles, recordedEvents, sequenceOf, writeSequence } from '../lib/queues.mjs'

type Event = [time: number, classWorker: number, operation: number]

const order = (a: Event, b: Event) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]

/** Numbers that are the same on every machine: the multiplicative congruential generator of Park and Miller. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 16807) % 2147483647
    return state / 2147483647
  }
}

/** What is pushed when: events from now on, as in a simulation, or at any time; many at the same time, or hardly any. */
const patterns: Record<string, (random: () => number, now: number) => number> = {
  'increments that hardly ever meet': (random, now) => now - Math.log(random()) * 100,
  'many events at the same times': (random, now) => now + Math.floor(random() * 4),
  'one event in ten far away': (random, now) => now + (random() < 0.1 ? 1e6 * random() : random()),
  'earlier than what was popped': random => random() * 1000,
  'all at once': () => 5
}

describe.each(Object.keys(queueTitles) as QueueName[])('%s', name => {
  const compiled = compileQueue(name)

  test.each(Object.entries(patterns))('pops as a sorted list does: %s', async (_, timeOf) => {
    const random = randomNumbers(7)
    const queue = await newQueue(await compiled, 4000, 0)
    const popped = (): Event => {
      queue.pop(queue.POPPED.value)
      const view = new DataView(queue.memory.buffer, queue.POPPED.value)
      return [view.getFloat64(0, true), view.getInt32(8, true), view.getInt32(12, true)]
    }
    const list: Event[] = []
    const got: Event[] = []
    const wanted: Event[] = []
    let now = 0
    const pop = () => {
      list.sort(order)
      wanted.push(list.shift() as Event)
      got.push(popped())
      now = got[got.length - 1][0]
    }
    // It grows to hundreds, and falls to nothing again, twice.
    for (const [count, shareOfPushes] of [
      [700, 0.9],
      [900, 0.2],
      [300, 0.95],
      [300, 0.5]
    ]) {
      for (let i = 0; i < count; i++) {
        if (list.length > 0 && random() > shareOfPushes) pop()
        else {
          const event: Event = [timeOf(random, now), Math.floor(random() * 3), Math.floor(random() * 1e6)]
          list.push(event)
          queue.push(...event)
        }
      }
    }
    while (list.length > 0) pop()
    expect(got).toEqual(wanted)
    expect(got.length).toBeGreaterThan(1000)
  })

  test('the hold model pops what a sorted list pops', async () => {
    const increments = Float64Array.of(3, 1, 4, 1, 5, 9, 2, 6)
    const queue = await newQueue(await compiled, 100, 8 * increments.length)
    new Float64Array(queue.memory.buffer, queue.DATA.value, increments.length).set(increments)
    const list: Event[] = Array.from({ length: 100 }, (_, i) => [i % 7, i % 3, i])
    for (const event of list) queue.push(...event)
    let hash = 0
    for (let i = 0; i < 500; i++) {
      list.sort(order)
      const [time, classWorker, operation] = list.shift() as Event
      hash = (Math.imul(hash, 31) + classWorker + operation) | 0
      list.push([time + increments[(i + 3) % 8], classWorker, operation])
    }
    expect(queue.hold(8, 3, 500)).toBe(hash)
  })

  test('a recorded sequence is replayed in its order, as often as wanted', async () => {
    const random = randomNumbers(3)
    const events = Array.from({ length: 500 }, (_, operation) => {
      const pushedUs = Math.floor(random() * 300)
      return { pushedUs, dueUs: pushedUs + Math.floor(random() * 50), classWorker: operation % 5, operation }
    })
    const { sequence, most } = sequenceOf(events)
    expect(sequence.map(({ event }) => event.pushedUs)).toEqual(events.map(event => event.pushedUs).sort((a, b) => a - b))
    const queue = await newQueue(await compiled, most, 500 * 24)
    writeSequence(queue, sequence)
    const list: Event[] = []
    let hash = 0
    const pop = () => {
      list.sort(order)
      const [, classWorker, operation] = list.shift() as Event
      hash = (Math.imul(hash, 31) + classWorker + operation) | 0
    }
    for (const { event, pops } of sequence) {
      for (let i = 0; i < pops; i++) pop()
      list.push([event.dueUs, event.classWorker, event.operation])
    }
    while (list.length > 0) pop()
    expect([queue.replay(500), queue.replay(500)]).toEqual([hash, hash])
  })
})

test('what is due is popped before the next is pushed', () => {
  const event = (pushedUs: number, dueUs: number, operation: number) => ({ pushedUs, dueUs, classWorker: 0, operation })
  const { sequence, mean, most } = sequenceOf([event(10, 20, 1), event(0, 10, 0), event(10, 10, 2), event(10, 10, 3)])
  expect(sequence.map(({ event: { operation }, pops }) => [operation, pops])).toEqual([
    [0, 0],
    [2, 1],
    [3, 1],
    [1, 1]
  ])
  expect({ mean, most }).toEqual({ mean: 1, most: 1 })
})

test('events of a log: the ends of operations, of transfers from their last byte on, and the begins of steps', () => {
  const kind = Uint8Array.of(OperationKind.compute, OperationKind.push)
  const entry = { worker: 3, step: 0, readyUs: 1, startUs: 2, wireEndUs: 7, endUs: 9 }
  const records = {
    worker: Int32Array.of(3, 3),
    template: Int32Array.of(0, 0),
    staleness: Int32Array.of(0, 0),
    startUs: Float64Array.of(5, 12),
    endUs: Float64Array.of(9, 20),
    usedShare: Float64Array.of(1, 1),
    waitedUs: Float64Array.of(0, 0)
  }
  expect(
    recordedEvents(
      [
        { ...entry, operation: 0 },
        { ...entry, operation: 1 }
      ],
      records,
      kind
    )
  ).toEqual([
    { pushedUs: 1, dueUs: 9, classWorker: 3, operation: 0 },
    { pushedUs: 7, dueUs: 9, classWorker: 3, operation: 1 },
    { pushedUs: 0, dueUs: 5, classWorker: 3 + 5 * 2 ** 27, operation: 0 },
    { pushedUs: 9, dueUs: 12, classWorker: 3 + 5 * 2 ** 27, operation: 0 }
  ])
})

test('a queue that does not compile says where', async () => {
  await expect(compileQueue('noSuchQueue' as QueueName)).rejects.toThrow(
    "bench/queues/noSuchQueue.ts: ERROR TS6054: File 'queue.ts'"
  )
})
