import { type Core, loadCore } from '@foretrain/core-wasm'
import { beforeAll, describe, expect, test } from 'vitest'
import { calibrate } from '../src/calibrate/calibrate.ts'
import { compile } from '../src/compile/compile.ts'
import { replay } from '../src/replay.ts'
import { readCase } from './support/cases.ts'

let core: Core
beforeAll(async () => {
  core = await loadCore()
})

// Payload of a link under tbf at the case's nominal rate, docs/method.md §10 (a): 1448/1514. Calibration must find it from the trace alone.
describe.each(['alexnet-1000', 'densenet121-300', 'mobilenetv2-200', 'mobilenetv2-200-sync', 'resnet50-1000', 'resnet50-2ps-500'])(
  '%s',
  name => {
    test('one worker replays its own steps, and the goodput is that of the link', async () => {
      const { profile, bandwidth, link } = await readCase(name)
      const compiled = compile(profile)
      const calibration = calibrate(core, profile, compiled, { transport: 'auto' })
      const nominal = Number.parseFloat(bandwidth) / 8
      expect(Math.abs(calibration.path.goodputBytesPerUs / (nominal * link.payloadFraction) - 1)).toBeLessThan(0.02)
      const replayed = replay(core, profile, compiled, calibration, 'auto')
      expect(replayed.meanAbsError).toBeLessThan(0.015)
      expect(replayed.worst).toBeLessThan(0.05)
      expect(replayed.pinnedShare).toBeLessThan(0.05)
    })
  }
)
