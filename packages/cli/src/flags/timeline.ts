import type { Question, TimelineWindow } from '@foretrain/predictor'
import { delay, mostWorkers, parseQuantity, parseWhole, quoted, timelineLength } from '@foretrain/predictor/text'
import { CommandLineError } from '../errors.ts'
import type { ClusterFiles } from './cluster.ts'
import { type PredictFlags, parsePredictFlags } from './question.ts'

/** Flags as they stand on the command line: those of `predict` but for `--window`, which here says what is shown. */
export interface TimelineFlags extends Omit<PredictFlags, 'window' | 'jobs' | 'precision' | 'replications' | 'steps'> {
  window?: string
  streamWindow?: string
  traceWorkers?: string
  out?: string
  force?: boolean
}

/** What is to be shown, of which run, and where to. */
interface TimelineRequest {
  question: Omit<Question, 'profile'>
  window: TimelineWindow | undefined
  tracedWorkers: number[] | undefined
  /** Undefined: standard output. */
  path: string | undefined
  force: boolean
}

const windowForms = 'write 3steps, 3steps@10 (from the step of that number), 2s or 500ms@10s (from that time)'
const mostTraced = 4096

/** Reads the flags of `timeline`. */
export function parseTimelineFlags(flags: TimelineFlags, files: ClusterFiles = {}): TimelineRequest {
  const { window, streamWindow, traceWorkers, out, force, workers, ...rest } = flags
  if (workers === undefined && flags.cluster === undefined)
    throw new CommandLineError('timeline needs the size of the cluster: --workers 4')
  if (out === undefined)
    throw new CommandLineError('timeline needs a file: --out run.json, --out run.json.gz, or --out - for standard output')
  if (out === '') throw new CommandLineError('--out "": write the name of a file')
  if (workers !== undefined) parseWhole('--workers', workers, 1, mostWorkers)
  const question = parsePredictFlags({ ...rest, workers, window: streamWindow }, files, '--stream-window')
  return {
    question,
    window: window === undefined ? undefined : parseWindow(window),
    tracedWorkers: traceWorkers === undefined ? undefined : parseTraced(traceWorkers, question.workers[0]),
    path: out === '-' ? undefined : out,
    force: force ?? false
  }
}

/** Reads "3steps", "3steps@10", "2s", "500ms@10s". */
export function parseWindow(text: string): TimelineWindow {
  const [length, begin, ...more] = text.split('@')
  if (more.length > 0) throw new CommandLineError(`--window ${quoted(text)}: ${windowForms}`)
  const [, count] = /^ *([0-9]+) *steps? *$/.exec(length) ?? []
  if (count !== undefined) {
    const steps = parseWhole('--window', count, 1, 1_000_000)
    return { kind: 'steps', count: steps, ...(begin !== undefined && { from: parseWhole('--window …@', begin, 0, 1_000_000) }) }
  }
  if (!/^ *[0-9.]+ *[a-z\u00b5\u03bc]+ *$/i.test(length)) throw new CommandLineError(`--window ${quoted(text)}: ${windowForms}`)
  const lengthUs = parseQuantity('--window', length, timelineLength)
  return { kind: 'time', lengthUs, ...(begin !== undefined && { fromUs: parseQuantity('--window …@', begin, delay) }) }
}

/** Reads "0,1" or "0-3" into indices of workers. */
function parseTraced(text: string, workers: number): number[] {
  const traced = new Set<number>()
  for (const item of text.split(',')) {
    const [, first, last = first] = /^ *([0-9]+) *(?:- *([0-9]+) *)?$/.exec(item) ?? []
    if (first === undefined || Number(first) > Number(last) || Number(last) >= workers) {
      throw new CommandLineError(
        `--trace-workers ${quoted(text)}: write numbers of workers such as 0,1 or 0-3; the first is 0, the last of this cluster ${workers - 1}`
      )
    }
    for (let worker = Number(first); worker <= Number(last); worker++) {
      traced.add(worker)
      if (traced.size > mostTraced) throw new CommandLineError(`--trace-workers ${quoted(text)}: at most ${mostTraced} workers`)
    }
  }
  return [...traced].sort((a, b) => a - b)
}
