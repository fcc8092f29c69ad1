import { QuestionError } from '@foretrain/predictor'
import { describe, expect, test } from 'vitest'
import { CommandLineError } from '../src/errors.ts'
import { parseOutputFlags } from '../src/flags/output.ts'
import { type PredictFlags, parseInspectFlags, parseJobs, parsePredictFlags } from '../src/flags/question.ts'
import { failureOf } from './fixture.ts'

describe('flags of predict', () => {
  test('only what is given is asked', () => {
    expect(parsePredictFlags({ workers: '1-2' })).toEqual({ workers: [1, 2] })
    expect(Object.keys(parsePredictFlags({ workers: '1' }))).toEqual(['workers'])
    expect(Object.keys(parseInspectFlags({}))).toEqual([])
  })

  test('all of them', () => {
    expect(
      parsePredictFlags({
        workers: '4',
        bandwidth: '10Gbps',
        tracedBandwidth: '1Gbps',
        latency: '0.1ms',
        buffer: '5ms',
        burst: '256KiB',
        batch: '32',
        policy: 'recorded',
        mode: 'async',
        transport: 'grpc-tf2',
        window: '8MiB',
        ramp: '2s',
        parseCost: '0.04us/kB',
        serverCores: '4',
        messageCost: '50us',
        byteCost: '1.3us/kB',
        flowLimit: '25Gbps',
        stepTime: '412ms',
        computeSpeed: '1.5',
        precision: '0.5%',
        seed: '7',
        jobs: '2'
      })
    ).toEqual({
      workers: [4],
      bandwidthBitsPerSecond: 1e10,
      tracedBandwidthBitsPerSecond: 1e9,
      latencyUs: 100,
      bufferUs: 5000,
      freeBurstBytes: 262_144,
      batchSize: 32,
      policy: 'recorded',
      mode: 'async',
      transport: 'grpc-tf2',
      windowBytes: 8_388_608,
      rampUs: 2_000_000,
      parsePerByteUs: 0.00004,
      serverCores: 4,
      serverMessageUs: 50,
      serverPerByteUs: 0.0013,
      flowLimitBitsPerSecond: 25e9,
      stepTimeUs: 412_000,
      computeSpeed: 1.5,
      precision: 0.005,
      seed: 7
    })
  })

  test("servers on workers' hosts", () => {
    expect(parsePredictFlags({ workers: '4', colocate: true })).toEqual({ workers: [4], colocate: true })
  })

  test('a traced bandwidth scales a flow limit too; a mode without a bound', () => {
    expect(parsePredictFlags({ workers: '1', flowLimit: '1Gbps', tracedBandwidth: '10Gbps', mode: 'ssp:inf' })).toEqual({
      workers: [1],
      mode: 'ssp:inf',
      flowLimitBitsPerSecond: 1e9,
      tracedBandwidthBitsPerSecond: 1e10
    })
  })

  test.each(['async', 'sync', 'sync:backup=2', 'sync:backup=0', 'ssp:0', 'ssp:3', 'ssp:inf'])('the mode %s', mode => {
    expect(parsePredictFlags({ workers: '3-8', mode })).toEqual({ workers: [3, 4, 5, 6, 7, 8], mode })
  })

  test('stragglers', () => {
    expect(parsePredictFlags({ workers: '1', straggler: 'p=.05, factor=3' })).toEqual({
      workers: [1],
      straggler: { probability: 0.05, factor: 3 }
    })
  })

  test.each<[PredictFlags, unknown]>([
    [
      { replications: '8', steps: '500' },
      { replications: 8, steps: 500 }
    ],
    [{ replications: '8' }, { replications: 8, steps: 200 }],
    [{ steps: '500' }, { replications: 4, steps: 500 }]
  ])('a fixed amount of work: %j', (flags, fixed) => {
    expect(parsePredictFlags({ workers: '1', ...flags })).toEqual({ workers: [1], fixed })
  })

  test.each<[PredictFlags, string]>([
    [{ workers: undefined }, 'predict needs cluster sizes: --workers 8, 1-16 or 1,2,4,8, or --cluster FILE.yaml'],
    [{ policy: 'fast' }, '--policy "fast": accepted: recorded, random, fifo, tic, tac, priority, order:FILE'],
    [{ mode: 'ssp:-1' }, '--mode "ssp:-1": accepted: async, sync, sync:backup=N, ssp:N, ssp:inf, with N a whole number'],
    [
      { mode: 'sync:backup=' },
      '--mode "sync:backup=": accepted: async, sync, sync:backup=N, ssp:N, ssp:inf, with N a whole number'
    ],
    [{ mode: 'ssp:1000001' }, '--mode "ssp:1000001": at most 1000000 steps, or ssp:inf'],
    [
      { workers: '8,2,4', mode: 'sync:backup=2' },
      '--mode "sync:backup=2": leaves nobody of 2 workers: fewer backups, or larger clusters in --workers'
    ],
    [{ straggler: '0.05' }, '--straggler "0.05": write p=0.05,factor=3 for one step in twenty that takes three times as long'],
    [{ straggler: 'p=5,factor=3' }, '--straggler "p=5,factor=3": p must be between 0 and 1'],
    [{ straggler: 'p=0.5,factor=3000000' }, '--straggler "p=0.5,factor=3000000": factor must be between 1 and 1000000'],
    [{ transport: 'tcp' }, '--transport "tcp": accepted: auto, grpc-tf1, grpc-tf2, whole, simple'],
    [{ tracedBandwidth: '1Gbps' }, '--traced-bandwidth changes nothing alone: add --bandwidth or --flow-limit, which it scales'],
    [{ seed: '-1' }, '--seed "-1": must be a whole number between 0 and 4294967295'],
    [{ serverCores: '0' }, '--server-cores "0": must be a whole number between 1 and 4096'],
    [
      { precision: '1%', steps: '10' },
      '--precision and --steps exclude each other: one is a goal, the other a fixed amount of work'
    ]
  ])('refuses %j', (flags, message) => {
    expect(failureOf(() => parsePredictFlags({ workers: '1', ...flags }))).toEqual({ exitCode: 2, text: `foretrain: ${message}` })
  })
})

describe('flags of the output', () => {
  const all = ['table', 'json', 'csv'] as const
  test.each([
    [{}, { format: 'table', path: undefined, force: false }],
    [{ out: 'a.csv' }, { format: 'csv', path: 'a.csv', force: false }],
    [
      { out: 'a.JSON', force: true },
      { format: 'json', path: 'a.JSON', force: true }
    ],
    [
      { out: 'a.json', format: 'csv' },
      { format: 'csv', path: 'a.json', force: false }
    ],
    [{ out: 'a.txt' }, { format: 'table', path: 'a.txt', force: false }],
    [
      { out: '-', format: 'json' },
      { format: 'json', path: undefined, force: false }
    ]
  ])('%j', (flags, options) => {
    expect(parseOutputFlags(flags, all)).toEqual(options)
  })

  test('a command that has no CSV does not take it from the name either', () => {
    expect(() => parseOutputFlags({ out: 'a.csv' }, ['table', 'json'])).toThrow(
      new CommandLineError('--out "a.csv": no CSV here; end it otherwise, or add --format: table, json')
    )
    expect(parseOutputFlags({ out: 'a.csv', format: 'json' }, ['table', 'json']).format).toBe('json')
    expect(() => parseOutputFlags({ format: 'csv' }, ['table', 'json'])).toThrow(
      new QuestionError('--format "csv": accepted: table, json')
    )
    expect(() => parseOutputFlags({ out: '' }, all)).toThrow(CommandLineError)
  })
})

test('jobs are a whole number of threads, or as many as the machine has', () => {
  expect(parseJobs({})).toBeUndefined()
  expect(parseJobs({ jobs: '3' })).toBe(3)
  expect(() => parseJobs({ jobs: '0' })).toThrow(/^--jobs "0": /)
})
