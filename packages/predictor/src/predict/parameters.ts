import { defaults, shareDefaults } from '../defaults.ts'
import { parseMode } from '../mode.ts'
import type { Question } from '../question.ts'
import type { Prediction } from '../schema.ts'
import type { SetUp } from '../setUp.ts'
import { median } from '../statistics/quantile.ts'
import type { Transport } from '../transport.ts'
import { clusterParameters } from './clusterParameters.ts'

type Parameters = Prediction['parameters']

function asked(given: unknown): 'flag' | 'default' {
  return given === undefined ? 'default' : 'flag'
}

/** Every parameter of the model with where it came from. Infinite sizes are written "unlimited". */
export function parametersOf(question: Question, sets: readonly SetUp[]): Parameters {
  // What depends on the servers is that of the traced ones, where they are among those that were asked for.
  const set = sets.find(({ rePlaced }) => !rePlaced) ?? sets[0]
  const { calibration, path, transport } = set
  const bufferUs = question.bufferUs ?? defaults.bufferUs.value
  const parameters: Parameters = {
    transport: { value: transport.name, unit: '', source: (question.transport ?? 'auto') === 'auto' ? 'trace' : 'flag' },
    goodput: goodput(question, set),
    window: window(set),
    laterTurn: { value: size(transport.turns.later), unit: 'B', source: 'default', note: defaults.laterTurnExtraBytes.source },
    parseCost: {
      value: path.parsePerByteUs,
      unit: 'us/B',
      source: calibration.parseSource,
      note:
        calibration.parseSource === 'default'
          ? `${defaults.parsePerByteUs.source}; the trace does not tell it apart from the goodput`
          : undefined
    },
    parseFixed: { value: transport.parse.fixedUs, unit: 'us', source: 'default', note: defaults.parseFixedUs.source },
    parseSlots: { value: transport.parse.slots, unit: 'threads', source: 'default', note: defaults.parseSlots.source },
    latency: {
      value: path.latencyUs,
      unit: 'us',
      source: asked(question.latencyUs ?? question.tracedLatencyUs),
      note: defaults.latencyUs.source
    },
    buffer: { value: bufferUs, unit: 'us', source: asked(question.bufferUs), note: defaults.bufferUs.source },
    queue: {
      value: transport.queueUs,
      unit: 'us',
      source: asked(question.bufferUs),
      note: `delay behind the data of other workers: ${defaults.fullQueueShare.source}`
    },
    burst: {
      value: transport.burstBytes,
      unit: 'B',
      source: asked(question.freeBurstBytes),
      note: 'docs/method.md §4: what a token bucket lets through at once is left out unless asked for'
    },
    flowLimit: {
      value: size(transport.flowBytesPerUs * 1e6),
      unit: 'B/s',
      source: asked(question.flowLimitBitsPerSecond),
      note: 'a connection gets what its links allow; a limit below that is part of the goodput that the trace shows'
    },
    ...(set.colocate && {
      colocate: { value: "server j on worker j's host", unit: '', source: 'flag' },
      loopback: {
        value: defaults.loopbackBytesPerUs.value * 1e6,
        unit: 'B/s',
        source: 'default',
        note: defaults.loopbackBytesPerUs.source
      }
    }),
    ...serverParameters(question, transport),
    ...shareParameters(question, transport, bufferUs),
    ackFraction: { value: transport.ackFraction, unit: 'share', source: 'default', note: defaults.ackFraction.source },
    computeSlots: { value: set.computeSlots, unit: 'operations', source: 'trace' },
    serverCores: { value: set.serverCores, unit: 'cores', source: asked(question.serverCores), note: defaults.serverCores.source },
    stepOverhead: { value: defaults.stepOverheadUs.value, unit: 'us', source: 'default', note: defaults.stepOverheadUs.source },
    inlineBelow: { value: defaults.epsilonUs.value, unit: 'us', source: 'default', note: defaults.epsilonUs.source },
    computeScale: { value: set.computeScale, unit: 'factor', source: asked(question.stepTimeUs ?? question.computeSpeed) }
  }
  Object.assign(parameters, clusterParameters(question, sets))
  if (parseMode(question.mode).kind === 'sync') {
    const { value, unit, source: note } = defaults.accumulateScale
    parameters.accumulateScale = { value, unit, source: 'default', note }
  }
  const [{ priority }] = sets
  if (priority && question.policy === 'priority') {
    const { partitionBytes, creditPartitions, parseFixedUs } = defaults
    parameters.partition = {
      value: priority.partitionBytes,
      unit: 'B',
      source: asked(question.priority?.partitionBytes),
      note: partitionBytes.source
    }
    parameters.credit = {
      value: priority.creditBytes,
      unit: 'B',
      source: asked(question.priority?.creditBytes),
      note: creditPartitions.source
    }
    parameters.handOver = { value: priority.chunkUs, unit: 'us', source: 'default', note: parseFixedUs.source }
  }
  if (question.computeSpeed !== undefined)
    parameters.computeSpeed = { value: question.computeSpeed, unit: 'times as traced', source: 'flag' }
  if (question.straggler) {
    const { probability, factor } = question.straggler
    parameters.straggler = {
      value: `${probability} of the steps take ${factor} times as long to compute`,
      unit: '',
      source: 'flag'
    }
  }
  const slowed = Object.entries(question.computeSlowdown ?? {})
  if (slowed.length > 0) {
    const value = slowed.map(([worker, factor]) => `worker ${worker}: ${factor}`).join(', ')
    parameters.computeSlowdown = { value, unit: 'factor', source: 'flag' }
  }
  for (const parameter of Object.values(parameters))
    if (parameter.source === 'flag' || parameter.note === undefined) delete parameter.note
  return parameters
}

/** What a pull costs its server's cores; pushes cost as much where a flag says so, else what parsing costs. */
function serverParameters(question: Question, { serverCost }: Transport): Parameters {
  return {
    serverMessage: {
      value: serverCost?.pull.fixedUs ?? 0,
      unit: 'us',
      source: asked(question.serverMessageUs),
      note: 'docs/method.md §4: the fixed cost of parsing was measured on both ends of a pull at once, so it contains the server'
    },
    serverPerByte: {
      value: serverCost?.pull.perByteUs ?? 0,
      unit: 'us/B',
      source: asked(question.serverPerByteUs),
      note: 'docs/method.md §4: the goodput that a trace shows is what the server managed to send'
    }
  }
}

function goodput(question: Question, { path, calibration }: SetUp): Parameters[string] {
  const value = size(path.goodputBytesPerUs * 1e6)
  if (question.bandwidthBitsPerSecond !== undefined) return { value, unit: 'B/s', source: 'flag' }
  const note = `recorded transfers end within ${(calibration.medianEndErrorUs / 1000).toFixed(2)} ms of their records in the median`
  return { value, unit: 'B/s', source: calibration.goodputSource === 'trace' ? 'trace' : 'default', note }
}

const outgrownNote =
  'windows grew past the tensors of a direction in the course of the trace, so the cuts of its earlier steps are left out'

function window({ calibration, transport, path, rePlaced }: SetUp): Parameters[string] {
  const outgrown = rePlaced || path.firstTurns === calibration.path.firstTurns ? [] : [outgrownNote]
  const cut = (path.firstTurns ?? []).flatMap(turns => Array.from(turns).filter(bytes => bytes < Number.POSITIVE_INFINITY))
  if (path.firstTurns && cut.length > 0) {
    const perStep = (cut.length / path.firstTurns.length).toFixed(1)
    const notes = [
      'every stream has the first turn that its recorded step shows',
      `${perStep} streams of a step are cut, in the median after this`,
      ...outgrown
    ]
    return { value: median(cut), unit: 'B', source: 'trace', note: notes.join('; ') }
  }
  if (outgrown.length > 0) return { value: size(transport.turns.first), unit: 'B', source: 'trace', note: outgrownNote }
  const value = size(transport.turns.first)
  if (calibration.windowSource === 'flag') return { value, unit: 'B', source: 'flag' }
  if (calibration.windowSource === 'trace') return { value, unit: 'B', source: 'trace' }
  return { value, unit: 'B', source: 'trace', note: `at least the largest tensor, ${calibration.largestTensorBytes} B` }
}

function size(value: number): number | string {
  return value === Number.POSITIVE_INFINITY ? 'unlimited' : value
}

/** The ends of the share tables; their rows stand in the note's source. */
function shareParameters(question: Question, { shares }: Transport, bufferUs: number): Parameters {
  const note = `with a queue of ${bufferUs / 1000} ms, from ${shareDefaults.source}`
  const besideOne = shares?.pull[0]
  const besideMany = shares?.push[shares.push.length - 1]
  return {
    rampBesideOne: {
      value: besideOne?.rampUs ?? 0,
      unit: 'us',
      source: asked(question.rampUs),
      note: `a newcomer's pull beside one other, ${note}`
    },
    ramp: {
      value: besideMany?.rampUs ?? 0,
      unit: 'us',
      source: asked(question.rampUs),
      note: `a newcomer's push beside three or more others, ${note}`
    },
    shareStart: {
      value: besideMany?.startWeight ?? 1,
      unit: 'share',
      source: 'default',
      note: `a newcomer's first share of a push beside three or more others, ${note}`
    },
    shareSpread: { value: besideMany?.spread ?? 0, unit: '1', source: 'default', note: `random factor of a push's share, ${note}` }
  }
}
