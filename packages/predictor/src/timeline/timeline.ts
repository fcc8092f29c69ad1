import { loadCore } from '@foretrain/core-wasm'
import type { Profile } from '@foretrain/trace-parser'
import { checkQuestion } from '../checkQuestion.ts'
import { compile } from '../compile/compile.ts'
import { StepOrders } from '../policies/stepOrders.ts'
import { type Question, QuestionError } from '../question.ts'
import { clusterOf, roughCycleUs, setUp } from '../setUp.ts'
import { Pacer } from '../simulate/pacer.ts'
import { version } from '../version.ts'
import { columnsOf, type TimelineColumns } from './columns.ts'
import { estimateSize, type TimelineSize } from './estimate.ts'
import type { Run } from './play.ts'
import { timelineText } from './text.ts'
import { checkWindow, type TimelineWindow } from './window.ts'

/** Which part of a run is drawn. */
export interface TimelineOptions {
  /** Workers to show, by index. Default: all, at most the first eight. */
  tracedWorkers?: number[]
  /** Default: three steps after the warm-up. */
  window?: TimelineWindow
  signal?: AbortSignal
}

/** A trace on its way: what it will be, about, and its text. */
export interface Timeline {
  /** About what will come. */
  estimate: TimelineSize
  /** The file, piece by piece; simulated while it is read. */
  chunks: AsyncGenerator<string>
}

const MOST_TRACED_BY_DEFAULT = 8
const DEFAULT_WINDOW: TimelineWindow = { kind: 'steps', count: 3 }

/**
 * A trace of one simulated run in the Trace Event Format (JSON object form), for https://ui.perfetto.dev and chrome://tracing. The same question
 * gives the same text. Every operation of the profile is simulated on its own, where predictions are made on a contracted graph: step times differ
 * from theirs by at most what contraction drops (`contractionShare`).
 *
 * @param question with one cluster size
 * @throws QuestionError when the question cannot be answered as asked
 */
export async function timeline(question: Question, options: TimelineOptions = {}): Promise<Timeline> {
  const { profile, run, cycleUs } = await runOf(question, options)
  const { job, cluster, seed, traced, window } = run
  const about = {
    schema: 'foretrain/timeline@1',
    version,
    seed,
    workers: cluster.workers.length,
    tracedWorkers: traced,
    servers: cluster.servers.length,
    operations: profile.operations.length,
    window
  }
  return { estimate: estimateSize(profile, job, traced.length, window, cycleUs), chunks: timelineText(profile, run, about) }
}

/** Beyond these, columns take some 100 MB. */
const MOST_SLICES = 2_000_000

/**
 * The same run as `timeline` has it, as columns to draw.
 *
 * @param question with one cluster size
 * @throws QuestionError when the question cannot be answered as asked, or the window has more than `mostSlices` (default 2,000,000)
 */
export async function timelineColumns(
  question: Question,
  { mostSlices = MOST_SLICES, ...options }: TimelineOptions & { mostSlices?: number } = {}
): Promise<TimelineColumns> {
  const { profile, run } = await runOf(question, options)
  return columnsOf(profile, run, mostSlices)
}

/** The run that a question is about, and about how long one of its steps takes. */
async function runOf(question: Question, options: TimelineOptions): Promise<{ profile: Profile; run: Run; cycleUs: number }> {
  checkQuestion(question)
  if (question.workers.length !== 1)
    throw new QuestionError(`a timeline is of one cluster, but ${question.workers.length} sizes are asked for: use one`)
  if ((question.servers?.length ?? 1) !== 1)
    throw new QuestionError(
      `a timeline is of one cluster, but ${question.servers?.length} numbers of servers are asked for: use one`
    )
  const [workers] = question.workers
  const traced = checkTraced(options.tracedWorkers, workers)
  const window = options.window ?? DEFAULT_WINDOW
  checkWindow(window)
  const core = await loadCore()
  const set = setUp(core, question, undefined, question.servers?.[0])
  const { profile } = set
  const pullReleaseShiftUs = set.path.latencyUs - set.calibration.path.latencyUs
  const kept = { contract: false, pullReleaseShiftUs }
  const orders = new StepOrders({ ...question, profile }, { compiled: compile(profile, kept), path: set.path, ...kept })
  const { job, ordered } = orders.of(question)
  const cluster = clusterOf(set, workers)
  const phaseSpanUs = roughCycleUs(set, workers)
  const seed = question.seed ?? 1
  const run = { core, job, stepOf: ordered.stepOf, cluster, seed, phaseSpanUs, traced, window, pacer: new Pacer(options.signal) }
  return { profile, run, cycleUs: phaseSpanUs }
}

function checkTraced(asked: readonly number[] | undefined, workers: number): number[] {
  if (asked === undefined) return Array.from({ length: Math.min(workers, MOST_TRACED_BY_DEFAULT) }, (_, worker) => worker)
  const traced = [...new Set(asked)].sort((a, b) => a - b)
  if (traced.length === 0) throw new QuestionError('traced workers: use at least one')
  const wrong = traced.find(worker => !Number.isInteger(worker) || worker < 0 || worker >= workers)
  if (wrong !== undefined) throw new QuestionError(`traced worker is ${wrong}: use numbers from 0 to ${workers - 1}`)
  return traced
}
