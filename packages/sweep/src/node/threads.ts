import { compileCore, type SweepCommon } from '@foretrain/predictor'
import { Piscina } from 'piscina'
import type { Chunk } from '../local/chunks.ts'
import type { Executor } from '../local/executor.ts'
import type { SweepPlan } from '../local/plan.ts'
import type { Row } from '../local/rows.ts'
import type { Reply, Task, ThreadData } from './thread.ts'

/** Chunks for each thread: the one it works on, and one that waits for it. */
const chunksPerThread = 2

/**
 * Simulates in worker threads. Each gets the profile and the compiled module once, and makes the set-ups it needs for itself; rows do not depend on their
 * number.
 *
 * @param jobs threads
 * @returns whose chunks reject with what their thread threw: named QuestionError when no point of the plan can be answered
 */
export async function inThreads(profile: SweepCommon['profile'], plan: SweepPlan, jobs: number): Promise<Executor> {
  const data: ThreadData = { profile, plan, module: await compileCore() }
  const pool = new Piscina<Task, Reply>({
    filename: new URL('./thread.js', import.meta.url).href,
    minThreads: jobs,
    maxThreads: jobs,
    workerData: data,
    // A thread that waits for its next task by spinning would take the processor from those that simulate.
    atomics: 'disabled'
  })
  let closing = false
  let failure: unknown
  pool.on('error', error => {
    // A reply that was under way when its thread was ended belongs to no task any more, and the pool calls that an error.
    if (closing) return
    // A thread has failed that had no task: those of the others are told of it.
    failure ??= error
    void pool.destroy()
  })
  return {
    width: chunksPerThread * jobs,
    run: async chunk => {
      try {
        return await runSafely(pool, chunk)
      } catch (error) {
        throw failure ?? error
      }
    },
    close: () => {
      closing = true
      return pool.destroy()
    }
  }
}

/** A point that takes its thread with it (out of memory) is found by running those of its chunk one by one, and gets a row that says so. */
async function runSafely(pool: Piscina<Task, Reply>, chunk: Chunk): Promise<Row[]> {
  try {
    return await run(pool, chunk)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error
    if (chunk.to - chunk.from === 1) return run(pool, { ...chunk, failure: 'not enough memory for this simulation' })
  }
  const rows: Row[] = []
  for (let from = chunk.from; from < chunk.to; from++) rows.push(...(await runSafely(pool, { from, to: from + 1 })))
  return rows
}

async function run(pool: Piscina<Task, Reply>, task: Task): Promise<Row[]> {
  const reply = await pool.run(task)
  if ('rows' in reply) return reply.rows
  throw Object.assign(new Error(reply.error.message), reply.error)
}
