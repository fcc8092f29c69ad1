import { availableParallelism } from 'node:os'
import { oneLine } from '@foretrain/predictor/text'
import { parseRedisUrl } from '@foretrain/sweep'
import { CommandLineError } from '../errors.ts'
import { parseJobs } from '../flags/question.ts'
import { InterruptedError, listenForSignals } from '../io/interrupt.ts'
import type { Io } from '../io/io.ts'
import { ProgressLine } from '../io/progress.ts'
import { count } from '../render/numbers.ts'

/** `foretrain work`: simulates what sweeps queue in Redis, until a signal ends it. */
export async function workCommand(flags: { redis?: string; jobs?: string }, io: Io): Promise<void> {
  if (flags.redis === undefined) throw new CommandLineError('work needs to know where sweeps are queued: --redis redis://host:6379')
  const address = parseRedisUrl(flags.redis)
  const jobs = parseJobs(flags) ?? availableParallelism()
  const [{ workOverRedis }, { parseProfile }] = await Promise.all([
    import('@foretrain/sweep/redis'),
    import('@foretrain/trace-parser')
  ])
  const progress = new ProgressLine(io.errors)
  const say = async (text: string) => {
    await progress.clear()
    await io.errors.write(`foretrain: ${oneLine(text)}\n`).catch(() => {})
  }
  const { signal, release } = listenForSignals()
  let points = 0
  try {
    await workOverRedis(address, {
      jobs,
      signal,
      parseProfile,
      onReady: () => void say(`works on ${address.shown} in ${count(jobs, 'thread')}; Ctrl-C ends it after what is under way`),
      onDone: done => {
        points += done
        progress.show(`${count(points, 'point')} simulated`)
      },
      onFailed: reason => void say(`a job was not carried out: ${reason}`),
      onConnection: isThere => void say(`${address.shown}: ${isThere ? 'is back' : 'was lost; waiting for it'}`)
    })
  } finally {
    await progress.clear()
    release()
  }
  throw new InterruptedError(`interrupted: nothing is left under way; ${count(points, 'point')} simulated`, signal.reason)
}
