import { type ImportedFile, TraceError } from '../rawStep.ts'
import { counted, short } from '../text.ts'
import { type Opened, unpacked } from './byteSource.ts'
import { JsonElements } from './jsonElements.ts'
import type { Budget } from './runMetadata.ts'
import { type CompleteEvent, EventReader } from './traceEvent.ts'
import { OwnTimeline } from './traceEventOwn.ts'
import { TensorFlowTimeline } from './traceEventTensorFlow.ts'

const OWN_SCHEMA = 'foretrain/timeline@1'

/** What a kind of timeline makes of its events. */
interface TimelineImporter {
  /** Name of the kind, for the summary of a file. */
  readonly format: string
  event(event: CompleteEvent): void
  /** @throws TraceError when the events make no step */
  steps(): ImportedFile['steps']
}

/**
 * Reads a timeline (Trace Event Format, JSON), piece by piece: one that `foretrain timeline` wrote, exactly; or one of TensorFlow's timeline.py, as
 * far as it says enough. Memory is needed for what becomes a record, at most as many as the budget has left.
 *
 * @throws TraceError when it is no such document, or lacks what a step needs; errors of the file's source pass through
 */
export async function readTimeline(file: Opened, maxBytes: number, budget: Budget): Promise<ImportedFile> {
  let fileBytes = 0
  let importer: TimelineImporter | undefined
  let seenEvents = false
  const reader = new EventReader(event => {
    importer ??= new TensorFlowTimeline(file.name, reader, budget)
    importer.event(event)
  })
  const elements = new JsonElements(file.name, {
    wants: key => key === 'otherData',
    event: (value, offset) => {
      seenEvents = true
      reader.read(value, offset)
    },
    field: (_key, value, offset) => {
      if (typeof value !== 'object' || value === null || (value as { schema?: unknown }).schema !== OWN_SCHEMA) return
      if (seenEvents) elements.fail('otherData of a timeline of foretrain behind its events instead of in front of them', offset)
      importer = new OwnTimeline(file.name, value as Record<string, unknown>, reader, budget, (found, at) =>
        elements.fail(found, at)
      )
    }
  })
  const count = (bytes: number) => {
    fileBytes += bytes
  }
  for await (const chunk of unpacked(file, maxBytes, count)) elements.push(chunk)
  elements.end()
  reader.end()
  if (importer === undefined) {
    throw new TraceError(
      `${short(file.name)}: this is a timeline (Chrome trace JSON) without operations (${counted(reader.events, 'event')}, none of them complete)`
    )
  }
  return {
    name: file.name,
    format: file.isGzip ? `${importer.format} (gzip)` : importer.format,
    bytes: fileBytes,
    steps: importer.steps()
  }
}
