import { batch } from '@preact/signals'
import { simulateCurve } from '../engine/curve.ts'
import type { Settings } from '../settings.ts'
import { type Curve, chosenSize, curve, lastPrediction, settings, simulating, trace } from '../state.ts'
import type { Asked } from '../worker/protocol.ts'
import { stopComparing } from './compare.ts'
import { Latest } from './latest.ts'
import { pool } from './pool.ts'
import { clearProblem, fail } from './problems.ts'
import { askedNow } from './settings.ts'
import { drawTimeline, stopTimeline } from './timeline.ts'

/** Points come faster than anybody looks, and every picture of them costs time that the simulation could have. */
const pictureMs = 120

const simulatingNow = new Latest()

/** Sets fields and lets the curve follow. */
export function change(changes: Partial<Settings>): void {
  performance.mark('asked')
  settings.value = { ...settings.value, ...changes }
  if (trace.value !== undefined) simulate()
}

/** Looks at one cluster size. */
export function choose(size: number): void {
  chosenSize.value = size
  if (curve.value?.prediction !== undefined) drawTimeline()
}

/** Simulates the curve of the settings as they are now; what was simulated for others ends. */
export function simulate(): void {
  stopComparing()
  stopTimeline()
  const signal = simulatingNow.begin()
  simulating.value = false
  const asked = askedNow()
  if (asked === undefined) return
  clearProblem()
  void follow(asked, settings.value, signal)
}

async function follow(asked: Asked, from: Settings, signal: AbortSignal): Promise<void> {
  const { number } = trace.value!
  simulating.value = true
  // The curve before stays until the first point of this one is there.
  let points: Curve['points'] = new Map()
  let later: ReturnType<typeof setTimeout> | undefined
  const show = (changes: Partial<Curve>) => {
    clearTimeout(later)
    later = undefined
    const before = curve.value?.settings === from ? curve.value : undefined
    curve.value = { settings: from, sizes: asked.workers, level: undefined, prediction: undefined, ...before, points, ...changes }
  }
  try {
    const prediction = await simulateCurve(pool, number, asked, {
      signal,
      onPoint: point => {
        points = new Map(points).set(point.point.workers, point)
        // The first points of a curve come together, so that it does not grow from one end.
        if (point.level !== 'coarse') later ??= setTimeout(() => show({}), pictureMs)
      },
      onLevel: level => {
        show({ level })
        performance.measure(`${level} curve`, 'asked')
      }
    })
    if (signal.aborted) return
    batch(() => {
      show({ prediction })
      lastPrediction.value = prediction
    })
    drawTimeline()
  } catch (error) {
    if (!signal.aborted) fail(error)
  } finally {
    clearTimeout(later)
    if (!signal.aborted) simulating.value = false
  }
}
