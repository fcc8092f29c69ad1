import {
  type Comparison,
  type Inspection,
  type Point,
  type Prediction,
  plan,
  readCase,
  type Validation
} from '@foretrain/predictor'
import type { Profile } from '@foretrain/trace-parser'
import { describeFailure, type Failure } from '../src/errors.ts'
import type { Io } from '../src/io/io.ts'
import type { Libraries } from '../src/io/libraries.ts'
import type { Look } from '../src/render/look.ts'

export const plain: Look = { columns: undefined, unicode: true, colour: false }
export const ascii: Look = { ...plain, unicode: false }

/** A point of a cluster whose link saturates at 2 steps/s while a worker alone makes 0.5. */
export function point(workers: number): Point {
  const mean = Math.min(0.5 * workers, 2) * (workers === 4 ? 0.9 : 1)
  const saturated = workers > 4
  return {
    workers,
    servers: 1,
    mode: 'async',
    policy: 'recorded',
    bandwidth: '1Gbps',
    batchSize: 32,
    stepsPerSecond: { mean, ci95: [mean * 0.995, mean * 1.005], band95: [mean * 0.9, mean * 1.1] },
    examplesPerSecond: mean * 32,
    speedup: mean / 0.5,
    efficiency: mean / 0.5 / workers,
    perWorker: Array.from({ length: workers }, () => mean / workers),
    stepMs: { mean: (1000 * workers) / mean, p50: (1000 * workers) / mean, p95: (1100 * workers) / mean },
    bottleneck: saturated
      ? { resource: workers > 8 ? 'server 0 pull and push link' : 'server 0 pull link', elasticity: 0.97 }
      : { resource: 'worker compute', elasticity: 0.62 },
    utilisation: { 'worker compute': 0.6 * (mean / 0.5 / workers), 'server 0 pull link': mean / 2 },
    breakdownMs: { compute: 1200, wire: 700, queue: 0, latency: 1, parse: 50, serverCpu: 20, barrier: 0, overhead: 29 },
    staleness: { mean: workers - 1, p50: workers - 1, p95: workers, histogram: [0, 1] },
    bounds: { compute: 0.5 * workers, pullLink: 2, pushLink: 2.1, serverCpu: 20 },
    baselines: { queueing: mean, equalSharing: mean }
  }
}

export const prediction: Prediction = {
  schema: 'foretrain/prediction@1',
  version: '0.1.0',
  seed: 1,
  profile: {
    traces: ['trace/run_metadata_000.pb.gz', 'trace/run_metadata_001.pb.gz'],
    steps: 2,
    dropped: 1,
    operations: 1234,
    pullBytes: 102_400_000,
    pushBytes: 102_400_000,
    servers: 1
  },
  replay: { recordedMs: 2000, simulatedMs: 1990, meanAbsError: 0.005, worst: 0.012, pinnedShare: 0.04 },
  parameters: {
    goodput: { value: 119_600_000, unit: 'bytes/s', source: 'trace' },
    window: { value: 8_000_000, unit: 'bytes', source: 'flag', note: 'largest tensor 9.4 MB' },
    latency: { value: 100, unit: 'us', source: 'default', note: 'inside one rack' },
    ackFraction: { value: 0.0218, unit: 'share', source: 'default' },
    transport: { value: 'grpc-tf2', unit: '', source: 'trace' }
  },
  points: [1, 2, 4, 8].map(point),
  warnings: [{ code: 'few-steps', message: 'only 2 steps', count: 2, where: 'trace' }]
}

export const inspection: Inspection = {
  schema: 'foretrain/inspection@1',
  files: [
    { path: 'trace/run_metadata_000.pb.gz', format: 'RunMetadata (gzip)', bytes: 81_234, steps: 1 },
    { path: 'trace/evil\u001b[31m\nname.pb', format: 'RunMetadata', bytes: 812_345, steps: 1 }
  ],
  steps: { used: 2, dropped: 0, spanMs: { mean: 2000, min: 1990.5, max: 2009.5 } },
  devices: ['/job:ps/replica:0/task:0/device:CPU:0', '/job:worker/replica:0/task:0/device:CPU:0'],
  operations: { used: 1234, ignored: 56, imputed: 0, withoutDuration: 3 },
  transfers: [
    { direction: 'pull', server: 0, count: 161, bytes: 102_400_000, largest: 9_437_184 },
    { direction: 'push', server: 0, count: 161, bytes: 102_400_000, largest: 9_437_184 }
  ],
  holes: [{ startMs: 10, durationMs: 250.25, before: 'a', after: 'b' }],
  replay: prediction.replay,
  warnings: []
}

/** A policy that gains, one that loses, one that chance does not tell from the reference, and one that sends as another does. */
export const comparison: Comparison = {
  schema: 'foretrain/comparison@1',
  version: '0.1.0',
  seed: 1,
  workers: 8,
  servers: 1,
  replications: 12,
  reference: 'recorded',
  policies: [
    compared('tic', 0.048, 0.007),
    { ...compared('order:a "b",c.csv', 0.048, 0.007), sameOrderAs: 'tic' },
    compared('recorded', 0, 0),
    compared('random', -0.004, 0.006),
    compared('evil\u001b[31m\n', -0.024, 0.01)
  ],
  tuned: { partitionBytes: 1_048_576, creditBytes: 4_194_304 },
  warnings: [{ code: 'policy-not-measured', message: 'policies tic, random are simulated as defined' }]
}

function compared(policy: string, gain: number, halfWidth: number): Comparison['policies'][number] {
  const mean = 0.55 * (1 + gain)
  return {
    policy,
    stepsPerSecond: { mean, ci95: [mean - 0.002, mean + 0.002], band95: [0.95 * mean, 1.05 * mean] },
    gain: { mean: gain, ci95: [gain - halfWidth, gain + halfWidth] },
    told: Math.abs(gain) > halfWidth
  }
}

/** Two cases: one within its measurements, one whose prediction with three workers is 20 % too high. */
export const validation: Validation = {
  schema: 'foretrain/validation@1',
  meanAbsError: 0.11,
  maxAbsError: 0.2,
  maxOutside: 0.15,
  coverage: 0.5,
  singleWorkerMeanAbsError: 0.01,
  baselineMeanAbsErrors: { queueing: 0.3, equalSharing: 0.2 },
  cases: [
    {
      name: 'near',
      meanAbsError: 0.02,
      maxAbsError: 0.02,
      points: [
        {
          workers: 1,
          measured: 0.5,
          measuredCi95: [0.49, 0.51],
          predicted: 0.505,
          ci95: [0.504, 0.506],
          band95: [0.48, 0.53],
          error: 0.01,
          outside: 0,
          baselines: { queueing: 0.505, equalSharing: 0.505 },
          baselineErrors: { queueing: 0.01, equalSharing: 0.01 }
        },
        {
          workers: 2,
          measured: 1,
          measuredCi95: [0.96, 1.04],
          predicted: 0.98,
          ci95: [0.97, 0.99],
          band95: [0.9, 1.06],
          error: -0.02,
          outside: 0,
          baselines: { queueing: 0.8, equalSharing: 0.9 },
          baselineErrors: { queueing: -0.2, equalSharing: -0.1 }
        }
      ]
    },
    {
      name: 'far, "and" odd',
      meanAbsError: 0.2,
      maxAbsError: 0.2,
      points: [
        {
          workers: 3,
          measured: 2,
          measuredCi95: [1.9, 2.1],
          predicted: 2.4,
          ci95: [2.39, 2.41],
          band95: [2.2, 2.6],
          error: 0.2,
          outside: 0.15,
          baselines: { queueing: 1.2, equalSharing: 1.4 },
          baselineErrors: { queueing: -0.4, equalSharing: -0.3 }
        }
      ]
    }
  ]
}

export interface FakeIo extends Io {
  written: { output: string; errors: string }
}

/** A process of which nothing is real. */
export function fakeIo(options: { terminal?: boolean; input?: string; environment?: Io['environment'] } = {}): FakeIo {
  const written = { output: '', errors: '' }
  const channel = (name: 'output' | 'errors') => ({
    isTerminal: options.terminal ?? false,
    columns: options.terminal ? 80 : undefined,
    write: async (text: string | Uint8Array) => {
      written[name] += typeof text === 'string' ? text : new TextDecoder().decode(text)
    }
  })
  async function* bytes() {
    yield new TextEncoder().encode(options.input ?? '')
  }
  return {
    standardInput: { bytes: bytes(), isTerminal: options.input === undefined },
    output: channel('output'),
    errors: channel('errors'),
    environment: options.environment ?? { LANG: 'C.UTF-8' },
    written
  }
}

interface FakeLibraries extends Libraries {
  /** Name and content of what was read. */
  read: Array<[string, string]>
  asked: unknown[]
}

/** Libraries that note what they are given and answer with the fixtures. */
export function fakeLibraries(overrides: Partial<Libraries> = {}): FakeLibraries {
  const profile = { schema: 'foretrain/profile@1' } as Profile
  const fake: FakeLibraries = {
    read: [],
    asked: [],
    readProfile: async files => {
      for (const { name, bytes } of files) {
        const chunks: Uint8Array[] = []
        for await (const chunk of bytes) chunks.push(chunk)
        fake.read.push([name, Buffer.concat(chunks).toString()])
      }
      const all = fake.read.map(([name]) => ({ name, format: 'RunMetadata', bytes: 7, steps: 1 }))
      return { profile, files: all, passedOver: [] }
    },
    serializeProfile: async () => '{"schema":"foretrain/profile@1"}\n',
    redactProfile: async given => ({ ...given, worker: 'redacted' }),
    predict: async (question, hooks) => {
      fake.asked.push(question)
      hooks?.onProgress?.({ done: 1, total: question.workers.length, workers: 8 })
      return prediction
    },
    timeline: async (question, options) => {
      fake.asked.push({ question, options })
      const chunks = async function* () {
        yield '{"traceEvents":[\n'
        yield ']}\n'
      }
      return { estimate: { events: 1234, bytes: 250_000 }, chunks: chunks() }
    },
    compare: async (question, hooks) => {
      fake.asked.push(question)
      hooks?.onProgress?.({ done: 4, total: 32, workers: 8 })
      return comparison
    },
    plan: async (asked, hooks) => {
      fake.asked.push(asked)
      return plan(asked, {
        ...hooks,
        predict: async (question, { onProgress }) => {
          onProgress?.({ done: 1, total: question.workers.length, workers: question.workers[0] })
          return { ...prediction, points: question.workers.map(point) }
        }
      })
    },
    inspectProfile: async (_read, options) => {
      fake.asked.push(options)
      return inspection
    },
    readCase: async (text, file) => readCase(text, file),
    validate: async (cases, options, hooks) => {
      fake.asked.push({ cases: cases.map(one => one.case.name), options })
      hooks?.onProgress?.({ done: 1, total: 3, workers: 8 })
      return validation
    },
    ...overrides
  }
  return fake
}

/** What the command makes of what is thrown; undefined when nothing is. */
export function failureOf(action: () => unknown): Failure | undefined {
  try {
    action()
  } catch (error) {
    return describeFailure(error)
  }
  return undefined
}
