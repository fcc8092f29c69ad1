import type { SweepCommon } from '@foretrain/predictor'
import { UnrecoverableError, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import type { Chunk } from '../local/chunks.ts'
import type { Executor } from '../local/executor.ts'
import { Grid } from '../local/plan.ts'
import { packRows, type Row } from '../local/rows.ts'
import { inThreads } from '../node/threads.ts'
import type { RedisAddress } from './address.ts'
import { connect } from './connection.ts'
import { fetchContent } from './content.ts'
import { parseJob, queueName } from './job.ts'
import { LastUsed } from './lastUsed.ts'
import { parsePlan } from './planSchema.ts'

/** A worker that has not said for so long that it is at work has lost its job to another one. It says so twice as often. */
const lockMs = 15_000
const stalledLookMs = 5000
/** A job whose workers vanish so often more is given up. */
const mostStalls = 2
/** Sweeps whose threads are kept, and profiles. */
const mostSweeps = 2
const mostProfiles = 4

type Profile = SweepCommon['profile']

/** How to work for sweeps of others, and what a caller is told of it. */
export interface WorkOptions {
  /** Threads. */
  jobs: number
  /** Reads and checks a saved profile; throws what is wrong with it. */
  parseProfile: (text: string, name: string) => Profile
  signal: AbortSignal
  /** It is connected and waits for jobs. */
  onReady?: () => void
  /** A chunk of points is finished. */
  onDone?: (points: number) => void
  /** A job was not carried out. */
  onFailed?: (reason: string) => void
  /** Redis went away or came back. */
  onConnection?: (isThere: boolean) => void
}

interface OpenSweep {
  executor: Executor
  /** Points. */
  size: number
  /** Chunks under way. */
  running: number
  /** Others were used later: its threads end with its last chunk. */
  isDropped: boolean
}

/**
 * Simulates chunks of queued sweeps until the signal is aborted; what is under way then is finished first.
 *
 * @throws SweepError when Redis cannot be reached or refuses at the start
 */
export async function workOverRedis(address: RedisAddress, options: WorkOptions): Promise<void> {
  const redis = await connect(address)
  const { jobs, signal } = options
  const sweeps = new Sweeps(redis, options)
  const worker = new Worker(queueName, async job => carryOut(job.data, sweeps), {
    connection: redis,
    skipVersionCheck: true,
    concurrency: jobs,
    lockDuration: lockMs,
    stalledInterval: stalledLookMs,
    maxStalledCount: mostStalls
  })
  // Connections are made again by themselves.
  worker.on('error', () => {})
  redis.on('close', () => options.onConnection?.(false))
  redis.on('ready', () => options.onConnection?.(true))
  worker.on('completed', (_, rows: unknown[]) => options.onDone?.(rows.length))
  worker.on('failed', (_, error) => options.onFailed?.(error.message))
  try {
    await worker.waitUntilReady()
    options.onReady?.()
    await new Promise<void>(resolve => {
      if (signal.aborted) resolve()
      else signal.addEventListener('abort', () => resolve(), { once: true })
    })
    await worker.close()
  } finally {
    await sweeps.close()
    redis.disconnect()
  }
}

async function carryOut(data: unknown, sweeps: Sweeps): Promise<unknown[]> {
  const { from, to, plan, profile } = orGivenUp(() => parseJob(data))
  return packRows(await sweeps.run(plan, profile, { from, to }))
}

/** What is wrong with a job itself is so whoever tries it again. */
function orGivenUp<Value>(action: () => Value): Value {
  try {
    return action()
  } catch (error) {
    throw new UnrecoverableError((error as Error).message)
  }
}

/** The sweeps that a worker knows, with threads for each. */
class Sweeps {
  readonly #redis: Redis
  readonly #options: WorkOptions
  readonly #profiles = new LastUsed<Promise<Profile>>(mostProfiles)
  readonly #sweeps = new LastUsed<Promise<OpenSweep>>(mostSweeps, opening => {
    opening
      .then(sweep => {
        sweep.isDropped = true
        return closeUnused(sweep)
      })
      .catch(() => {})
  })

  constructor(redis: Redis, options: WorkOptions) {
    this.#redis = redis
    this.#options = options
  }

  async run(plan: string, profile: string, chunk: Chunk): Promise<Row[]> {
    const sweep = await this.#sweeps.of(`${plan} ${profile}`, () => this.#open(plan, profile))
    if (chunk.to > sweep.size) throw new UnrecoverableError(`the plan has ${sweep.size} points, not ${chunk.to}`)
    sweep.running += 1
    try {
      return await sweep.executor.run(chunk)
    } finally {
      sweep.running -= 1
      await closeUnused(sweep)
    }
  }

  async close(): Promise<void> {
    this.#sweeps.clear()
  }

  async #open(planHash: string, profile: string): Promise<OpenSweep> {
    const text = await fetchContent(this.#redis, planHash, 'plan')
    const plan = orGivenUp(() => parsePlan(text))
    const executor = await inThreads(await this.#profile(profile), plan, this.#options.jobs)
    return { executor, size: new Grid(plan.axes).size, running: 0, isDropped: false }
  }

  #profile(hash: string): Promise<Profile> {
    return this.#profiles.of(hash, async () => {
      const text = await fetchContent(this.#redis, hash, 'profile')
      return this.#options.parseProfile(text, `profile ${hash.slice(0, 8)}`)
    })
  }
}

async function closeUnused({ executor, running, isDropped }: OpenSweep): Promise<void> {
  if (isDropped && running === 0) await executor.close()
}
