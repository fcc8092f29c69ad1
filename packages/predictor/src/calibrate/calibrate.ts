import type { Core } from '@foretrain/core-wasm'
import type { Profile } from '@foretrain/trace-parser'
import type { CompiledJob } from '../compile/compile.ts'
import { defaults } from '../defaults.ts'
import type { TransportName } from '../question.ts'
import { median } from '../statistics/quantile.ts'
import { type Path, windowCandidates } from '../transport.ts'
import { goldenSection } from './minimise.ts'
import { TransferReplay } from './oneWorker.ts'

/** Steps that the search looks at; what it finds is polished with `polishTemplates`. */
const searchTemplates = 4
const polishTemplates = 10
/** Windows whose goodput is searched after a first look at all of them. */
const finalists = 3
/** A parse cost is believed when it lowers the error by this share against the default. */
const believableImprovement = 0.01

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
  largestTensorBytes: number
  parseSource: 'flag' | 'trace' | 'default'
  /** Mean |simulated − recorded| end of a transfer in the one-worker replay, µs. */
  meanEndErrorUs: number
}

/**
 * Finds what the path did while the trace was taken (method 3.2 B): the goodput, first-turn window and parse cost whose one-worker
 * replay ends the transfers closest to their records. Both directions are taken as equal. Recorded durations of single transfers are
 * not used, because they contain queueing behind others.
 */
export function calibrate(core: Core, profile: Profile, compiled: CompiledJob, options: CalibrationOptions): Calibration {
  const transfers = profile.operations.filter(operation => operation.kind === 'pull' || operation.kind === 'push')
  const largestTensorBytes = transfers.reduce((most, operation) => Math.max(most, operation.bytes), 0)
  const start: Path = {
    goodputBytesPerUs: roughGoodput(profile),
    windowBytes: options.windowBytes ?? Number.POSITIVE_INFINITY,
    parsePerByteUs: options.parsePerByteUs ?? defaults.parsePerByteUs.value,
    latencyUs: defaults.latencyUs.value
  }
  const windowSource = options.windowBytes !== undefined ? 'flag' : 'largest-tensor'
  const given = {
    windowSource,
    largestTensorBytes,
    parseSource: options.parsePerByteUs !== undefined ? 'flag' : 'default'
  } as const
  if (!(start.goodputBytesPerUs < Number.POSITIVE_INFINITY))
    return { path: start, goodputSource: 'none', ...given, meanEndErrorUs: 0 }

  const search = new TransferReplay(core, profile, compiled, options.transport, spread(profile.steps.length, searchTemplates))
  const windows =
    options.windowBytes !== undefined ? [options.windowBytes] : windowCandidates(options.transport, largestTensorBytes)
  const rough = bestWindow(search, start, windows)
  const polish = new TransferReplay(core, profile, compiled, options.transport, spread(profile.steps.length, polishTemplates))
  const withDefault = polishGoodput(polish, rough)
  const fitted = options.parsePerByteUs === undefined ? polishParse(polish, withDefault) : withDefault
  const separable = fitted.value < withDefault.value * (1 - believableImprovement) && polish.queuedPerStep(fitted.path) >= 3
  const best = separable ? fitted : withDefault
  const windowFound = options.windowBytes === undefined && best.path.windowBytes < largestTensorBytes
  return {
    path: best.path,
    goodputSource: 'trace',
    windowSource: windowFound ? 'trace' : given.windowSource,
    largestTensorBytes,
    parseSource: separable ? 'trace' : given.parseSource,
    meanEndErrorUs: best.value
  }
}

interface Fit {
  path: Path
  value: number
}

/** Looks at all windows with a coarse goodput each, then searches the goodput of the best few. */
function bestWindow(replay: TransferReplay, start: Path, windows: readonly number[]): Fit {
  const c = start.goodputBytesPerUs
  const looks = windows.map(windowBytes => searchGoodput(replay, { ...start, windowBytes }, 0.75 * c, 1.5 * c, 7))
  const fits = looks
    .sort((a, b) => a.value - b.value)
    .slice(0, finalists)
    .map(({ path }) => searchGoodput(replay, path, 0.85 * path.goodputBytesPerUs, 1.18 * path.goodputBytesPerUs, 9))
  // A larger window must do better to be taken before a smaller equal one; candidates come in ascending order.
  return fits.reduce((best, fit) => (fit.value < best.value ? fit : best))
}

function polishGoodput(replay: TransferReplay, { path }: Fit): Fit {
  return searchGoodput(replay, path, 0.97 * path.goodputBytesPerUs, 1.03 * path.goodputBytesPerUs, 10)
}

/** Parse cost and goodput together: they trade against each other, so each parse cost gets its own goodput. */
function polishParse(replay: TransferReplay, { path }: Fit): Fit {
  let best: Fit | undefined
  const withParse = (parsePerByteUs: number) => {
    const fit = searchGoodput(replay, { ...path, parsePerByteUs }, 0.97 * path.goodputBytesPerUs, 1.05 * path.goodputBytesPerUs, 9)
    if (!best || fit.value < best.value) best = fit
    return fit.value
  }
  goldenSection(withParse, 0, 8 * defaults.parsePerByteUs.value, 8)
  return best!
}

function searchGoodput(replay: TransferReplay, path: Path, low: number, high: number, evaluations: number): Fit {
  const f = (goodputBytesPerUs: number) => replay.meanEndErrorUs({ ...path, goodputBytesPerUs })
  const { x, value } = goldenSection(f, low, high, evaluations)
  return { path: { ...path, goodputBytesPerUs: x }, value }
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
