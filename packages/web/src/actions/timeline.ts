import { drawing, shownSize, timelineView, trace } from '../state.ts'
import type { OneCluster } from '../worker/protocol.ts'
import { Latest } from './latest.ts'
import { lastWorker, pool } from './pool.ts'
import { fail } from './problems.ts'
import { askedNow } from './settings.ts'

const drawingNow = new Latest()

/** Simulates a window of the cluster that the visitor looks at. The one before stays until this one is there. */
export async function drawTimeline(): Promise<void> {
  const question = questionNow()
  if (question === undefined) return
  const signal = drawingNow.begin()
  const profile = trace.value!.number
  drawing.value = true
  try {
    const columns = await pool.run(lastWorker, 'timeline', { question }, { profile, signal })
    if (!signal.aborted) timelineView.value = { question, profile, columns }
  } catch (error) {
    if (!signal.aborted) fail(error)
  } finally {
    if (!signal.aborted) drawing.value = false
  }
}

/** The run that is drawn, for ui.perfetto.dev. */
export async function timelineFile(): Promise<Blob | undefined> {
  const view = timelineView.value
  if (view === undefined) return undefined
  try {
    return await pool.run(lastWorker, 'timelineFile', { question: view.question }, { profile: view.profile })
  } catch (error) {
    fail(error)
    return undefined
  }
}

export function stopTimeline(): void {
  drawingNow.stop()
  drawing.value = false
}

function questionNow(): OneCluster | undefined {
  const asked = askedNow()
  const size = shownSize.value
  return asked === undefined || size === undefined ? undefined : { ...asked, workers: [size] }
}
