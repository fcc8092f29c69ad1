import type { Core } from '@foretrain/core-wasm'
import type { Profile } from '@foretrain/trace-parser'
import type { CompiledJob } from '../compile/compile.ts'
import { defaults } from '../defaults.ts'
import type { TransportName } from '../question.ts'
import { firstTurnCandidates, type Path, windowCandidates } from '../transport.ts'
import { measureGoodput } from './goodput.ts'
import { goldenSection } from './minimise.ts'
import { type Fit, Misfit } from './misfit.ts'
import { roughGoodput } from './roughGoodput.ts'
import type { Direction } from './transferReplay.ts'
import { recordedTurns } from './turns.ts'

/** Steps on which windows are compared, and on which the rest is settled. */
const searchTemplates = 4
const polishTemplates = 10
/** Multiples of the rough goodput at which the search starts: the rough one is too low where a step does not keep its links busy. */
const goodputFactors = [0.97, 0.985, 1, 1.015, 1.03, 1.06, 1.1, 1.2, 1.4, 1.7, 2.2]
/** A finer explanation (first turns of each stream, a parse cost) is believed when it lowers the misfit by this share. */
const believableImprovement = 0.02
/** Back-to-back transfers in a step from which on parse cost and goodput can be told apart (docs/method.md §3). */
const fewestQueued = 3

/** What the caller knows of the path; the rest is calibrated. Times µs, sizes bytes. */
export interface CalibrationOptions {
  transport: TransportName
  /** Values that the caller gave; they are not searched. */
  windowBytes?: number
  parsePerByteUs?: number
  /** One way, of the traced path. */
  latencyUs?: number
}

/** What was found of the path of the traces, and from what. */
export interface Calibration {
  path: Path
  goodputSource: 'trace' | 'none'
  /**
   * "flag", "trace": one window, from there. "recorded": each stream has the first turn that its step shows. "largest-tensor": every
   * tensor went in one turn, so the window is at least that.
   */
  windowSource: 'flag' | 'trace' | 'recorded' | 'largest-tensor'
  /** The known window that fits pushes best. Each direction has its own connections; the path's is that of pulls, whose order decides overlap. */
  pushWindowBytes: number
  largestTensorBytes: number
  parseSource: 'flag' | 'trace' | 'default'
  /** Median |simulated − recorded| end of a transfer that starts when it was recorded to, µs. */
  medianEndErrorUs: number
}

/**
 * Finds what the path did while the trace was taken: the goodput, first turn and parse cost with which the recorded transfers, started when they
 * were, and the replayed steps end closest to their records (docs/method.md §3). Both directions are taken as equally fast. Recorded durations of
 * single transfers are not used, because they contain queueing behind others.
 *
 * @param compiled of the same profile
 */
export function calibrate(core: Core, profile: Profile, compiled: CompiledJob, options: CalibrationOptions): Calibration {
  const { transport } = options
  const largestTensorBytes = largestTransfer(profile)
  const parsePerByteUs = options.parsePerByteUs ?? defaults.parsePerByteUs.value
  const latencyUs = options.latencyUs ?? defaults.latencyUs.value
  const parseFixedUs = transport === 'simple' ? 0 : defaults.parseFixedUs.value
  // Both searches for a parse cost try the same ones.
  const goodputs = new Map<number, number | undefined>()
  const measure = (perByteUs: number) => {
    if (!goodputs.has(perByteUs))
      goodputs.set(perByteUs, measureGoodput(profile, { latencyUs, parsePerByteUs: perByteUs, parseFixedUs }))
    return goodputs.get(perByteUs)
  }
  const measured = measure(parsePerByteUs)
  const rough = measured ?? roughGoodput(profile)
  // Measured between back-to-back transfers it is exact to a few tenths of a percent, and a search would only lend it the errors of the rest.
  const searched = measured === undefined
  const start: Path = {
    goodputBytesPerUs: rough,
    windowBytes: options.windowBytes ?? Number.POSITIVE_INFINITY,
    parsePerByteUs,
    latencyUs
  }
  const windowSource = options.windowBytes !== undefined ? 'flag' : 'largest-tensor'
  const parseSource = options.parsePerByteUs !== undefined ? 'flag' : 'default'
  const unknown = { path: start, windowSource, pushWindowBytes: start.windowBytes, largestTensorBytes, parseSource } as const
  if (rough === Number.POSITIVE_INFINITY) return { ...unknown, goodputSource: 'none', medianEndErrorUs: 0 }

  const steps = profile.steps.length
  const few = new Misfit(core, profile, compiled, transport, spread(steps, searchTemplates))
  const many = new Misfit(core, profile, compiled, transport, spread(steps, polishTemplates))
  const windowGiven = options.windowBytes !== undefined || transport === 'whole'
  const windows = windowGiven ? [start.windowBytes] : windowCandidates(transport, largestTensorBytes)
  const turns = windowGiven ? windows : firstTurnCandidates(windows, largestTensorBytes)
  const withWindow = searchGoodput(many, bestWindows(few, start, windows, searched), searched)
  const withParse = (fit: Fit): Fit => {
    const separable = parseSource === 'default' && many.transfers.queuedPerStep(fit.path) >= fewestQueued
    return separable ? better(fit, searchGoodput(many, searchParse(few, fit, measure), searched)) : fit
  }
  const withOneTurn = searchGoodput(many, bestFirstTurn(many, withWindow, turns), searched)
  const oneTurn = withParse(withOneTurn)
  const best =
    windowGiven || transport === 'simple'
      ? oneTurn
      : better(oneTurn, withParse(withRecordedTurns(many, profile, withOneTurn, searched)))
  const { pull, push } = many.transfers.errors(best.path)
  return {
    path: best.path,
    goodputSource: 'trace',
    windowSource: windowGiven ? windowSource : foundWindow(best.path, largestTensorBytes),
    pushWindowBytes: best.pushWindowBytes,
    largestTensorBytes,
    parseSource: best.path.parsePerByteUs === start.parsePerByteUs ? parseSource : 'trace',
    medianEndErrorUs: pull.loss > 0 ? pull.medianUs : push.medianUs
  }
}

/** First turns read off each step, which needs the goodput, and then the goodput that suits them. */
function withRecordedTurns(many: Misfit, profile: Profile, fit: Fit, searched: boolean): Fit {
  const firstTurns = profile.steps.map(step => recordedTurns(profile, step, fit.path.goodputBytesPerUs))
  const cut = firstTurns.some(turns => turns.some(bytes => bytes < Number.POSITIVE_INFINITY))
  // Where no stream of any step is cut, one window without end says the same, and is reported as such.
  const path = cut ? { ...fit.path, firstTurns } : { ...fit.path, windowBytes: Number.POSITIVE_INFINITY }
  return searchGoodput(many, { ...fit, path }, searched)
}

function better(plain: Fit, finer: Fit): Fit {
  return finer.misfit < plain.misfit * (1 - believableImprovement) ? finer : plain
}

function foundWindow({ firstTurns, windowBytes }: Path, largestTensorBytes: number): Calibration['windowSource'] {
  if (firstTurns) return 'recorded'
  return windowBytes < largestTensorBytes ? 'trace' : 'largest-tensor'
}

/** The known window with the least loss of transfers in each direction, each with the goodput that suits it. */
function bestWindows(few: Misfit, start: Path, windows: readonly number[], searched: boolean): Fit {
  const best: Record<Direction, { loss: number; path: Path }> = {
    pull: { loss: Number.POSITIVE_INFINITY, path: start },
    push: { loss: Number.POSITIVE_INFINITY, path: start }
  }
  for (const windowBytes of windows) {
    for (const factor of searched ? goodputFactors : [1]) {
      const path = { ...start, windowBytes, goodputBytesPerUs: factor * start.goodputBytesPerUs }
      const errors = few.transfers.errors(path)
      for (const direction of ['pull', 'push'] as const) {
        const { loss } = errors[direction]
        if (loss < best[direction].loss) best[direction] = { loss, path }
      }
    }
  }
  const { windowBytes } = best.pull.path
  const fits = [best.pull, best.push].map(({ path }) => few.of({ ...path, windowBytes }, best.push.path.windowBytes))
  return least(fits)
}

function bestFirstTurn(many: Misfit, { path, pushWindowBytes }: Fit, turns: readonly number[]): Fit {
  return least(turns.map(windowBytes => many.of({ ...path, windowBytes }, pushWindowBytes)))
}

/** Golden section around the goodput of a fit, a little wider than the steps of the first look; the fit itself where nothing is searched. */
function searchGoodput(on: Misfit, { path, pushWindowBytes }: Fit, searched: boolean): Fit {
  if (!searched) return on.of(path, pushWindowBytes)
  const fits: Fit[] = []
  const misfit = (goodputBytesPerUs: number) => {
    const fit = on.of({ ...path, goodputBytesPerUs }, pushWindowBytes)
    fits.push(fit)
    return fit.misfit
  }
  goldenSection(misfit, 0.98 * path.goodputBytesPerUs, 1.02 * path.goodputBytesPerUs, 8)
  return least(fits)
}

/** Parse cost and goodput trade against each other, so each parse cost gets its own goodput. */
function searchParse(few: Misfit, fit: Fit, measure: (parsePerByteUs: number) => number | undefined): Fit {
  const fits: Fit[] = []
  const misfit = (parsePerByteUs: number) => {
    const measured = measure(parsePerByteUs)
    const goodputBytesPerUs = measured ?? fit.path.goodputBytesPerUs
    const found = searchGoodput(few, { ...fit, path: { ...fit.path, parsePerByteUs, goodputBytesPerUs } }, measured === undefined)
    fits.push(found)
    return found.misfit
  }
  goldenSection(misfit, 0, 8 * defaults.parsePerByteUs.value, 8)
  return least(fits)
}

/** The first of those that fit best. */
function least(fits: readonly Fit[]): Fit {
  return fits.reduce((best, fit) => (fit.misfit < best.misfit ? fit : best))
}

function largestTransfer(profile: Profile): number {
  return profile.operations.reduce((most, { bytes }) => Math.max(most, bytes), 0)
}

/** `count` indices spread evenly over 0 … length − 1. */
function spread(length: number, count: number): number[] {
  const n = Math.min(length, count)
  return Array.from({ length: n }, (_, i) => Math.floor(((i + 0.5) * length) / n))
}
