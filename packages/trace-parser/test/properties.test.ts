import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseProfile, readProfile, serializeProfile, TraceError, type TraceFile } from '../src/index.ts'
import { expectSound } from './support/profile.ts'
import { file, step, steps } from './support/runMetadata.ts'

const TRACE = new URL('../../../examples/alexnet-1000/trace/', import.meta.url)
const packed = new Uint8Array(readFileSync(new URL('run_metadata_014.pb.gz', TRACE)))
const real = new Uint8Array(gunzipSync(packed))
const small = step()

/** A second for a megabyte, and the timer's own unrest. */
const allowedMs = (bytes: number) => 1000 * Math.max(0.25, bytes / 1e6)

/** Whatever the bytes: a sound profile, or a TraceError, and soon. A machine busy with other things may be slow once. */
async function expectTame(bytes: Uint8Array, companions: () => TraceFile[] = () => []): Promise<void> {
  const { profile, error, tookMs } = await read(bytes, companions)
  if (profile !== undefined) expectSound(profile)
  else {
    if (!(error instanceof TraceError)) throw error
    expect(error.message).not.toBe('')
    expect(error.message.length).toBeLessThan(1000)
  }
  if (tookMs < allowedMs(bytes.length)) return
  expect((await read(bytes, companions)).tookMs).toBeLessThan(allowedMs(bytes.length))
}

async function read(bytes: Uint8Array, companions: () => TraceFile[]) {
  const begin = performance.now()
  try {
    const { profile } = await readProfile([...companions(), file(bytes, 'damaged.pb')])
    return { profile, tookMs: performance.now() - begin }
  } catch (error) {
    return { error, tookMs: performance.now() - begin }
  }
}

const flips = (length: number) =>
  fc.array(fc.tuple(fc.nat(length - 1), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 20 })

function flipped(bytes: Uint8Array, changes: Array<[number, number]>): Uint8Array {
  const copy = bytes.slice()
  for (const [at, mask] of changes) copy[at] ^= mask
  return copy
}

describe('a damaged trace gives a sound profile or an error', () => {
  it('bytes of a real trace changed', async () => {
    await fc.assert(
      fc.asyncProperty(flips(real.length), changes => expectTame(flipped(real, changes as Array<[number, number]>))),
      { numRuns: 150 }
    )
  })

  it('one bit of a small trace changed, alone and among sound steps', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(small.length - 1), fc.nat(7), fc.boolean(), (at, bit, alone) =>
        expectTame(flipped(small, [[at, 1 << bit]]), () => (alone ? [] : steps(2)))
      ),
      { numRuns: 1500 }
    )
  })

  it('a real trace cut off', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(real.length - 1), length => expectTame(real.subarray(0, length))),
      { numRuns: 100 }
    )
  })

  it('a packed trace changed or cut off', async () => {
    await fc.assert(
      fc.asyncProperty(flips(packed.length), fc.nat(packed.length), fc.boolean(), (changes, length, cut) =>
        expectTame(cut ? packed.subarray(0, length) : flipped(packed, changes as Array<[number, number]>))
      ),
      { numRuns: 100 }
    )
  })

  it('parts moved, repeated and dropped', async () => {
    const part = fc
      .tuple(fc.nat(small.length), fc.nat(small.length))
      .map(([a, b]) => small.subarray(Math.min(a, b), Math.max(a, b)))
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 4 }), parts => expectTame(new Uint8Array(Buffer.concat([small, ...parts])))),
      { numRuns: 300 }
    )
  })

  it('any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 2000 }), bytes => expectTame(bytes)),
      { numRuns: 300 }
    )
  })
})

describe('a damaged saved profile', () => {
  it('is refused with one line, or is sound', async () => {
    const { profile } = await readProfile(steps(2))
    const text = serializeProfile(profile)
    const value = fc.oneof(
      fc.constant(null),
      fc.constant(-1),
      fc.constant(1e300),
      fc.constant('x'),
      fc.constant([]),
      fc.constant({}),
      fc.constant(0.5)
    )
    await fc.assert(
      fc.asyncProperty(fc.nat(), value, async (pick, replacement) => {
        const damaged = JSON.parse(text)
        const places = everyPlace(damaged)
        const [owner, key] = places[pick % places.length]
        owner[key] = replacement
        try {
          const again = parseProfile(JSON.stringify(damaged), 'saved.json')
          expect(parseProfile(serializeProfile(again), 'saved.json')).toEqual(parseProfile(serializeProfile(again), 'saved.json'))
        } catch (error) {
          if (!(error instanceof TraceError)) throw error
          expect(error.message).toMatch(/^saved\.json: [^\n\r]+$/)
        }
      }),
      { numRuns: 1000 }
    )
  })
})

function everyPlace(value: unknown): Array<[Record<string, unknown>, string]> {
  if (typeof value !== 'object' || value === null) return []
  const owner = value as Record<string, unknown>
  return Object.keys(owner).flatMap(key => [[owner, key] as [Record<string, unknown>, string], ...everyPlace(owner[key])])
}
