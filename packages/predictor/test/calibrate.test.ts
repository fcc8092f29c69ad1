import { type Core, loadCore } from '@foretrain/core-wasm'
import { beforeAll, describe, expect, test } from 'vitest'
import { calibrate } from '../src/calibrate/calibrate.ts'
import { goldenSection } from '../src/calibrate/minimise.ts'
import { scaleToStepTime } from '../src/calibrate/stepTime.ts'
import { compile } from '../src/compile/compile.ts'
import { QuestionError } from '../src/question.ts'
import { replay } from '../src/replay.ts'
import type { Path } from '../src/transport.ts'
import { chainNetwork, recordedBySimulation } from './support/syntheticProfile.ts'

let core: Core
beforeAll(async () => {
  core = await loadCore()
})

const layers = [40_000, 9_400_000, 600_000, 1_200_000, 80_000, 12_000_000, 300_000, 4_000_000, 20_000]
const network = { layers, forwardUs: 9000, updateUs: 60, steps: 10 }
const eightMiB = 8 * 1024 * 1024 - 256

function calibrateOn(path: Path) {
  const profile = recordedBySimulation(core, chainNetwork(network), path)
  const compiled = compile(profile)
  const calibration = calibrate(core, profile, compiled, { transport: 'auto' })
  return { profile, compiled, calibration }
}

describe('a profile that the simulator itself has recorded', () => {
  test.each([
    ['as of one server at 1 Gbit/s', { goodputBytesPerUs: 119.5, windowBytes: eightMiB, parsePerByteUs: 4e-5, latencyUs: 50 }],
    [
      'slow, without a window',
      { goodputBytesPerUs: 24, windowBytes: Number.POSITIVE_INFINITY, parsePerByteUs: 4e-5, latencyUs: 50 }
    ],
    ['fast', { goodputBytesPerUs: 1150, windowBytes: eightMiB, parsePerByteUs: 4e-5, latencyUs: 50 }],
    ['with a dear parser', { goodputBytesPerUs: 119.5, windowBytes: eightMiB, parsePerByteUs: 2e-4, latencyUs: 50 }]
  ])('gives its parameters back: %s', (_, path) => {
    const { profile, compiled, calibration } = calibrateOn(path)
    expect(Math.abs(calibration.path.goodputBytesPerUs / path.goodputBytesPerUs - 1)).toBeLessThan(0.005)
    expect(calibration.path.windowBytes).toBe(path.windowBytes)
    expect(Math.abs(calibration.path.parsePerByteUs - path.parsePerByteUs)).toBeLessThan(3e-5)
    expect(replay(core, profile, compiled, calibration, 'auto').meanAbsError).toBeLessThan(0.002)
  })

  test('names what it found', () => {
    const { calibration } = calibrateOn({
      goodputBytesPerUs: 119.5,
      windowBytes: Number.POSITIVE_INFINITY,
      parsePerByteUs: 4e-5,
      latencyUs: 50
    })
    expect(calibration).toMatchObject({ goodputSource: 'trace', windowSource: 'largest-tensor', largestTensorBytes: 12e6 })
  })
})

test('given values are kept', () => {
  const profile = chainNetwork(network)
  const { path, windowSource, parseSource } = calibrate(core, profile, compile(profile), {
    transport: 'auto',
    windowBytes: 1e6,
    parsePerByteUs: 0
  })
  expect(path).toMatchObject({ windowBytes: 1e6, parsePerByteUs: 0 })
  expect([windowSource, parseSource]).toEqual(['flag', 'flag'])
})

test('a trace without transfers has no goodput to find', () => {
  const profile = chainNetwork({ ...network, layers: [] })
  const operations = [{ name: 'c', kind: 'compute' as const, type: '', server: 0, bytes: 0, dependencies: [] }]
  const steps = profile.steps.map(step => ({ ...step, spanUs: 100, durationUs: [100], gapUs: [0], startUs: [0], endUs: [100] }))
  const alone = { ...profile, operations, steps }
  expect(calibrate(core, alone, compile(alone), { transport: 'auto' }).goodputSource).toBe('none')
})

describe('scale of compute for a given step time', () => {
  const path = { goodputBytesPerUs: 119.5, windowBytes: eightMiB, parsePerByteUs: 4e-5, latencyUs: 50 }

  test('is 1 for the simulated step itself and 2 for one whose compute is halved', () => {
    const { profile, compiled, calibration } = calibrateOn(path)
    const { simulatedMs } = replay(core, profile, compiled, calibration, 'auto')
    expect(scaleToStepTime(core, profile, compiled, calibration, 'auto', simulatedMs * 1000 + 3000)).toBeCloseTo(1, 4)
    const fast = { ...profile, steps: profile.steps.map(step => ({ ...step, durationUs: step.durationUs.map(us => us / 2) })) }
    expect(scaleToStepTime(core, fast, compile(fast), calibration, 'auto', simulatedMs * 1000 + 3000)).toBeCloseTo(2, 2)
  })

  test('does not exist below the time of transfers', () => {
    const { profile, compiled, calibration } = calibrateOn(path)
    expect(() => scaleToStepTime(core, profile, compiled, calibration, 'auto', 10_000)).toThrow(QuestionError)
  })
})

test('golden section finds the minimum of a parabola', () => {
  const { x, value } = goldenSection(at => (at - 1.3) ** 2, 0, 5, 40)
  expect(x).toBeCloseTo(1.3, 6)
  expect(value).toBeCloseTo(0, 9)
})
