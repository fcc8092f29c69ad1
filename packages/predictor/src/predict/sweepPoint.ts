import { type Core, loadCore } from '@foretrain/core-wasm'
import { checkQuestion } from '../checkQuestion.ts'
import { mostWorkers } from '../checks.ts'
import { workersOf } from '../hosts/hosts.ts'
import { lastUsed } from '../lastUsed.ts'
import { numbersOfServers } from '../placement/place.ts'
import { nameOfPolicy } from '../policies/policyOf.ts'
import type { Question } from '../question.ts'
import type { Point } from '../schema.ts'
import { clusterOf, roughCycleUs, type SetUp, setUp, type TraceSetUp, traceSetUp } from '../setUp.ts'
import { Pacer } from '../simulate/pacer.ts'
import type { Scenario } from '../simulate/replicate.ts'
import { bandwidthText } from './bandwidth.ts'
import { quickBottleneck } from './bottleneck.ts'
import { computeSpeedOf } from './groups.ts'
import { type Measured, measure } from './measure.ts'
import { batchesPerSecond } from './point.ts'

/** What all points of a sweep share. */
export type SweepCommon = Omit<Question, 'workers' | keyof SweepVaried>

/** What may differ from point to point; absent = as `predict` has it without. */
export interface SweepVaried
  extends Pick<Question, 'bandwidthBitsPerSecond' | 'latencyUs' | 'computeSpeed' | 'batchSize' | 'mode' | 'policy'> {
  servers?: number
}

/** One point of a sweep. */
export interface SweepPointAsked extends SweepVaried {
  workers: number
}

/** A point as it was asked for, with what it has by default. */
export interface SweepSetting extends Pick<Point, 'workers' | 'servers' | 'mode' | 'policy' | 'bandwidth' | 'batchSize'> {
  latencyUs: number
  computeSpeed: number
}

/** What a sweep keeps of a point. */
export interface SweepPoint extends SweepSetting, Pick<Point, 'examplesPerSecond' | 'speedup' | 'efficiency'> {
  stepsPerSecond: Pick<Point['stepsPerSecond'], 'mean' | 'ci95'>
  bottleneck: string
  stalenessMean: number
}

/** Set-ups that are kept: neighbours in the order of a sweep share them, whatever number of threads takes turns. */
const mostSetUps = 4

interface Shared {
  set: SetUp
  /** The cluster with one worker, which is what speedup is against. */
  alone: Promise<Measured>
  /** The cluster simulated last: what differs in batch size alone is the same simulation. */
  last?: { workers: number; simulated: Promise<Simulated> }
}

interface Simulated {
  measured: Measured
  bottleneck: string
}

/**
 * Points of a sweep, one by one: `predict` without what a row of a sweep has no place for (band, bounds, baselines, breakdown). What it gives
 * of a point is what `predict` gives, bit for bit, but for the bottleneck, which is found with fewer runs. The answer does not depend on
 * which points were asked before.
 */
export class SweepPoints {
  readonly #core: Core
  readonly #common: SweepCommon
  readonly #pacer: Pacer
  readonly #trace: TraceSetUp
  readonly #sets = new Map<string, Shared>()

  private constructor(core: Core, common: SweepCommon, pacer: Pacer) {
    this.#core = core
    this.#common = common
    this.#pacer = pacer
    this.#trace = traceSetUp(core, { ...common, workers: [1] })
  }

  /**
   * Compiles and calibrates the profile, which is the same for all points.
   *
   * @param hooks `module` of `compileCore`, where another thread has compiled it; `signal` aborts
   * @throws QuestionError when `common` cannot be answered whatever the point
   */
  static async open(common: SweepCommon, hooks: { module?: WebAssembly.Module; signal?: AbortSignal } = {}): Promise<SweepPoints> {
    // What is wrong with a number of workers is a matter of its points.
    checkQuestion({ ...common, workers: [common.hosts ? workersOf(common.hosts) : mostWorkers] })
    return new SweepPoints(await loadCore(hooks.module), common, new Pacer(hooks.signal))
  }

  /** @throws QuestionError when the question cannot be answered as asked; the reason of the signal when that is aborted */
  async of(asked: SweepPointAsked): Promise<SweepPoint> {
    const { workers } = asked
    const question = this.#questionOf(asked)
    checkQuestion(question)
    const shared = this.#shared(question)
    const one = await shared.alone
    if (shared.last?.workers !== workers) shared.last = { workers, simulated: this.#simulate(question, shared, workers) }
    const { measured, bottleneck } = await shared.last.simulated
    const { mean, halfWidth, replications } = measured
    const setting = this.settingOf(asked)
    return {
      ...setting,
      stepsPerSecond: { mean, ci95: [Math.max(0, mean - halfWidth), mean + halfWidth] },
      examplesPerSecond: this.#batchesPerSecond(measured) * setting.batchSize,
      speedup: mean / one.mean,
      efficiency: mean / one.mean / workers,
      bottleneck,
      stalenessMean: meanOf(replications.map(({ staleness }) => staleness))
    }
  }

  /** Of a point that need not be one that can be simulated. */
  settingOf(asked: SweepPointAsked): SweepSetting {
    const question = this.#questionOf(asked)
    const { workers } = asked
    return {
      workers,
      servers: numbersOfServers(question)[0],
      mode: question.mode ?? 'async',
      policy: nameOfPolicy(question),
      bandwidth: bandwidthText(question.bandwidthBitsPerSecond),
      batchSize: question.batchSize ?? 1,
      latencyUs: question.latencyUs ?? this.#trace.calibration.path.latencyUs,
      computeSpeed: computeSpeedOf(question, question.hosts ? Math.min(workers, workersOf(question.hosts)) : workers) ?? 1
    }
  }

  #questionOf({ workers, servers, ...varied }: SweepPointAsked): Question {
    return { ...this.#common, ...varied, workers: [workers], ...(servers && { servers: [servers] }) }
  }

  /** Points that differ in nothing but workers and batch size have this in common. */
  #shared(question: Question): Shared {
    const { servers, bandwidthBitsPerSecond, latencyUs, computeSpeed, mode, policy } = question
    const name = nameOfPolicy({ policy })
    const key = JSON.stringify([servers, bandwidthBitsPerSecond, latencyUs, computeSpeed, mode, name])
    return lastUsed(this.#sets, key, mostSetUps, () => this.#newlyShared(question))
  }

  #newlyShared(question: Question): Shared {
    const set = setUp(this.#core, question, this.#trace)
    const alone = this.#measure(question, set, 1)
    // It is awaited by every point; one that nobody awaits any more must not end the process.
    alone.catch(() => {})
    return { set, alone }
  }

  async #simulate(question: Question, { set, alone }: Shared, workers: number): Promise<Simulated> {
    const measured = workers === 1 ? await alone : await this.#measure(question, set, workers)
    return { measured, bottleneck: await quickBottleneck(this.#core, measured, this.#pacer) }
  }

  #measure(question: Question, set: SetUp, workers: number): Promise<Measured> {
    const scenario: Scenario = {
      job: set.job,
      cluster: clusterOf(set, workers),
      demands: set.demands,
      seed: question.seed ?? 1,
      phaseSpanUs: roughCycleUs(set, workers)
    }
    return measure(this.#core, question, scenario, this.#pacer)
  }

  #batchesPerSecond({ mean, replications }: Measured): number {
    const { hosts } = this.#common
    if (hosts === undefined) return mean
    const workers = replications[0].perWorkerPerUs.length
    const perWorker = Array.from({ length: workers }, (_, worker) => meanOf([replications.map(run => run.perWorkerPerUs[worker])]))
    return batchesPerSecond(
      hosts,
      mean,
      perWorker.map(perUs => perUs * 1e6)
    )
  }
}

/** Of all values together. */
function meanOf(lists: ReadonlyArray<readonly number[]>): number {
  let sum = 0
  let count = 0
  for (const values of lists) {
    for (const value of values) sum += value
    count += values.length
  }
  return sum / count
}
