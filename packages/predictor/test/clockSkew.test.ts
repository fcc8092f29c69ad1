import { createReadStream, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { extract, type Profile, type RawStep, readTrace } from '@foretrain/trace-parser'
import { expect, test } from 'vitest'
import { predict } from '../src/index.ts'
import { examplesFolder } from './support/cases.ts'

const traces = join(examplesFolder, 'resnet50-1000/trace')

/**
 * The job as it would have been recorded with the server's clock ahead: a RecvTensor starts when the sender sent by the sender's clock, but at most
 * 1 µs before its end by the receiver's (TensorFlow's grpc_remote_worker.cc).
 */
async function profileWith(aheadUs: number): Promise<Profile> {
  const steps: RawStep[] = []
  for (const name of readdirSync(traces).sort().slice(0, 10)) {
    const { steps: read } = await readTrace({ name, bytes: createReadStream(join(traces, name)) })
    steps.push(...read)
  }
  for (const { devices } of steps) {
    for (const { device, records } of devices) {
      const isServer = device.startsWith('/job:ps/')
      for (const record of records) {
        if (isServer) record.endUs += aheadUs
        if (record.name !== 'RecvTensor') {
          if (!isServer) continue
          record.startUs += aheadUs
          record.scheduledUs += aheadUs
        } else {
          const startUs = isServer ? record.startUs : record.startUs + aheadUs
          record.startUs = Math.min(startUs, record.endUs - 1)
        }
      }
    }
  }
  return extract(steps)
}

// TensorFlow on hosts without NTP: most transfers are 1 µs long, or as long as the wait for them.
test('a server whose clock is 5 ms off changes no prediction by more than 2 %', { timeout: 120_000 }, async () => {
  const stepsPerSecond = async (aheadUs: number) => {
    const profile = await profileWith(aheadUs)
    const { points } = await predict({ profile, workers: [1, 8], fixed: { replications: 4, steps: 30 } })
    return { profile, means: points.map(point => point.stepsPerSecond.mean) }
  }
  const straight = await stepsPerSecond(0)
  for (const aheadUs of [5000, -5000]) {
    const skewed = await stepsPerSecond(aheadUs)
    expect(Math.abs(skewed.profile.clockOffsetUs[0] - aheadUs)).toBeLessThan(500)
    expect(skewed.profile.warnings.map(({ code }) => code)).toContain('clock-skew')
    skewed.means.forEach((mean, i) => {
      expect(Math.abs(mean / straight.means[i] - 1)).toBeLessThan(0.02)
    })
  }
})
