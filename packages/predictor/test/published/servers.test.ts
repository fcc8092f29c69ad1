/** Reports about several servers and unequal workers: a job with the stated numbers, and what its reporter saw. docs/cases.md lists them. */
import { expect, test } from 'vitest'
import { predict } from '../../src/predict/predict.ts'
import type { Question } from '../../src/question.ts'
import type { Point, Prediction } from '../../src/schema.ts'
import { equalVariables, rate, recorded } from './job.ts'

const fixed = { replications: 4, steps: 30 }

async function ask(question: Omit<Question, 'workers'> & { workers: number[] }): Promise<Prediction> {
  return predict({ fixed, ...question })
}

/** Points by "servers x workers". */
function byServers({ points }: Prediction): Record<string, Point> {
  return Object.fromEntries(points.map(point => [`${point.servers}x${point.workers}`, point]))
}

test('S12: round-robin over four servers puts 82 % of the bytes on one; it is named and adding it up brings less than a quarter', async () => {
  // 4 workers of 28.5 MB a step each; servers sent 0.69, 93.7, 15.5 and 4.1 MB; links of 108 MB/s. Traced on one server.
  const traffic = [0.69, 93.7, 15.5, 4.1]
  const all = traffic.reduce((sum, one) => sum + one, 0)
  const sizes = [0, 1, 2, 3].flatMap(() => traffic.map(share => ({ bytes: Math.round((28.5e6 * share) / all / 4) })))
  const profile = await recorded({ variables: sizes, computeUs: 60_000, goodput: 108 })
  const prediction = await ask({ profile, workers: [4], servers: [1, 2, 3, 4] })
  const at = byServers(prediction)
  const gain = rate(at['4x4']) / rate(at['1x4'])
  expect(gain).toBeGreaterThan(1)
  expect(gain).toBeLessThan(1.25)
  expect(rate(at['2x4']) / rate(at['1x4'])).toBeLessThan(1.25)
  expect(at['4x4'].bottleneck.resource).toMatch(/^server 1 /)
  const hot = prediction.warnings.filter(({ code, message }) => code === 'hot-server' && message.startsWith('of 4 '))
  expect(hot.map(({ message }) => message)).toEqual([
    'of 4 servers, server 1 carries 82 % of the bytes; a fair share would be 25 %'
  ])
  // The same bytes spread by size: every server helps.
  const spread = byServers(await ask({ profile, workers: [4], servers: [4], placement: 'greedy' }))
  expect(rate(spread['4x4']) / rate(at['4x4'])).toBeGreaterThan(1.5)
})

test('S13: kernels and biases in turn: as many variables on both servers, all the bytes on one', async () => {
  const variables = Array.from({ length: 40 }, (_, i) => ({ bytes: i % 2 === 0 ? 101e6 / 20 : 1e6 / 20 }))
  const profile = await recorded({ variables, computeUs: 300_000, goodput: 115 })
  const prediction = await ask({ profile, workers: [4], servers: [1, 2] })
  const { '1x4': one, '2x4': two } = byServers(prediction)
  expect(two.serverBytes!.map(bytes => Math.round(bytes / 1e6))).toEqual([202, 2])
  expect(prediction.warnings.map(({ message }) => message).join()).toContain('server 0 carries 99.0 % of the bytes')
  expect(rate(two) / rate(one)).toBeLessThan(1.1)
  expect(two.utilisation['server 0 pull link']).toBeGreaterThan(10 * two.utilisation['server 1 pull link'])
})

test('S14: three variables on three servers, whole or each in three parts: the same bytes, three times the messages', async () => {
  const variables = equalVariables(3, 307.2e6)
  const profile = await recorded({ variables, computeUs: 400_000, goodput: 1150 })
  const three = { profile, workers: [4], servers: [3], serverCores: 1 }
  const pointOf = async (changes: Partial<Question>) => (await ask({ ...three, ...changes })).points[0]
  const whole = await pointOf({})
  const parts = await pointOf({ variableParts: 3 })
  parts.serverBytes!.forEach((bytes, server) => {
    expect(bytes / whole.serverBytes![server]).toBeCloseTo(1, 6)
  })
  expect(rate(parts) / rate(whole)).toBeGreaterThan(0.97)
  // 200 ms of a core for each message: three messages where there was one.
  const dear = { serverMessageUs: 200_000, serverPerByteUs: 0 }
  const [wholeDear, partsDear] = [await pointOf(dear), await pointOf({ ...dear, variableParts: 3 })]
  expect(wholeDear.bounds.serverCpu / partsDear.bounds.serverCpu).toBeCloseTo(3, 6)
  expect(rate(partsDear) / rate(wholeDear)).toBeLessThan(0.75)
})

test('S26: as many servers as workers: what a worker gets stays at half of one machine without a network', async () => {
  // 8 V100 a machine, 306.6 images/s each alone, 170.4 with two machines and two servers: efficiency 0.51 to 0.56.
  const batch = 32
  const computeUs = (batch / 306.6) * 1e6
  const profile = await recorded({ variables: equalVariables(40, 102e6), computeUs, goodput: 900 })
  const hosts = { workers: [{ count: 8, replicas: 8 }] }
  const at = byServers(
    await ask({ profile, workers: [2, 4, 8], servers: [1, 2, 4, 8], placement: 'greedy', batchSize: batch, hosts })
  )
  const perCard = (point: Point) => point.examplesPerSecond / point.workers / 8
  const [two, four, eight] = [at['2x2'], at['4x4'], at['8x8']].map(perCard)
  expect(two / 306.6).toBeGreaterThan(0.4)
  expect(two / 306.6).toBeLessThan(0.65)
  expect(four / two).toBeGreaterThan(0.8)
  expect(eight / two).toBeGreaterThan(0.8)
  // One server for all is another matter.
  expect(perCard(at['1x8']) / two).toBeLessThan(0.5)
})

test('S05: four workers beside the server and four behind one link of 125 MB/s', async () => {
  // Inception-v3, 95 MB, 8 cards. The link of the remote machine is shared by its four: a quarter each.
  const profile = await recorded({ variables: equalVariables(40, 95e6), computeUs: 900_000, goodput: 2000 })
  const hosts = { workers: [{ count: 4 }, { count: 4, bandwidthBitsPerSecond: 250e6 }] }
  const { points } = await ask({ profile, workers: [8], hosts, payloadFraction: 1 })
  const [point] = points
  const [near, far] = point.groups!
  expect([near.workers, far.workers]).toEqual([4, 4])
  // The remote ones together: at most 125/95 = 1.3 steps/s.
  expect(4 * far.stepsPerSecond).toBeLessThan(1.32)
  expect(near.stepsPerSecond / far.stepsPerSecond).toBeGreaterThan(2)
  expect(point.perWorker).toHaveLength(8)
})

test('S02 with unequal workers: those that only evaluate on slower machines get less of the same link', async () => {
  const profile = await recorded({ variables: equalVariables(40, 95e6), computeUs: 1.42e6, push: false, goodput: 143 })
  const hosts = { workers: [{ count: 1 }, { count: 1, speed: 0.5 }] }
  const { points } = await ask({ profile, workers: [2], hosts })
  const [fast, slow] = points[0].groups!
  // 1.42 s against 2.84 s of compute; pulls of the next layers overlap with it.
  expect(fast.stepsPerSecond / slow.stepsPerSecond).toBeGreaterThan(1.6)
  expect(fast.stepsPerSecond / slow.stepsPerSecond).toBeLessThan(2.1)
})
