import type { Profile } from '@foretrain/trace-parser'
import { Arrangement, type Sink } from './arrange.ts'
import { Drawing } from './draw.ts'
import { play, type Run } from './play.ts'

/**
 * Simulates a run and hands what its window shows to a sink; yields after each stretch of it, when the sink has been given all that begins
 * before a later one.
 *
 * @param profile of which `run.job` has every operation
 */
export async function* arranged(profile: Profile, run: Run, sink: Sink): AsyncGenerator<void> {
  const arrangement = new Arrangement(sink)
  const drawing = new Drawing(profile, run.job, run.cluster)
  for await (const { steps, settledUs } of play(run)) {
    for (const step of steps) arrangement.add(drawing.step(step))
    arrangement.flush(Math.floor(settledUs * 1000))
    yield
  }
}
