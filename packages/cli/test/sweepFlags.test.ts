import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseSweepFlags, parseSweepOutput, type SweepFlags } from '../src/flags/sweep.ts'
import { blamingPlan, listFields, parsePlanFile, singleFields } from '../src/sweep/planFile.ts'

const sweep = (flags: SweepFlags) => parseSweepFlags({ workers: '1-4', ...flags })

describe('flags', () => {
  test('a list is an axis, what is single is common', () => {
    const flags = { bandwidth: '1Gbps,10Gbps', latency: '0.05ms, 1ms', batch: '32', policy: 'fifo,tac', seed: '7', precision: '2%' }
    expect(sweep({ ...flags, tracedBandwidth: '1Gbps', mode: 'async,ssp:3', computeSpeed: '1,2', servers: '1-2' })).toEqual({
      common: { seed: 7, precision: 0.02, tracedBandwidthBitsPerSecond: 1e9 },
      axes: {
        workers: [1, 2, 3, 4],
        servers: [1, 2],
        bandwidthBitsPerSecond: [1e9, 1e10],
        latencyUs: [50, 1000],
        computeSpeed: [1, 2],
        batchSize: [32],
        mode: ['async', 'ssp:3'],
        policy: ['fifo', 'tac']
      }
    })
  })

  test('what is absent stays absent', () => {
    expect(sweep({})).toEqual({ common: {}, axes: { workers: [1, 2, 3, 4] } })
  })

  test('settings of priority hold for all its points', () => {
    expect(sweep({ policy: 'recorded,priority', partition: '2MB' }).common).toEqual({ priority: { partitionBytes: 2_000_000 } })
    expect(() => sweep({ policy: 'tac', partition: '2MB' })).toThrow('--partition is for --policy priority')
  })

  test.each<[SweepFlags, string]>([
    [{ workers: undefined }, 'sweep needs cluster sizes: --workers 1-64'],
    [{ bandwidth: '1Gbps,10' }, '--bandwidth "10": a unit is needed'],
    [{ bandwidth: '1Gbps,' }, '--bandwidth'],
    [{ latency: '1ms,1000us' }, '--latency "1ms,1000us": 1000us stands there twice'],
    [{ batch: '32,0' }, '--batch "0"'],
    [{ computeSpeed: '1,-2' }, '--compute-speed "-2"'],
    [{ mode: 'async,sometimes' }, '--mode "sometimes"'],
    [{ mode: 'sync:backup=4' }, '--mode'],
    [{ policy: 'tac,tac' }, '--policy "tac,tac": tac stands there twice'],
    [
      { workers: '1-1000', servers: '1-100', latency: '1us,2us,3us,4us,5us,6us,7us,8us,9us,10us,11us' },
      'make 1100000 points together: at most 1000000'
    ],
    [{ tracedBandwidth: '1Gbps' }, '--traced-bandwidth changes nothing alone']
  ])('%j is refused', (flags, message) => {
    expect(() => sweep(flags)).toThrow(message)
  })
})

describe('where it goes', () => {
  test('the ending says the format', () => {
    expect(parseSweepOutput({ out: 'a.csv' })).toEqual({ path: 'a.csv', format: 'csv', force: false, resume: false })
    expect(parseSweepOutput({ out: 'dir/A.JSONL', force: true }).format).toBe('jsonl')
    expect(parseSweepOutput({ out: 'a.parquet', resume: true }).format).toBe('parquet')
    expect(parseSweepOutput({})).toEqual({ path: undefined, format: 'csv', force: false, resume: false })
  })

  test.each<[SweepFlags, string]>([
    [{ out: '' }, '--out ""'],
    [{ out: 'a.xlsx' }, '.csv, .jsonl or .parquet'],
    [{ out: 'csv' }, '.csv, .jsonl or .parquet'],
    [{ resume: true }, '--resume needs the file'],
    [{ out: 'a.csv', resume: true, force: true }, 'exclude each other']
  ])('%j is refused', (flags, message) => {
    expect(() => parseSweepOutput(flags)).toThrow(message)
  })
})

describe('a plan file', () => {
  const read = (text: string) => parsePlanFile('plan.yaml', text)

  test('is the flags it stands for', () => {
    const text = 'workers: 1-64\nbandwidth: [1Gbps, 10Gbps]\ncompute-speed: 2\nmode: [async, "ssp:3"]\ncolocate: true\nseed: 7\n'
    expect(read(text).flags).toEqual({
      workers: '1-64',
      bandwidth: '1Gbps,10Gbps',
      computeSpeed: '2',
      mode: 'async,ssp:3',
      colocate: true,
      seed: '7'
    })
    expect(read('workers: 1\ncolocate: false').flags).toEqual({ workers: '1' })
  })

  test('means the same in whatever order its fields stand', () => {
    const lines = ['workers: [1, 2, 8]', 'bandwidth: [1Gbps, 10Gbps]', 'policy: [recorded, tac]', 'seed: 3', 'latency: 1ms']
    const planOf = (text: string) => parseSweepFlags(read(text).flags as SweepFlags)
    const expected = planOf(lines.join('\n'))
    fc.assert(
      fc.property(fc.shuffledSubarray(lines, { minLength: lines.length }), shuffled => {
        expect(planOf(shuffled.join('\n'))).toEqual(expected)
      })
    )
  })

  test.each([
    ['', 'plan.yaml:1: the file is empty'],
    ['workers: 1\nbandwith: 1Gbps', 'plan.yaml:2: bandwith: is no field of this place'],
    ['workers: 1\nconstructor: 1', 'plan.yaml:2: constructor: is no field of this place'],
    ['workers: 1\n__proto__: 1', 'plan.yaml:2: __proto__: is no field of this place'],
    ['workers: {from: 1}', 'plan.yaml:1: workers: is an object: use a text, a number, or a list'],
    ['workers: []', 'plan.yaml:1: workers: is'],
    ['workers: [1, [2]]', 'plan.yaml:1: workers'],
    ['workers: 1\nseed: [1, 2]', 'plan.yaml:2: seed: is a list of 2: use a text or a number'],
    ['workers: 1\ncolocate: maybe', 'plan.yaml:2: colocate: is "maybe": use true or false'],
    ['- workers', 'plan.yaml:1'],
    ['workers: 1\nworkers: 2', 'plan.yaml:2'],
    ['workers: &a [*a]', 'plan.yaml']
  ])('%j is refused', (text, message) => {
    expect(() => read(text)).toThrow(message)
  })

  test('whatever it says wrongly, the error names the line', () => {
    const plan = read('workers: 1-4\nbandwidth: [1Gbps, 10]\n')
    const parse = (given: SweepFlags) =>
      blamingPlan(plan, given, () => parseSweepFlags({ ...(plan.flags as SweepFlags), ...given }))
    expect(() => parse({})).toThrow('plan.yaml:2: bandwidth: "10": a unit is needed')
    // What the command line says instead is not the plan's fault.
    expect(() => parse({ bandwidth: '20' })).toThrow('--bandwidth "20": a unit is needed')
    expect(parse({ bandwidth: '20Gbps' }).axes.bandwidthBitsPerSecond).toEqual([2e10])
  })

  test('any text gives a plan or an error of one line', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), fc.stringMatching(/^[a-z: ,[\]{}\n0-9-]*$/)), text => {
        try {
          read(text)
        } catch (error) {
          expect((error as Error).name).toBe('CommandLineError')
          expect((error as Error).message).not.toContain('\n')
        }
      })
    )
  })

  test('the published schema has the fields that are read', () => {
    const published = JSON.parse(readFileSync(new URL('../../../docs/sweep.schema.json', import.meta.url), 'utf8'))
    expect(Object.keys(published.properties).sort()).toEqual([...listFields, ...singleFields, 'colocate'].sort())
    const lists = Object.entries<{ $ref?: string }>(published.properties).filter(([, { $ref }]) =>
      /list|rates|times/.test($ref ?? '')
    )
    expect(lists.map(([field]) => field).sort()).toEqual([...listFields].sort())
    const { rate, time, rates, times } = published.$defs
    for (const [{ pattern }, good, bad] of [
      [rate, '1.5 Gbps', '1'],
      [time, '0.1ms', '5 m'],
      [rates.oneOf[0], '1Gbps, 10Gbps', '1Gbps,10'],
      [times.oneOf[0], '0.05ms,1ms', '1ms,2']
    ]) {
      expect(new RegExp(pattern).test(good)).toBe(true)
      expect(new RegExp(pattern).test(bad)).toBe(false)
    }
  })
})
