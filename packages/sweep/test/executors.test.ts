// The built package: threads run its files.
import { inThreads } from '@foretrain/sweep'
import { Piscina } from 'piscina'
import { describe, expect, test, vi } from 'vitest'
import { type Chunk, chunksOf, type Executor, Grid, inThisThread, type Row, runChunks, type SweepPlan } from '../src/index.ts'
import { smallProfile } from './support/profile.ts'

const profile = smallProfile()
const plan: SweepPlan = {
  common: { tracedBandwidthBitsPerSecond: 1e9, fixed: { replications: 2, steps: 4 } },
  axes: { workers: [1, 2, 3, 5], bandwidthBitsPerSecond: [1e8, 1e9], policy: ['recorded', 'tac'], mode: ['async', 'sync:backup=1'] }
}

async function rowsFrom(executor: Executor, asked: SweepPlan): Promise<Row[]> {
  const rows: Row[] = []
  try {
    await runChunks(executor, chunksOf(new Grid(asked.axes), asked, executor.width), (_, more) => void rows.push(...more))
  } finally {
    await executor.close()
  }
  return rows.sort((a, b) => a.point - b.point)
}

describe('simulated rows', () => {
  test('are the same in this thread, in one and in three', async () => {
    const here = await rowsFrom(await inThisThread(profile, plan), plan)
    expect(here.map(({ point }) => point)).toEqual(Array.from({ length: 32 }, (_, i) => i))
    expect(await rowsFrom(await inThreads(profile, plan, 1), plan)).toEqual(here)
    expect(await rowsFrom(await inThreads(profile, plan, 3), plan)).toEqual(here)
  })

  test('do not depend on which points were asked before', async () => {
    const executor = await inThisThread(profile, plan)
    const inOrder: Row[] = []
    for (let point = 0; point < 32; point++) inOrder.push(...(await executor.run({ from: point, to: point + 1 })))
    const other = await inThisThread(profile, plan)
    const backwards: Row[] = []
    for (let point = 31; point >= 0; point--) backwards.unshift(...(await other.run({ from: point, to: point + 1 })))
    expect(backwards).toEqual(inOrder)
  })

  test('a point that cannot be simulated has its error in its row, and the others have figures', async () => {
    const rows = await rowsFrom(await inThisThread(profile, plan), plan)
    const failed = rows.filter(({ error }) => error !== '')
    // One worker has none to spare for a backup.
    expect(failed.map(({ workers, mode }) => [workers, mode])).toEqual(Array.from({ length: 4 }, () => [1, 'sync:backup=1']))
    for (const row of failed) expect(row).toMatchObject({ steps_per_second: null, bottleneck: '', bandwidth: /Gbps|Mbps/ })
    for (const row of rows.filter(({ error }) => error === '')) expect(row.steps_per_second).toBeGreaterThan(0)
  })

  test('what no point can be simulated with is thrown, not written into every row', async () => {
    const executor = await inThreads({ ...profile, steps: [] }, plan, 1)
    await expect(rowsFrom(executor, plan)).rejects.toMatchObject({ name: 'QuestionError' })
  })

  test('chunks under way reject when a thread fails that has none', async () => {
    const listen = vi.spyOn(Piscina.prototype, 'on')
    const executor = await inThreads(profile, plan, 2)
    const pool = listen.mock.contexts[0] as Piscina
    listen.mockRestore()
    const chunks = Array.from({ length: 3 }, (_, from) => executor.run({ from, to: from + 1 }))
    pool.emit('error', new Error('a thread is gone'))
    for (const { reason } of (await Promise.allSettled(chunks)) as PromiseRejectedResult[])
      expect(reason).toEqual(new Error('a thread is gone'))
    await executor.close()
  })

  // An error that nobody awaits would end the process, and fails this run of the tests.
  test('replies that arrive while the threads are ended are nobody’s', async () => {
    const jobs = 3
    for (let time = 0; time < 5; time++) {
      const executor = await inThreads({ ...profile, steps: [] }, plan, jobs)
      // The threads have started by the end of the first chunk; the replies to the others then wait while this thread is busy.
      await Promise.allSettled(Array.from({ length: jobs }, (_, from) => executor.run({ from, to: from + 1 })))
      const replies = Array.from({ length: 2 * jobs }, (_, from) => executor.run({ from, to: from + 1 }))
      for (const reply of replies) reply.catch(() => {})
      await new Promise(resolve => setImmediate(resolve))
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
      await Promise.race(replies).catch(() => executor.close())
    }
  })
})

describe('running chunks', () => {
  const chunks = Array.from({ length: 100 }, (_, from) => ({ from, to: from + 1 }))
  const rowOf = ({ from }: Chunk) => [{ point: from } as Row]
  const executor = (run: (chunk: Chunk) => Promise<Row[]>): Executor => ({ width: 3, run, close: async () => {} })

  test('as many at once as fit, one call for rows at a time', async () => {
    let running = 0
    let most = 0
    let handling = 0
    const seen: number[] = []
    const later = async (chunk: Chunk) => {
      most = Math.max(most, ++running)
      await new Promise(resolve => setTimeout(resolve, (chunk.from * 7) % 5))
      running -= 1
      return rowOf(chunk)
    }
    await runChunks(executor(later), chunks, async ({ from }) => {
      expect(handling++).toBe(0)
      await new Promise(resolve => setTimeout(resolve, 0))
      handling -= 1
      seen.push(from)
    })
    expect(most).toBe(3)
    expect(seen.sort((a, b) => a - b)).toEqual(chunks.map(({ from }) => from))
  })

  test('those that finish ahead of a slow one are bounded', async () => {
    let finished = 0
    let release = () => {}
    const slow = new Promise<void>(resolve => {
      release = resolve
    })
    const done = runChunks(
      executor(async chunk => {
        if (chunk.from === 0) await slow
        return rowOf(chunk)
      }),
      chunks,
      () => void finished++
    )
    await new Promise(resolve => setTimeout(resolve, 50))
    // 16 for each that can be under way, and those that were.
    expect(finished).toBeGreaterThan(40)
    expect(finished).toBeLessThanOrEqual(51)
    release()
    await done
    expect(finished).toBe(100)
  })

  test('the first error ends it', async () => {
    const failing = async (chunk: Chunk) => {
      if (chunk.from === 5) throw new Error('no')
      return rowOf(chunk)
    }
    await expect(runChunks(executor(failing), chunks, () => {})).rejects.toThrow('no')
    await expect(
      runChunks(
        executor(async chunk => rowOf(chunk)),
        chunks,
        ({ from }) => {
          if (from === 7) throw new Error('disk')
        }
      )
    ).rejects.toThrow('disk')
  })

  test('an abort ends it, and no row is handled after', async () => {
    const controller = new AbortController()
    const seen: number[] = []
    const running = runChunks(
      executor(async chunk => {
        await new Promise(resolve => setTimeout(resolve, 1))
        return rowOf(chunk)
      }),
      chunks,
      ({ from }) => {
        seen.push(from)
        if (seen.length === 10) controller.abort(new Error('enough'))
      },
      controller.signal
    )
    await expect(running).rejects.toThrow('enough')
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(seen).toHaveLength(10)
  })
})
