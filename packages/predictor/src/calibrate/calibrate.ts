import type { Core } from '@foretrain/core-wasm'
import type { Profile } from '@foretrain/trace-parser'
import { defaults } from '../defaults.ts'
import type { TransportName } from '../question.ts'
import { median } from '../statistics/quantile.ts'
import { type Path, windowCandidates } from '../transport.ts'
import { goldenSection } from './minimise.ts'
import { type Direction, TransferReplay } from './transferReplay.ts'

/** Steps on which windows are compared, and on which the goodput is settled. */
const searchTemplates = 4
const polishTemplates = 10
/** Multiples of the rough goodput at which the search starts: the rough one is too low where a step does not keep its links busy. */
const goodputFactors = [0.97, 0.985, 1, 1.015, 1.03, 1.06, 1.1, 1.2, 1.4, 1.7, 2.2]
/** A parse cost is believed when it lowers the loss by this share against the default. */
const believableImprovement = 0.02
/** Back-to-back transfers in a step from which on parse cost and goodput can be told apart (method 3.2). */
const fewestQueued = 3

export interface CalibrationOptions {
  transport: TransportName
  /** Values that the caller gave; they are not searched. */
  windowBytes?: number
  parsePerByteUs?: number
}

export interface Calibration {
  path: Path
  goodputSource: 'trace' | 'none'
  /** "flag" and "trace": as it says. "largest-tensor": every tensor went in one turn, so the window is at least that. */
  windowSource: 'flag' | 'trace' | 'largest-tensor'
  /** What fits pushes best. Each direction has connections of its own; the path's window is that of pulls, whose order decides overlap. */
  pushWindowBytes: number
  largestTensorBytes: number
  parseSource: 'flag' | 'trace' | 'default'
  /** Median |simulated − recorded| end of a transfer that starts when it was recorded to, µs. */
  medianEndErrorUs: number
}

/**
 * Finds what the path did while the trace was taken: the goodput, first-turn window and parse cost with which the recorded transfers, started when
 * they were, end closest to their records (method 3.2 B). Both directions are taken as equally fast. Recorded durations of single transfers are
 * not used, because they contain queueing behind others.
 */
export function calibrate(core: Core, profile: Profile, options: CalibrationOptions): Calibration {
  const transfers = profile.operations.filter(operation => operation.kind === 'pull' || operation.kind === 'push')
  const largestTensorBytes = transfers.reduce((most, operation) => Math.max(most, operation.bytes), 0)
  const rough = roughGoodput(profile)
  const start: Path = {
    goodputBytesPerUs: rough,
    windowBytes: options.windowBytes ?? Number.POSITIVE_INFINITY,
    parsePerByteUs: options.parsePerByteUs ?? defaults.parsePerByteUs.value,
    latencyUs: defaults.latencyUs.value
  }
  const windowSource = options.windowBytes !== undefined ? 'flag' : 'largest-tensor'
  const parseSource = options.parsePerByteUs !== undefined ? 'flag' : 'default'
  const unknown = { path: start, windowSource, pushWindowBytes: start.windowBytes, largestTensorBytes, parseSource } as const
  if (rough === Number.POSITIVE_INFINITY) return { ...unknown, goodputSource: 'none', medianEndErrorUs: 0 }

  const steps = profile.steps.length
  const few = new TransferReplay(core, profile, options.transport, spread(steps, searchTemplates))
  const windows =
    options.windowBytes !== undefined ? [options.windowBytes] : windowCandidates(options.transport, largestTensorBytes)
  const found = bestWindows(few, start, windows)
  const many = new TransferReplay(core, profile, options.transport, spread(steps, polishTemplates))
  const withDefault = searchGoodput(many, found, found.path.goodputBytesPerUs, 12)
  const fitted = options.parsePerByteUs === undefined ? searchParse(few, withDefault) : undefined
  const separable = fitted !== undefined && many.queuedPerStep(withDefault.path) >= fewestQueued
  const best = separable ? believable(many, withDefault, fitted) : withDefault
  const { pull, push } = many.errors(best.path)
  return {
    path: best.path,
    goodputSource: 'trace',
    windowSource: windowSource !== 'flag' && best.path.windowBytes < largestTensorBytes ? 'trace' : windowSource,
    pushWindowBytes: best.pushWindowBytes,
    largestTensorBytes,
    parseSource: best === withDefault ? parseSource : 'trace',
    medianEndErrorUs: pull.loss > 0 ? pull.medianUs : push.medianUs
  }
}

interface Fit {
  path: Path
  pushWindowBytes: number
  loss: number
}

/** The window with the least loss in each direction, each window with the goodput that suits it. */
function bestWindows(replay: TransferReplay, start: Path, windows: readonly number[]): Fit {
  const best: Record<Direction, { loss: number; path: Path }> = {
    pull: { loss: Number.POSITIVE_INFINITY, path: start },
    push: { loss: Number.POSITIVE_INFINITY, path: start }
  }
  for (const windowBytes of windows) {
    for (const factor of goodputFactors) {
      const path = { ...start, windowBytes, goodputBytesPerUs: factor * start.goodputBytesPerUs }
      const errors = replay.errors(path)
      for (const direction of ['pull', 'push'] as const) {
        const { loss } = errors[direction]
        if (loss < best[direction].loss) best[direction] = { loss, path }
      }
    }
  }
  const { pull, push } = best
  const fits = [pull, push].map(({ path }) => lossAt(replay, { ...path, windowBytes: pull.path.windowBytes }, push.path.windowBytes))
  return fits.reduce((least, fit) => (fit.loss < least.loss ? fit : least))
}

function lossAt(replay: TransferReplay, path: Path, pushWindowBytes: number): Fit {
  const own = replay.errors(path)
  const other = pushWindowBytes === path.windowBytes ? own : replay.errors({ ...path, windowBytes: pushWindowBytes })
  return { path, pushWindowBytes, loss: own.pull.loss + other.push.loss }
}

/** Golden section around a goodput, as wide as the steps of the first look. */
function searchGoodput(replay: TransferReplay, { path, pushWindowBytes }: Fit, around: number, evaluations: number): Fit {
  let best: Fit | undefined
  const loss = (goodputBytesPerUs: number) => {
    const fit = lossAt(replay, { ...path, goodputBytesPerUs }, pushWindowBytes)
    if (!best || fit.loss < best.loss) best = fit
    return fit.loss
  }
  goldenSection(loss, 0.98 * around, 1.02 * around, evaluations)
  return best!
}

/** Parse cost and goodput trade against each other, so each parse cost gets its own goodput. */
function searchParse(replay: TransferReplay, fit: Fit): Fit {
  let best: Fit | undefined
  const loss = (parsePerByteUs: number) => {
    const path = { ...fit.path, parsePerByteUs }
    const found = searchGoodput(replay, { ...fit, path }, fit.path.goodputBytesPerUs, 7)
    if (!best || found.loss < best.loss) best = found
    return found.loss
  }
  goldenSection(loss, 0, 8 * defaults.parsePerByteUs.value, 8)
  return best!
}

/** The fitted parse cost if it pays on more steps than those on which it was found. */
function believable(replay: TransferReplay, withDefault: Fit, fitted: Fit): Fit {
  const polished = searchGoodput(replay, fitted, fitted.path.goodputBytesPerUs, 10)
  return polished.loss < withDefault.loss * (1 - believableImprovement) ? polished : withDefault
}

/**
 * Bytes of all pulls over the time they took together, median over steps. All pulls are asked for at the start of a step, so they keep
 * the link busy until the last has come. Without pulls: pushes alike, which is too low where compute holds them up; Infinity without any.
 */
function roughGoodput(profile: Profile): number {
  for (const kind of ['pull', 'push']) {
    const ids = profile.operations.flatMap((operation, id) => (operation.kind === kind && operation.bytes > 0 ? [id] : []))
    if (ids.length === 0) continue
    const rates = profile.steps.map(step => {
      let bytes = 0
      let firstUs = Number.POSITIVE_INFINITY
      let lastUs = 0
      for (const id of ids) {
        bytes += profile.operations[id].bytes
        firstUs = Math.min(firstUs, step.startUs[id])
        lastUs = Math.max(lastUs, step.endUs[id])
      }
      return bytes / Math.max(1, lastUs - firstUs)
    })
    return median(rates)
  }
  return Number.POSITIVE_INFINITY
}

/** `count` indices spread evenly over 0 … length − 1. */
function spread(length: number, count: number): number[] {
  const n = Math.min(length, count)
  return Array.from({ length: n }, (_, i) => Math.floor(((i + 0.5) * length) / n))
}
