import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hotServerOf } from '../src/placement/balance.ts'
import { partitionVariables } from '../src/placement/partition.ts'
import type { Placement } from '../src/placement/place.ts'
import { rePlaced } from '../src/placement/rePlace.ts'
import { predict } from '../src/predict/predict.ts'
import { QuestionError } from '../src/question.ts'
import type { Prediction } from '../src/schema.ts'
import { readCase } from './support/cases.ts'
import { jobOf, serversOf } from './support/variables.ts'

const placed = (bytes: number[], servers: number, placement: Placement, traced?: number[]) =>
  serversOf(rePlaced(jobOf(bytes, traced), { servers, placement, parts: 1 }))

describe('placements by hand', () => {
  test('round-robin: one after the other in the order of creation', () => {
    expect(placed([5, 1, 1, 9, 2], 2, 'round-robin')).toEqual([0, 1, 0, 1, 0])
    expect(placed([5, 1, 1], 5, 'round-robin')).toEqual([0, 1, 2])
  })

  test('greedy: the largest first, each to the server with the fewest bytes', () => {
    // 9 → 0, 7 → 1, 6 → 1 (13), 4 → 0 (13), 4 → 0, the first of two with 13, 1 → 1 (14 against 17).
    expect(placed([4, 9, 1, 6, 4, 7], 2, 'greedy')).toEqual([0, 0, 1, 1, 0, 1])
    // Of equals the one created first.
    expect(placed([3, 3, 3], 3, 'greedy')).toEqual([0, 1, 2])
  })

  test('profile: as traced, for as many servers', () => {
    expect(placed([1, 2, 3], 2, 'profile', [1, 0, 1])).toEqual([1, 0, 1])
    expect(() => placed([1, 2, 3], 3, 'profile', [1, 0, 1])).toThrow(/placement is profile with 3 servers, but the traces show 2/)
  })

  test('a map: as listed', () => {
    expect(placed([1, 2, 3], 4, { v0: 3, v1: 0, v2: 3 })).toEqual([3, 0, 3])
  })

  test.each<[Record<string, number>, string]>([
    [
      { v0: 0, v1: 1, conv: 0 },
      'placement names "conv", which is no variable of the profile: use one of its 2, such as "v0", "v1"'
    ],
    [JSON.parse('{"__proto__": 1}'), 'placement names "__proto__", which is no variable'],
    [{ v0: 0 }, 'placement does not say where "v1" is'],
    [{ v0: 0, v1: 2 }, 'placement puts "v1" on server 2: with 2 servers use 0 to 1'],
    [{ v0: 0, v1: 0.5 }, 'placement puts "v1" on server 0.5']
  ])('%j is refused', (map, message) => {
    expect(() => placed([1, 2], 2, map)).toThrow(QuestionError)
    expect(() => placed([1, 2], 2, map)).toThrow(message)
  })

  test('where everything is as traced the profile is the same object, whatever the rule', () => {
    const profile = jobOf([9, 1, 9], [0, 1, 0])
    for (const placement of ['profile', 'round-robin', { v0: 0, v1: 1, v2: 0 }] as const)
      expect(rePlaced(profile, { servers: 2, placement, parts: 1 })).toBe(profile)
  })

  test('server operations of no variable stay, or go to what is left of their number', () => {
    const profile = jobOf([1, 1], [0, 1])
    profile.variables = profile.variables!.slice(0, 1)
    profile.operations[4] = { ...profile.operations[4], server: 1 }
    const at = (servers: number) => rePlaced(profile, { servers, placement: 'greedy', parts: 1 }).operations[4].server
    expect(at(3)).toBe(1)
    expect(at(1)).toBe(0)
  })

  test('a profile without its variables: everything on one server still goes, else one line', () => {
    const { variables, ...old } = jobOf([1, 2], [0, 1])
    expect(rePlaced(old, { servers: 2, placement: 'profile', parts: 1 })).toBe(old)
    const one = rePlaced(old, { servers: 1, placement: 'round-robin', parts: 1 })
    expect(one.operations.every(({ server }) => server === 0)).toBe(true)
    expect(() => rePlaced(old, { servers: 3, placement: 'greedy', parts: 1 })).toThrow(
      /^profile: it was saved without its variables/
    )
    expect(() => rePlaced(old, { servers: 2, placement: 'profile', parts: 2 })).toThrow(/^profile: it was saved without/)
  })
})

describe('parts of variables', () => {
  const whole = jobOf([100, 7])
  const cut = partitionVariables(whole, 3)

  test('each has its own pull, push and update, and a third of the bytes and of the update', () => {
    // v1's 7 bytes do not reach 4 a part: it stays whole.
    expect(cut.variables!.map(({ name }) => name)).toEqual(['v0/part_0', 'v0/part_1', 'v0/part_2', 'v1'])
    expect(cut.operations.map(({ kind, bytes }) => `${kind} ${bytes}`)).toEqual([
      ...['pull 33', 'pull 33', 'pull 34', 'pull 7', 'compute 0'],
      ...['push 33', 'push 33', 'push 34', 'push 7', 'update 0', 'update 0', 'update 0', 'update 0']
    ])
    expect(cut.operations[4].dependencies).toEqual([0, 1, 2, 3])
    expect(cut.operations.slice(5, 9).map(({ dependencies }) => dependencies)).toEqual([[4], [4], [4], [4]])
    expect(cut.operations.slice(9).map(({ dependencies }) => dependencies)).toEqual([[5], [6], [7], [8]])
    expect(cut.steps[0].durationUs.slice(9)).toEqual([20, 20, 20, 60])
    expect(cut.steps[1].bytes).toEqual([
      [0, 36],
      [1, 36],
      [2, 36]
    ])
    expect(cut.steps[1].imputed).toEqual([0, 1, 2])
  })

  test('they are placed as variables of their own', () => {
    expect(serversOf(rePlaced(whole, { servers: 2, placement: 'round-robin', parts: 3 }))).toEqual([0, 1, 0, 1])
  })

  test('more than a step can have are refused', () => {
    const many = jobOf(Array.from({ length: 100 }, () => 1e6))
    expect(() => partitionVariables(many, 4000)).toThrow(
      'number of parts of a variable is 4000, which makes 1200001 operations of a step: use at most 1333'
    )
    expect(partitionVariables(many, 1333).operations).toHaveLength(399_901)
  })

  test('one part is the whole', () => {
    expect(partitionVariables(whole, 1)).toBe(whole)
    expect(partitionVariables(jobOf([7, 3]), 2).variables).toHaveLength(2)
  })
})

test('bytes of a step are the same wherever they are, and in how many parts', () => {
  const bytesOf = (profile: ReturnType<typeof jobOf>, kind: string) =>
    profile.operations.reduce((sum, operation) => sum + (operation.kind === kind ? operation.bytes : 0), 0)
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 1, max: 4 }),
      fc.constantFrom<'round-robin' | 'greedy'>('round-robin', 'greedy'),
      (bytes, servers, parts, placement) => {
        const before = jobOf(bytes)
        const after = rePlaced(before, { servers, placement, parts })
        for (const kind of ['pull', 'push']) expect(bytesOf(after, kind)).toBe(bytesOf(before, kind))
        expect(Math.max(...serversOf(after))).toBeLessThan(servers)
        after.operations.forEach(({ dependencies }, id) => {
          expect(dependencies).toEqual([...new Set(dependencies)].sort((a, b) => a - b))
          for (const from of dependencies) expect(from).toBeLessThan(id)
        })
        expect(after.steps.every(step => step.startUs.length === after.operations.length)).toBe(true)
      }
    )
  )
})

test('a server is hot from a quarter above its fair share on', () => {
  expect(hotServerOf([50, 50])).toBeUndefined()
  expect(hotServerOf([62, 38])).toBeUndefined()
  expect(hotServerOf([37, 63])).toEqual({ server: 1, share: 0.63 })
  expect(hotServerOf([7])).toBeUndefined()
  expect(hotServerOf([0, 0])).toBeUndefined()
})

const fixed = { replications: 2, steps: 10 }
const rates = ({ points }: Prediction) => points.map(({ stepsPerSecond }) => stepsPerSecond.mean)

test('the traced placement is bit for bit what is predicted without one', async () => {
  const { profile } = await readCase('resnet50-2ps-500')
  const question = { profile, workers: [1, 3], fixed }
  const plain = await predict(question)
  const { parameters, ...asked } = await predict({ ...question, servers: [2], placement: 'profile' })
  expect(asked).toEqual({ ...plain, parameters: undefined })
  expect(parameters.placement).toEqual({ value: 'profile', unit: '', source: 'flag' })
})

test('which of two servers is called 0 changes nothing', async () => {
  const profile = jobOf([400_000, 30_000, 90_000, 200_000])
  const map = { v0: 0, v1: 1, v2: 1, v3: 0 }
  const swapped = Object.fromEntries(Object.entries(map).map(([name, server]) => [name, 1 - server]))
  const ask = (placement: Placement) =>
    predict({ profile, workers: [1, 4], servers: [2], placement, bandwidthBitsPerSecond: 1e9, fixed })
  const [one, other] = [await ask(map), await ask(swapped)]
  rates(one).forEach((rate, i) => {
    expect(rate / rates(other)[i]).toBeCloseTo(1, 2)
  })
  expect(one.points[0].serverBytes).toEqual([...other.points[0].serverBytes!].reverse())
})

test('points of every number of servers, in order, and ten where the trace has one', async () => {
  const profile = jobOf(Array.from({ length: 12 }, () => 100_000))
  const { points, parameters } = await predict({
    profile,
    workers: [1, 2],
    servers: [1, 2, 10],
    bandwidthBitsPerSecond: 1e8,
    fixed: { replications: 1, steps: 5 }
  })
  expect(points.map(({ servers, workers }) => [servers, workers])).toEqual([
    [1, 1],
    [1, 2],
    [2, 1],
    [2, 2],
    [10, 1],
    [10, 2]
  ])
  expect(parameters.placement.value).toBe('profile, round-robin')
  expect(points[2].bounds.pullLink / points[0].bounds.pullLink).toBeCloseTo(2, 3)
})

test('the trace of one server at 1 Gbit/s predicts two measured ones at 500 Mbit/s', async () => {
  const measured = await readCase('resnet50-2ps-500')
  const { variables, operations } = measured.profile
  // The testbed's own placement.
  const placement = Object.fromEntries(variables!.map(({ name, operations: own }) => [name, operations[own[0]].server]))
  const { points } = await predict({
    profile: (await readCase('resnet50-1000')).profile,
    workers: [1, 2, 4, 8],
    servers: [2],
    placement,
    bandwidthBitsPerSecond: 5e8,
    tracedBandwidthBitsPerSecond: 1e9,
    latencyUs: 50,
    bufferUs: 5000,
    burstBytes: 196_608,
    fixed: { replications: 6, steps: 30 }
  })
  for (const { workers, stepsPerSecond } of points) {
    const { stepsPerSecond: rate } = measured.measurements.find(one => one.workers === workers)!
    expect(Math.abs(stepsPerSecond.mean / rate - 1)).toBeLessThan(0.05)
  }
})
