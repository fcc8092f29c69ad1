import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseClusterFile } from '../src/cluster/clusterFile.ts'
import { parsePlacementFile } from '../src/cluster/placementMap.ts'
import { mostYamlBytes } from '../src/cluster/yamlFile.ts'
import { CommandLineError, describeFailure } from '../src/errors.ts'
import { failureOf } from './fixture.ts'

const read = (text: string) => parseClusterFile('c.yaml', text)

test('everything a file can say, in the units of a question', () => {
  const text = `
servers:
  - {bandwidth: 10Gbps, cores: 4}
  - cores: 4
placement: {conv1/kernel: 0, conv1/bias: 1}
bandwidth: 1Gbps
latency: 0.1ms
buffer: 20ms
colocate: false
workers:
  - count: 2
  - count: 1
    speed: 0.5
    bandwidth: 100 Mbps
    uplink: 300Mbps
    latency: 30ms
    replicas: 8
    straggler: {probability: 0.1, factor: 3}
`
  expect(read(text)).toEqual({
    servers: [2],
    placement: { 'conv1/kernel': 0, 'conv1/bias': 1 },
    bandwidthBitsPerSecond: 1e9,
    latencyUs: 100,
    bufferUs: 20_000,
    hosts: {
      workers: [
        { count: 2 },
        {
          count: 1,
          speed: 0.5,
          bandwidthBitsPerSecond: 1e8,
          uplinkBitsPerSecond: 3e8,
          latencyUs: 30_000,
          replicas: 8,
          straggler: { probability: 0.1, factor: 3 }
        }
      ],
      servers: [{ bandwidthBitsPerSecond: 1e10, cores: 4 }, { cores: 4 }],
      colocate: false
    }
  })
})

test('the published schema has the fields that are read, and knows units', () => {
  const published = JSON.parse(readFileSync(new URL('../../../docs/cluster.schema.json', import.meta.url), 'utf8'))
  const { properties, $defs } = published
  const fieldsOf = (text: string) => {
    // What is no field is answered with the names of those that are.
    const refusal = /use fields ([^\n]+)$/.exec(thrownBy(() => read(text)))
    return refusal?.[1].split(', ').sort()
  }
  expect(Object.keys(properties).sort()).toEqual(fieldsOf('workers: [{count: 1}]\nnone: 1'))
  expect(Object.keys(properties.workers.items.properties).sort()).toEqual(fieldsOf('workers: [{count: 1, none: 1}]'))
  expect(Object.keys(properties.servers.oneOf[1].items.properties).sort()).toEqual(
    fieldsOf('workers: [{count: 1}]\nservers: [{none: 1}]')
  )
  for (const [kind, good, bad] of [
    ['rate', '1.5 Gbps', '1'],
    ['time', '0.1ms', '5 m']
  ]) {
    expect(new RegExp($defs[kind].pattern).test(good)).toBe(true)
    expect(new RegExp($defs[kind].pattern).test(bad)).toBe(false)
  }
})

function thrownBy(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    return (error as Error).message
  }
  return ''
}

test('the least a file says; anchors are resolved', () => {
  expect(read('workers: [{count: 4}]')).toEqual({ hosts: { workers: [{ count: 4 }] } })
  expect(read('workers: [&a {count: 4, speed: 2}, *a]').hosts.workers).toEqual([
    { count: 4, speed: 2 },
    { count: 4, speed: 2 }
  ])
  expect(read('servers: 3\nplacement: greedy\nworkers: [{count: 1}]')).toMatchObject({ servers: [3], placement: 'greedy' })
})

const bomb = `a: &a [1,1,1,1,1,1,1,1,1,1]
b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]
c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]
d: [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]`

describe('a bad file is refused with line and field', () => {
  test.each<[string, string]>([
    ['', 'c.yaml:1: the file is empty: use at least workers: [{count: 4}]'],
    ['# nothing\n', 'c.yaml:1: the file is empty: use at least workers: [{count: 4}]'],
    ['just words', 'c.yaml:1: the file: is "just words": use fields workers, servers, placement'],
    ['servers: 2', 'c.yaml:1: workers: is missing: use workers: [{count: 4}]'],
    [
      '\nworkers:\n  - count: 2\n    sped: 1',
      'c.yaml:4: workers[0].sped: is no field of this place: use fields count, speed, bandwidth'
    ],
    ['workers: [{count: 1}]\n__proto__: {x: 1}', 'c.yaml:2: __proto__: is no field of this place: use fields workers'],
    ['workers: [{count: 1}]\nconstructor: 1', 'c.yaml:2: constructor: is no field of this place'],
    ['workers: [{count: 1, __proto__: 1}]', 'c.yaml:1: workers[0].__proto__: is no field of this place'],
    ['workers:\n- count: 1\n- speed: 1', 'c.yaml:3: workers[1].count: is missing: use count: 4'],
    ['workers:\n- count: 0', 'c.yaml:2: workers[0].count: is 0: use a whole number from 1 to 100000'],
    ['workers: [{count: 1.5}]', 'c.yaml:1: workers[0].count: is 1.5: use a whole number'],
    ['workers: [{count: "2"}]', 'c.yaml:1: workers[0].count: is "2": use a whole number'],
    ['workers: []', 'c.yaml:1: workers: is a list of 0: use a list of groups'],
    ['workers: 4', 'c.yaml:1: workers: is 4: use a list of groups'],
    [
      'workers: [{count: 60000}, {count: 60000}]',
      'c.yaml:1: workers: is a list of 2: use groups of together at most 100000 workers'
    ],
    ['workers:\n- count: 1\n  speed: -1', 'c.yaml:3: workers[0].speed: is -1: use a number from 0.000001 to 1000000'],
    ['workers: [{count: 1, speed: .nan}]', 'c.yaml:1: workers[0].speed: is NaN: use a number'],
    ['workers: [{count: 1, speed: .inf}]', 'c.yaml:1: workers[0].speed: is Infinity: use a number'],
    [
      'workers: [{count: 1, bandwidth: 100}]',
      'c.yaml:1: workers[0].bandwidth: is 100: use a number and a unit (bps, kbps, Mbps or Gbps)'
    ],
    [
      'workers: [{count: 1, bandwidth: 1GB}]',
      'c.yaml:1: workers[0].bandwidth: "1GB": unknown unit; accepted: bps, kbps, Mbps or Gbps'
    ],
    ['workers: [{count: 1}]\nlatency: "5"', 'c.yaml:2: latency: "5": a unit is needed (us, ms or s), such as 0.1ms'],
    ['workers: [{count: 1}]\nlatency: -1ms', 'c.yaml:2: latency: "-1ms": must be between 0s and 3600s'],
    ['workers: [{count: 1}]\nservers: 0', 'c.yaml:2: servers: is 0: use a whole number from 1 to 1024, or a list'],
    ['workers: [{count: 1}]\nservers: two', 'c.yaml:2: servers: is "two": use a number of servers, or a list'],
    [
      'workers: [{count: 1}]\nservers:\n- cores: 4\n- core: 4',
      'c.yaml:4: servers[1].core: is no field of this place: use fields bandwidth, cores'
    ],
    ['workers: [{count: 1}]\nplacement: random', 'c.yaml:2: placement: is "random": use profile, round-robin, greedy'],
    ['workers: [{count: 1}]\nplacement:\n  a: 0\n  b/c: -1', 'c.yaml:4: placement.b/c: is -1: use the number of a server'],
    ['workers: [{count: 1}]\nplacement: [0]', 'c.yaml:2: placement: is a list of 1: use variables with their servers'],
    ['workers: [{count: 1}]\ncolocate: maybe', 'c.yaml:2: colocate: is "maybe": use true or false'],
    [
      'workers: [{count: 1, straggler: {probability: 2, factor: 1}}]',
      'c.yaml:1: workers[0].straggler.probability: is 2: use a number from 0 to 1'
    ],
    ['workers: [{count: 1}]\nworkers: [{count: 2}]', 'c.yaml:2: not valid YAML: Map keys must be unique'],
    ['workers: [{count: 1}', 'c.yaml:1: not valid YAML: '],
    ['workers: [{count: *none}]', 'c.yaml:1: not valid YAML: Unresolved alias'],
    ['workers: !!js/function x', 'c.yaml:1: not valid YAML: Unresolved tag'],
    ['workers: [{count: 1}]\n---\nworkers: []', 'c.yaml:2: not valid YAML: '],
    [bomb, 'c.yaml:1: not valid YAML: Excessive alias count'],
    ['['.repeat(20_000), 'c.yaml:1: not valid YAML: nested more than 30 deep'],
    ['- '.repeat(20_000), 'c.yaml:1: not valid YAML: nested more than 30 deep'],
    ['? '.repeat(20_000), 'c.yaml:1: not valid YAML: nested more than 30 deep']
  ])('%j', (text, message) => {
    const failure = failureOf(() => read(text))
    expect(failure?.exitCode).toBe(2)
    expect(failure?.text).toContain(message)
    expect(failure?.text).not.toMatch(/\n|undefined|\[object/)
  })
})

test('no text of any kind does anything but be read or be refused', () => {
  const words = [
    'workers',
    'servers',
    ': ',
    '- ',
    '[',
    ']',
    '{',
    '}',
    '\n',
    '  ',
    'count',
    '1',
    '"',
    "'",
    '&a ',
    '*a ',
    '? ',
    '!x ',
    '|\n',
    '# ',
    '__proto__'
  ]
  const text = fc.oneof(
    fc.string(),
    fc.array(fc.constantFrom(...words), { maxLength: 60 }).map(parts => parts.join(''))
  )
  fc.assert(
    fc.property(text, given => {
      try {
        expect(read(given).hosts.workers.length).toBeGreaterThan(0)
      } catch (error) {
        expect(describeFailure(error).exitCode).toBe(2)
      }
    }),
    { numRuns: 500 }
  )
})

test('the deepest nesting that fits in a file is read or refused, not fatal', () => {
  // Each line nests a little deeper than the one before.
  let text = ''
  for (let indent = 0; text.length < mostYamlBytes - 2000; indent += 60) text += `${' '.repeat(indent)}${'- '.repeat(29)}\n`
  expect(() => read(text.slice(0, mostYamlBytes))).toThrow(CommandLineError)
})

describe('placement files', () => {
  const place = (text: string) => parsePlacementFile('p.json', text)

  test('variables with their servers', () => {
    expect(place('\ufeff{"a/b": 0, "c": 3}')).toEqual({ 'a/b': 0, c: 3 })
    expect(Object.keys(place('{"__proto__": 1}'))).toEqual(['__proto__'])
  })

  test.each([
    ['', 'p.json: is empty: use a JSON object of variables'],
    ['{', 'p.json: is no JSON ('],
    ['[1]', 'p.json: is a list of 1: use a JSON object'],
    ['null', 'p.json: is null: use a JSON object'],
    ['{"a": "0"}', 'p.json: "a": is "0": use the number of a server: 0, 1, 2 …'],
    ['{"a": 1.5}', 'p.json: "a": is 1.5: use the number of a server'],
    ['{"a": -1}', 'p.json: "a": is -1: use the number of a server'],
    ['{"a\\n\\u001b": {}}', 'p.json: "a\\n\\x1b": is an object: use the number of a server']
  ])('%j is refused', (text, message) => {
    expect(() => place(text)).toThrow(CommandLineError)
    expect(() => place(text)).toThrow(message)
  })
})
