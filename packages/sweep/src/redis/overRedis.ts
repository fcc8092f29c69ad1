import type { SweepCommon } from '@foretrain/predictor'
import { Job, Queue, QueueEvents } from 'bullmq'
import type { Redis } from 'ioredis'
import type { Chunk } from '../local/chunks.ts'
import type { Executor } from '../local/executor.ts'
import { inThisThread } from '../local/inThisThread.ts'
import { canonicalJson, type SweepPlan } from '../local/plan.ts'
import { type Row, unpackRows } from '../local/rows.ts'
import { sweepHash } from '../node/identity.ts'
import { SweepError } from '../sweepError.ts'
import type { RedisAddress } from './address.ts'
import { connect } from './connection.ts'
import { Content } from './content.ts'
import { jobOf, queueName } from './job.ts'

/** Chunks that are queued at once: enough for as many threads on other machines. */
const width = 128
/** How often a chunk is tried, by whatever workers. */
const attempts = 3
const retryPauseMs = 500
/** Results that nobody fetches, and those of a sweep that was killed, are kept for so long. */
const keptSeconds = 86_400
/** Events of the queue that are kept: each holds the rows of its chunk. */
const keptEvents = 500
/** Events get lost with a connection; what is under way is looked at as often as this, too. */
const lookMs = 2000
/** A sweep that has lost its Redis for so long ends; `--resume` goes on. */
const lostMs = 60_000
/** Nobody has begun for so long: it is worth a word. */
const idleMs = 5000
const closeMs = 2000

/** What a caller may be told while a sweep is in the hands of others. */
export interface RedisHooks {
  /** Nobody works on the queue. */
  onIdle?: () => void
}

interface Waiting {
  chunk: Chunk
  settle: (result: Result) => void
  reject: (error: unknown) => void
}

/**
 * Has workers on other machines simulate (`workOverRedis`). Chunks are jobs with the same name whoever asks for them, so that a sweep that is
 * resumed finds what was done meanwhile, and a chunk that is simulated twice has the same rows.
 *
 * @throws SweepError when Redis cannot be reached or refuses, or the profile is too large; QuestionError when no point of the plan can be answered
 */
export async function overRedis(
  address: RedisAddress,
  profile: SweepCommon['profile'],
  plan: SweepPlan,
  hooks: RedisHooks = {}
): Promise<Executor> {
  const contents = [await Content.of(canonicalJson(plan), 'plan'), await Content.of(JSON.stringify(profile), 'profile')] as const
  // It says at once what is wrong with all points, and later the settings of those that failed.
  const local = await inThisThread(profile, plan)
  const redis = await connect(address)
  const client = new RedisClient(redis, address, contents, sweepHash(profile, plan), hooks)
  try {
    await client.begin()
  } catch (error) {
    await client.close()
    throw error
  }
  const runSafely = async (chunk: Chunk): Promise<Row[]> => {
    const result = await client.run(chunk)
    if ('rows' in result) return result.rows
    if (chunk.to - chunk.from === 1) return local.failedRows(chunk, result.error)
    const rows: Row[] = []
    for (let from = chunk.from; from < chunk.to; from++) rows.push(...(await runSafely({ from, to: from + 1 })))
    return rows
  }
  return {
    width,
    run: runSafely,
    close: () => client.close()
  }
}

type Result = { rows: Row[] } | { error: string }

class RedisClient {
  readonly #redis: Redis
  readonly #address: RedisAddress
  readonly #contents: readonly [plan: Content, profile: Content]
  readonly #sweep: string
  readonly #hooks: RedisHooks
  readonly #queue: Queue
  readonly #events: QueueEvents
  /** By the name of the job. */
  readonly #waiting = new Map<string, Waiting>()
  #look: NodeJS.Timeout | undefined
  #lost: NodeJS.Timeout | undefined
  #idle: NodeJS.Timeout | undefined
  #ended = false

  constructor(redis: Redis, address: RedisAddress, contents: readonly [Content, Content], sweep: string, hooks: RedisHooks) {
    this.#redis = redis
    this.#address = address
    this.#contents = contents
    this.#sweep = sweep
    this.#hooks = hooks
    const connection = { connection: redis, skipVersionCheck: true }
    this.#queue = new Queue(queueName, { ...connection, streams: { events: { maxLen: keptEvents } } })
    this.#events = new QueueEvents(queueName, connection)
    // The connection is made again by itself; how long that takes is watched below.
    this.#queue.on('error', () => {})
    this.#events.on('error', () => {})
  }

  async begin(): Promise<void> {
    this.#redis.on('close', () => {
      this.#lost ??= setTimeout(
        () => this.#fail(new SweepError(`${this.#address.shown}: was lost a minute ago and has not come back`)),
        lostMs
      )
    })
    this.#redis.on('ready', () => {
      clearTimeout(this.#lost)
      this.#lost = undefined
    })
    await this.#sendContents()
    await this.#events.waitUntilReady()
    this.#events.on('completed', ({ jobId, returnvalue }) => this.#done(jobId, returnvalue))
    this.#events.on('failed', ({ jobId, failedReason }) => this.#failed(jobId, failedReason))
    this.#lookLater()
    this.#idle = setTimeout(async () => {
      const workers = await this.#queue.getWorkersCount().catch(() => 1)
      if (workers === 0 && !this.#ended) this.#hooks.onIdle?.()
    }, idleMs)
  }

  run(chunk: Chunk): Promise<Result> {
    const name = `${this.#sweep}-${chunk.from}-${chunk.to}`
    return new Promise((settle, reject) => {
      this.#waiting.set(name, { chunk, settle, reject })
      this.#add(name, chunk).catch(reject)
    })
  }

  async close(): Promise<void> {
    this.#ended = true
    for (const timer of [this.#look, this.#lost, this.#idle]) clearTimeout(timer)
    const names = [...this.#waiting.keys()]
    this.#waiting.clear()
    // What nobody has begun is not needed any more. A Redis that is gone is not waited for.
    const tidy = async () => {
      await Promise.all(names.map(name => this.#queue.remove(name)))
      await Promise.all([this.#events.close(), this.#queue.close()])
    }
    await Promise.race([tidy().catch(() => {}), new Promise(resolve => setTimeout(resolve, closeMs))])
    await this.#events.disconnect().catch(() => {})
    this.#redis.disconnect()
  }

  async #sendContents(): Promise<void> {
    for (const content of this.#contents) await content.ensure(this.#redis)
  }

  async #add(name: string, chunk: Chunk): Promise<void> {
    const [plan, profile] = this.#contents
    await this.#queue.add('chunk', jobOf(chunk, plan.hash, profile.hash), {
      jobId: name,
      attempts,
      backoff: { type: 'fixed', delay: retryPauseMs },
      removeOnComplete: { age: keptSeconds },
      removeOnFail: { age: keptSeconds }
    })
  }

  #lookLater(): void {
    this.#look = setTimeout(() => {
      this.#lookAtAll()
        // Redis is away: what is under way is looked at when it is back.
        .catch(() => {})
        .finally(() => {
          if (!this.#ended) this.#lookLater()
        })
    }, lookMs)
  }

  /** Finds what events did not tell, and queues again what is lost with a Redis that did not write it down. */
  async #lookAtAll(): Promise<void> {
    await this.#sendContents()
    for (const [name, { chunk }] of [...this.#waiting]) {
      // The state first: a job that is fetched while it runs has no result, though it may have ended by the time that its state is asked for.
      const state = await this.#queue.getJobState(name)
      const job = await Job.fromId(this.#queue, name)
      if (!this.#waiting.has(name)) continue
      if (job === undefined) await this.#add(name, chunk)
      else if (state === 'completed') this.#done(name, job.returnvalue)
      else if (state === 'failed') this.#failed(name, job.failedReason)
    }
  }

  #done(name: string, value: unknown): void {
    const waiting = this.#take(name)
    if (waiting === undefined) return
    const { from, to } = waiting.chunk
    const rows = unpackRows(value)
    if (rows === undefined || rows[0].point !== from || rows.length !== to - from)
      waiting.reject(new SweepError(`${this.#address.shown}: a worker answered with something else than the rows of its points`))
    else waiting.settle({ rows })
  }

  #failed(name: string, reason = ''): void {
    this.#take(name)?.settle({ error: `no worker could simulate it: ${reason.replace(/\s+/g, ' ').slice(0, 500)}` })
  }

  #take(name: string): Waiting | undefined {
    const waiting = this.#waiting.get(name)
    this.#waiting.delete(name)
    clearTimeout(this.#idle)
    if (waiting !== undefined) this.#queue.remove(name).catch(() => {})
    return waiting
  }

  #fail(error: unknown): void {
    for (const { reject } of this.#waiting.values()) reject(error)
  }
}
