import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
// The built package: threads run its files.
import { overRedis, workOverRedis } from '@foretrain/sweep/redis'
import { Job, Queue } from 'bullmq'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Chunk,
  canonicalJson,
  chunksOf,
  type Executor,
  Grid,
  inThisThread,
  parseRedisUrl,
  type Row,
  runChunks,
  type SweepPlan
} from '../src/index.ts'
import { sha256 } from '../src/node/identity.ts'
import { jobOf, queueName } from '../src/redis/job.ts'
import { parsePlan } from '../src/redis/planSchema.ts'
import { smallProfile } from './support/profile.ts'
import { findRedisServer, RedisServer } from './support/redisServer.ts'

const profile = smallProfile()
const plan: SweepPlan = {
  common: { tracedBandwidthBitsPerSecond: 1e9, fixed: { replications: 1, steps: 3 } },
  axes: { workers: [1, 2, 3], bandwidthBitsPerSecond: [1e8, 1e9], mode: ['async', 'sync:backup=1'] }
}

async function rowsFrom(executor: Executor): Promise<Row[]> {
  const rows: Row[] = []
  try {
    await runChunks(executor, chunksOf(new Grid(plan.axes), plan, 1), (_, more) => void rows.push(...more))
  } finally {
    await executor.close()
  }
  return rows.sort((a, b) => a.point - b.point)
}

/** What a job comes to. Events would tell sooner, but those from before the first listening are lost. */
async function resultOf(queue: Queue, { id = '' }: Job): Promise<unknown> {
  for (let tries = 0; tries < 1000; tries++) {
    const state = await queue.getJobState(id)
    const job = await Job.fromId(queue, id)
    if (state === 'completed') return job?.returnvalue
    if (state === 'failed') throw new Error(job?.failedReason)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  throw new Error(`job ${id} does not end`)
}

describe.skipIf(!findRedisServer())('over Redis', () => {
  let folder = ''
  let server: RedisServer
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'foretrain-redis-'))
    server = await RedisServer.start(folder)
  })
  afterAll(async () => {
    await server?.stop()
    rmSync(folder, { recursive: true })
  })

  /** Works in this process while something is done. */
  async function whileWorking<Value>(
    action: () => Promise<Value>,
    parseProfile: (text: string) => typeof profile = text => JSON.parse(text)
  ): Promise<Value> {
    const controller = new AbortController()
    const working = workOverRedis(parseRedisUrl(server.url), { jobs: 1, parseProfile, signal: controller.signal })
    try {
      return await action()
    } finally {
      controller.abort()
      await working
    }
  }

  test('the rows of this thread, failed points too, and the profile is fetched once', async () => {
    const expected = await rowsFrom(await inThisThread(profile, plan))
    let parsed = 0
    const rows = await whileWorking(
      async () => rowsFrom(await overRedis(parseRedisUrl(server.url), profile, plan)),
      text => {
        parsed += 1
        return JSON.parse(text)
      }
    )
    expect(rows).toEqual(expected)
    expect(rows.filter(({ error }) => error !== '')).toHaveLength(2)
    expect(parsed).toBe(1)
  })

  test('what fails three times has its error in its rows, and the sweep goes on', async () => {
    let tries = 0
    const executor = await overRedis(parseRedisUrl(server.url), profile, plan)
    const rows = await whileWorking(
      async () => {
        const [chunk] = [{ from: 0, to: 2 }] satisfies Chunk[]
        const result = await executor.run(chunk)
        await executor.close()
        return result
      },
      () => {
        tries += 1
        throw new Error('no\nluck')
      }
    )
    expect(rows.map(({ point, workers, error }) => [point, workers, error])).toEqual([
      [0, 1, 'no worker could simulate it: no luck'],
      [1, 2, 'no worker could simulate it: no luck']
    ])
    // Three times together, and three times each.
    expect(tries).toBe(9)
  })

  test('what was queued and not begun is taken back', async () => {
    const executor = await overRedis(parseRedisUrl(server.url), profile, plan)
    const running = executor.run({ from: 0, to: 3 })
    running.catch(() => {})
    const redis = new Redis(server.url, { maxRetriesPerRequest: null })
    const queue = new Queue(queueName, { connection: redis })
    while ((await queue.getWaitingCount()) === 0) await new Promise(resolve => setTimeout(resolve, 10))
    await executor.close()
    expect(await queue.getWaitingCount()).toBe(0)
    await queue.close()
    redis.disconnect()
  })

  test('hostile jobs are refused, and the next honest one is done', async () => {
    const redis = new Redis(server.url, { maxRetriesPerRequest: null })
    const put = async (text: string, name = sha256(text), packed: Buffer = gzipSync(text)) => {
      await redis.set(`foretrain:content:${name}`, packed)
      return name
    }
    const honestPlan = await put(canonicalJson(plan))
    const honestProfile = await put(JSON.stringify(profile))
    const chunk = { from: 0, to: 1 }
    const honest = jobOf(chunk, honestPlan, honestProfile)
    const bomb = gzipSync(Buffer.alloc(257 * 2 ** 20))
    await redis.setrange(`foretrain:content:${'e'.repeat(64)}`, 64 * 2 ** 20, 'x')
    const job = (changes: object) => ({ ...honest, ...changes })
    const hostile: Array<[unknown, RegExp]> = [
      [null, /is no job of foretrain\/sweep-job@1/],
      ['rm -rf /', /is no job/],
      [job({ schema: 'foretrain/sweep-job@2' }), /schema/],
      [job({ version: '9.9.9' }), /version/],
      [job({ plan: '../../../etc/passwd' }), /plan/],
      [job({ from: 5, to: 5 }), /from is not before to/],
      [job({ from: -1 }), /from/],
      [job({ to: 1e300 }), /to/],
      [job({ to: 5000 }), /the plan has 12 points, not 5000/],
      [job({ code: 'process.exit()' }), /code/],
      [JSON.parse(JSON.stringify(honest).replace('{', '{"__proto__":{"isAdmin":true},')), /__proto__/],
      [job({ plan: 'a'.repeat(64) }), /the plan a+ is not there any more/],
      [job({ plan: 'e'.repeat(64) }), /is too large: 67108865 bytes/],
      [job({ plan: await put('{}', 'b'.repeat(64)) }), /is not what its hash says/],
      [job({ plan: await put('', 'c'.repeat(64), bomb) }), /cannot be unpacked/],
      [job({ plan: await put('', 'd'.repeat(64), Buffer.from('no gzip')) }), /cannot be unpacked/],
      [job({ plan: await put('no JSON') }), /the plan is no JSON/],
      [job({ plan: await put(canonicalJson({ ...plan, exec: 'ls' })) }), /the plan is wrong: exec/],
      [job({ plan: await put(canonicalJson({ ...plan, axes: { workers: ['1'] } })) }), /the plan is wrong: axes.workers.0/]
    ]
    const queue = new Queue(queueName, { connection: redis })
    await whileWorking(async () => {
      for (const [data, message] of hostile) {
        const added: Job = await queue.add('chunk', data, { attempts: 1 })
        await expect(resultOf(queue, added), JSON.stringify(data)).rejects.toThrow(message)
      }
      const done: Job = await queue.add('chunk', honest)
      expect(await resultOf(queue, done)).toHaveLength(1)
    })
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
    await queue.close()
    redis.disconnect()
  })
})

describe('a plan that came over a network', () => {
  test('is read as it was sent', () => {
    const full: SweepPlan = {
      common: {
        ...plan.common,
        hosts: {
          workers: [{ count: 2, speed: 0.5, straggler: { probability: 0.1, factor: 3 } }],
          servers: [{ cores: 4 }],
          colocate: false
        },
        placement: { weights: 0 },
        orders: { 'order:a.csv': { file: 'a.csv', text: 'variable,rank\n' } },
        priority: { partitionBytes: 1e6, order: 'tac' },
        seed: 7
      },
      axes: { ...plan.axes, servers: [1, 2], policy: ['recorded', 'order:a.csv'] }
    }
    expect(parsePlan(canonicalJson(full))).toEqual(full)
  })

  test('keeps every variable of a placement, whatever it is called', () => {
    const json = '{"axes":{"workers":[1]},"common":{"placement":{"__proto__":1,"constructor":0,"prototype":1,"toString":0}}}'
    const parsed = parsePlan(json)
    expect(canonicalJson(parsed)).toBe(json)
    expect(Object.getPrototypeOf(parsed.common.placement)).toBe(Object.prototype)
  })

  test.each([
    ['{"common":{},"axes":{"workers":[]}}', 'axes.workers'],
    ['{"common":{},"axes":{}}', 'axes.workers'],
    ['{"common":{"profile":{}},"axes":{"workers":[1]}}', 'common.profile'],
    ['{"common":{"hosts":{"workers":[{"count":1,"constructor":1}]}},"axes":{"workers":[1]}}', 'common.hosts.workers.0.constructor'],
    ['{"common":{"__proto__":{"seed":1}},"axes":{"workers":[1]}}', '__proto__'],
    ['{"common":{"placement":{"w":-1}},"axes":{"workers":[1]}}', 'common.placement'],
    ['{"common":{"placement":{"constructor":"x"}},"axes":{"workers":[1]}}', 'common.placement'],
    ['{"common":{"placement":[0]},"axes":{"workers":[1]}}', 'common.placement'],
    ['{"common":{"computeSlowdown":{"__proto__":{}}},"axes":{"workers":[1]}}', 'common.computeSlowdown.__proto__'],
    ['{"common":{"orders":{"order:a":{"file":"a","text":"","code":1}}},"axes":{"workers":[1]}}', 'common.orders.order:a'],
    ['{"common":{"seed":1e400},"axes":{"workers":[1]}}', 'common.seed'],
    ['{"common":{},"axes":{"workers":[1],"policy":[{"name":"tac"}]}}', 'axes.policy.0'],
    [`{"common":{},"axes":{"workers":[${Array(1001).fill(1)}],"latencyUs":[${Array(1001).fill(1)}]}}`, '1002001 points'],
    ['[]', 'plan'],
    ['null', 'plan']
  ])('%s is refused', (json, message) => {
    expect(() => parsePlan(json)).toThrow(message)
  })
})

describe('an address', () => {
  test.each([
    ['redis://queue', { host: 'queue', port: 6379 }, 'redis://queue:6379'],
    ['redis://:p%40ss@10.0.0.1:7000/2', { host: '10.0.0.1', port: 7000, password: 'p@ss', db: 2 }, 'redis://10.0.0.1:7000'],
    ['rediss://me:secret@queue', { host: 'queue', port: 6379, username: 'me', password: 'secret', tls: {} }, 'rediss://queue:6379'],
    ['redis://[::1]:7000', { host: '::1', port: 7000 }, 'redis://[::1]:7000']
  ])('%s', (url, options, shown) => {
    expect(parseRedisUrl(url)).toEqual({ options, shown })
  })

  test.each([
    '',
    'queue',
    'http://:secret@queue',
    'redis://:secret@',
    'redis://:secret@queue/name',
    'redis://:secret@queue?family=6',
    '/var/run/secret.sock'
  ])('"%s" is refused without repeating it', url => {
    expect(() => parseRedisUrl(url)).toThrow(/^--redis: /)
    expect(() => parseRedisUrl(url)).not.toThrow('secret')
  })
})
