import { resolve } from 'node:path'
import type { Question } from '@foretrain/predictor'
import {
  chunksOf,
  type Executor,
  Grid,
  inThreads,
  type RedisAddress,
  type Row,
  remaining,
  runChunks,
  SweepFile,
  type SweepPlan,
  type SweepSink,
  SweepStream,
  sweepHash
} from '@foretrain/sweep'
import { CommandLineError, describeSystemError, InputError, isSystemError } from '../errors.ts'
import type { SweepOutput } from '../flags/sweep.ts'
import { InterruptedError, listenForSignals } from '../io/interrupt.ts'
import type { Io } from '../io/io.ts'
import { type OutputFile, specialOutput } from '../io/outputFile.ts'
import { ProgressLine } from '../io/progress.ts'
import { describeLeft } from './interrupted.ts'

/** A sweep that is to run. */
export interface Sweep {
  profile: Question['profile']
  plan: SweepPlan
  jobs: number
  /** Points. */
  size: number
  /** Told every row once, in whatever order. */
  note: (rows: readonly Row[]) => void
}

/** Where its rows go: standard output, a pipe or device, or a file with its journal. */
export async function openSink(
  { profile, plan, size, note }: Sweep,
  { format, resume, force }: SweepOutput,
  file: OutputFile | undefined,
  io: Io
): Promise<SweepSink> {
  if (file === undefined) return new SweepStream('csv', text => io.output.write(text))
  if (file.special) {
    if (resume) throw new CommandLineError(`--resume: ${file.name} is no file that could have been interrupted`)
    return new SweepStream('csv', specialOutput(file))
  }
  const sweep = sweepHash(profile, plan)
  return SweepFile.open(pathOf(file), { format, sweep, points: size, resume, force, onResumed: note })
}

/** Where the result and its journal lie: as it was given, or where a symbolic link leads. */
function pathOf({ name, path }: OutputFile): string {
  return resolve(name) === path ? name : path
}

/** Simulates what is not there yet. Whatever ends it, the sink is left in order. */
export async function runSweep(
  sweep: Sweep,
  sink: SweepSink,
  file: OutputFile | undefined,
  progress: ProgressLine,
  redis: RedisAddress | undefined
): Promise<void> {
  const { profile, plan, jobs, size, note } = sweep
  const { signal, release } = listenForSignals()
  const resumed = sink.done.reduce((points, { from, to }) => points + to - from, 0)
  const points = new ProgressLine(progress.errors)
  let done = resumed
  let executor: Executor | undefined
  try {
    executor = await (redis === undefined ? inThreads(profile, plan, jobs) : overQueue(redis, profile, plan, progress))
    await runChunks(
      executor,
      remaining(chunksOf(new Grid(plan.axes), plan, jobs), sink.done),
      async (_, rows) => {
        await sink.write(rows)
        note(rows)
        done += rows.length
        points.showRate(done, size, resumed)
      },
      signal
    )
    await sink.finish()
  } catch (error) {
    const resumable = await sink.suspend().catch(() => false)
    const rest =
      resumable && file !== undefined ? describeLeft({ name: pathOf(file), head: sink.head, done, size }) : 'nothing is left behind'
    if (signal.aborted) throw new InterruptedError(`interrupted: ${rest}`, signal.reason)
    if (!resumable) throw error
    if (isSystemError(error)) throw new InputError(`${describeSystemError(error)}; ${rest}`)
    throw error instanceof Error ? Object.assign(error, { message: `${error.message}; ${rest}` }) : error
  } finally {
    release()
    await points.clear()
    await executor?.close()
  }
}

/** Executes on other machines; says so when there are none. */
async function overQueue(
  address: RedisAddress,
  profile: Question['profile'],
  plan: SweepPlan,
  progress: ProgressLine
): Promise<Executor> {
  const { overRedis } = await import('@foretrain/sweep/redis')
  const message = `nobody works on ${address.shown} yet: run foretrain work --redis URL, on any machine`
  return overRedis(address, profile, plan, {
    onIdle: () => void progress.errors.write(`foretrain: ${message}\n`).catch(() => {})
  })
}
