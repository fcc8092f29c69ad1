/** Reports about the scaling of parameter-server jobs: a job with the stated numbers, and what its reporter saw. docs/cases.md lists them. */
import { describe, expect, test } from 'vitest'
import { inspectProfile } from '../../src/inspect.ts'
import { equalVariables, points, rate, recorded, type Variable } from './job.ts'

test('S02: throughput doubles to two workers, then stays; the job only pulls', async () => {
  // Inception-v3, batch 32: 95 MB at 143 MB/s and 1.43 s a step. Reported: 22.30, 45.05, 46.61, 48.0 images/s with 1, 2, 4, 8 workers.
  const profile = await recorded({ variables: equalVariables(40, 95e6), computeUs: 1.42e6, push: false, goodput: 143 })
  const at = await points(profile, [1, 2, 4, 8], { batchSize: 32 })
  expect(at[1].examplesPerSecond / 22.3).toBeCloseTo(1, 1)
  expect(at[2].speedup).toBeGreaterThan(1.85)
  expect(at[2].examplesPerSecond / 45.05).toBeCloseTo(1, 1)
  // Flat within 5 %, at what the link can take: 1.5 steps/s.
  expect(Math.abs(rate(at[8]) / rate(at[4]) - 1)).toBeLessThan(0.05)
  expect(rate(at[8]) / (143 / 95)).toBeGreaterThan(0.95)
  expect(at[8].bottleneck.resource).toBe('server 0 pull link')
  expect(at[8].utilisation['server 0 push link']).toBe(0)
})

test('S04: a link used at 40 % by one worker feeds two and a half', async () => {
  // 16 examples a step; 71 ms of compute; a step of 0.8 s; 0.32 s of it on the wire in each direction, the rest on no link.
  const goodput = 117.5
  const variables = [{ bytes: 0.32e6 * goodput }]
  const profile = await recorded({ variables, computeUs: 71_000 + 85_000, goodput })
  const at = await points(profile, [1, 2, 3, 4, 8], { batchSize: 16 })
  expect(at[1].examplesPerSecond).toBeGreaterThan(19)
  expect(at[1].examplesPerSecond).toBeLessThan(21)
  expect(at[1].utilisation['server 0 pull link']).toBeCloseTo(0.4, 1)
  expect(at[2].speedup).toBeGreaterThan(1.6)
  for (const workers of [4, 8]) {
    expect(at[workers].speedup).toBeGreaterThan(2.1)
    // Acknowledgements take 2 % where both directions are full.
    expect(at[workers].speedup).toBeLessThan(2.6)
  }
  expect(Math.abs(at[8].speedup / at[4].speedup - 1)).toBeLessThan(0.15)
})

test('S10: four workers are slower than a graphics card alone with a wide net, faster with a narrow one', async () => {
  // Dense, 256-h-h-h-h-256: 54.5 MB with h = 2048, 0.46 MB with h = 128; 10 ms of compute alone; gRPC inside a host, 0.9 GB/s.
  const computeUs = 10_000
  const four = async (bytes: number) => {
    const profile = await recorded({ variables: equalVariables(10, bytes), computeUs, goodput: 900 })
    return rate((await points(profile, [4]))[4])
  }
  const alone = 1e6 / computeUs
  expect((await four(54.5e6)) / alone).toBeLessThan(0.5)
  expect((await four(0.46e6)) / alone).toBeGreaterThan(1)
})

test('S12: three more servers hardly help when one holds 82 % of the bytes, and it is named', async () => {
  // 4 workers of 28.5 MB a step each; servers sent 0.69, 93.7, 15.5 and 4.1 MB; links of 108 MB/s.
  const traffic = [0.69, 93.7, 15.5, 4.1]
  const all = traffic.reduce((sum, one) => sum + one, 0)
  const spread = traffic.flatMap((share, server) =>
    Array.from({ length: 4 }, () => ({ bytes: (28.5e6 * share) / all / 4, server }))
  )
  const job = { computeUs: 60_000, goodput: 108 }
  const one = await points(await recorded({ ...job, variables: spread.map(({ bytes }) => ({ bytes })) }), [4])
  const four = await points(await recorded({ ...job, variables: spread, servers: 4 }), [4])
  expect(rate(four[4]) / rate(one[4])).toBeLessThan(1.25)
  expect(rate(four[4]) / rate(one[4])).toBeGreaterThan(1)
  expect(four[4].bottleneck.resource).toMatch(/^server 1 /)
  expect(four[4].bounds.pullLink / (108e6 / ((28.5e6 * 93.7) / all))).toBeCloseTo(1, 1)
})

test('S13: balance shows in bytes, not in operations', async () => {
  // 3,823 and 3,993 operations a server, a hundredth of them here; ResNet-50's 102 MB nearly all on the first.
  const variables = [
    ...Array.from({ length: 38 }, () => ({ bytes: 101e6 / 38, server: 0 })),
    ...Array.from({ length: 40 }, () => ({ bytes: 1e6 / 40, server: 1 }))
  ]
  const profile = await recorded({ variables, servers: 2, computeUs: 300_000, goodput: 115 })
  const { transfers } = await inspectProfile({ profile, files: [] })
  const pulls = transfers.filter(({ direction }) => direction === 'pull')
  expect(pulls.map(({ count }) => count)).toEqual([38, 40])
  expect(pulls[0].bytes / pulls[1].bytes).toBeCloseTo(101, 6)
  const { utilisation, bottleneck } = (await points(profile, [4]))[4]
  expect(utilisation['server 0 pull link']).toBeGreaterThan(10 * utilisation['server 1 pull link'])
  expect(bottleneck.resource).toMatch(/^server 0 /)
})

test('S14: partitioned variables cost nothing where messages cost little, and much where they cost much', async () => {
  // Three variables of 100,000 × 256 floats on three servers, whole and in three parts each: the same bytes a server, three times the messages.
  const bytes = 102.4e6
  const whole = [0, 1, 2].map(server => ({ bytes, server }))
  const parts = whole.map(() => [0, 1, 2].map(server => ({ bytes: bytes / 3, server })))
  const job = { servers: 3, computeUs: 400_000, goodput: 1150 }
  const rateOf = async (variables: Array<Variable | Variable[]>, updateUs: number) =>
    rate((await points(await recorded({ ...job, variables, updateUs }), [4], { serverCores: 1 }))[4])
  // Parts of the first layer come from three servers at once, so it is there sooner.
  expect((await rateOf(parts, 100)) / (await rateOf(whole, 100))).toBeGreaterThan(0.97)
  expect((await rateOf(parts, 200_000)) / (await rateOf(whole, 200_000))).toBeLessThan(0.5)
})

describe('S15, S16: a saturated server', () => {
  test('3,000 steps take as long with any number of workers, and a step grows with them', async () => {
    const profile = await recorded({ variables: equalVariables(12, 40e6), computeUs: 100_000, goodput: 100 })
    const at = await points(profile, [4, 8, 16])
    for (const workers of [8, 16]) {
      expect(rate(at[workers]) / rate(at[4])).toBeGreaterThan(0.9)
      expect(rate(at[workers]) / rate(at[4])).toBeLessThan(1.1)
    }
    expect(at[16].stepMs.mean / at[8].stepMs.mean).toBeGreaterThan(1.85)
    expect(at[16].stepMs.mean / at[8].stepMs.mean).toBeLessThan(2.15)
    // S16 asks which resource.
    expect(at[16].bottleneck.resource).toMatch(/^server 0 .*link$/)
  })
})

test('S23: updates queue for the cores of a server', async () => {
  // 12 workers; each step brings 8 updates of 10 ms to one core: 12.5 steps/s, whatever the links can take.
  const profile = await recorded({ variables: equalVariables(8, 4e6), computeUs: 200_000, updateUs: 10_000, goodput: 1000 })
  const { 12: point } = await points(profile, [12], { serverCores: 1 })
  expect(rate(point)).toBeLessThan(12.6)
  expect(rate(point)).toBeGreaterThan(11.5)
  expect(point.bottleneck.resource).toBe('server 0 cpu')
  expect(point.bounds.serverCpu).toBeCloseTo(12.5, 6)
})

test('S25: two machines over 1 Gbit/s are slower than one alone, and it is said plainly', async () => {
  // AlexNet, batch 512: 260 images/s alone, 200 on two machines. 249 MB at 118 MB/s.
  const computeUs = (512 / 260) * 1e6
  const variables = [...equalVariables(5, 15e6), { bytes: 151e6 }, { bytes: 67e6 }, { bytes: 16e6 }]
  const profile = await recorded({ variables, computeUs, goodput: 118 })
  const { 2: point } = await points(profile, [2], { batchSize: 512 })
  expect(point.examplesPerSecond / 260).toBeLessThan(1)
  expect(point.examplesPerSecond).toBeGreaterThan(160)
  expect(point.examplesPerSecond).toBeLessThan(240)
})

test('S28: above what software can take, bandwidth changes nothing', async () => {
  // One tensor at a time, 225 MB/s on 100 Gbit/s: the receiver needs a µs for 225 bytes.
  const profile = await recorded({ variables: [{ bytes: 256e6 }], computeUs: 100, push: false, goodput: 1000 })
  const perSecond = async (gigabits: number) =>
    rate(
      (await points(profile, [1], { bandwidthBitsPerSecond: gigabits * 1e9, payloadFraction: 0.95, parsePerByteUs: 1 / 225 }))[1]
    )
  expect((256 * (await perSecond(100))) / 225).toBeCloseTo(1, 1)
  expect((await perSecond(400)) / (await perSecond(100))).toBeLessThan(1.03)
})
