import { type RawStep, TraceError } from '../rawStep.ts'
import { counted, short } from '../text.ts'
import type { Budget } from './budget.ts'
import { JsonElements } from './jsonElements.ts'
import { type CompleteEvent, EventReader } from './traceEvent.ts'
import { OwnTimeline } from './traceEventOwn.ts'
import { refuseOthers, TensorFlowTimeline } from './traceEventTensorFlow.ts'

const OWN_SCHEMA = 'foretrain/timeline@1'

/** What a kind of timeline makes of its events. */
interface TimelineImporter {
  /** Name of the kind, for the summary of a file. */
  readonly format: string
  event(event: CompleteEvent): void
  /** @throws TraceError when the events make no step */
  steps(): RawStep[]
}

/**
 * Reads a timeline (Trace Event Format, JSON), piece by piece: one that `foretrain timeline` wrote, exactly; or one of TensorFlow's timeline.py, as
 * far as it goes. Memory is needed for what becomes a record, at most as many as the budget has left.
 *
 * @param bytes unpacked, as they come; errors of them pass through
 * @throws TraceError when it is no such document, or lacks what a step needs
 */
export async function readTimeline(
  file: string,
  bytes: AsyncIterable<Uint8Array>,
  budget: Budget
): Promise<{ format: string; steps: RawStep[] }> {
  let importer: TimelineImporter | undefined
  let seenEvents = false
  const reader = new EventReader(event => {
    importer ??= new TensorFlowTimeline(file, reader, budget)
    importer.event(event)
  })
  const elements = new JsonElements(file, {
    wants: key => key === 'otherData',
    event: (value, offset) => {
      seenEvents = true
      reader.read(value, offset)
    },
    field: (_key, value, offset) => {
      if (typeof value !== 'object' || value === null || (value as { schema?: unknown }).schema !== OWN_SCHEMA) return
      if (seenEvents) elements.fail('otherData of a timeline of foretrain behind its events instead of in front of them', offset)
      importer = new OwnTimeline(file, value as Record<string, unknown>, reader, budget, (found, at) => elements.fail(found, at))
    }
  })
  for await (const chunk of bytes) elements.push(chunk)
  elements.end()
  reader.end()
  if (importer === undefined) {
    refuseOthers(file, reader, true)
    throw new TraceError(
      `${short(file)}: this is a timeline (Chrome trace JSON) without operations (${counted(reader.events, 'event')}, none of them complete)`
    )
  }
  return { format: importer.format, steps: importer.steps() }
}
