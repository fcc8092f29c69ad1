import { expect, test } from 'vitest'
import { inspectProfile } from '../src/inspect.ts'
import { readCase } from './support/cases.ts'

test('says what is in the profile of a measured cluster', async () => {
  const { profile } = await readCase('alexnet-1000')
  const files = [{ path: 'trace/run_metadata_000.pb.gz', format: 'RunMetadata (gzip)', bytes: 1, steps: 1 }]
  const inspection = await inspectProfile({ profile, files })
  expect(inspection.files).toBe(files)
  expect(inspection.steps).toMatchObject({ used: 15, dropped: 0 })
  expect(inspection.steps.spanMs.min).toBeLessThan(inspection.steps.spanMs.max)
  // AlexNet of 62.4 million float32 variables on one server; the largest is the kernel of fc6, 9216 × 4096.
  const [pull, push] = inspection.transfers
  expect(pull).toMatchObject({ direction: 'pull', server: 0, largest: 9216 * 4096 * 4 })
  expect(push).toMatchObject({ direction: 'push', server: 0, largest: 9216 * 4096 * 4 })
  expect(pull.bytes).toBeCloseTo(push.bytes, -6)
  expect(inspection.replay.meanAbsError).toBeLessThan(0.03)
  expect(inspection.warnings.map(({ code }) => code)).toContain('few-steps')
})
