import type { TraceFile } from '@foretrain/trace-parser'
import type { Libraries, ReadResult } from '../io/libraries.ts'
import type { ProgressLine } from '../io/progress.ts'

/** Reads traces into a profile; the progress line says which file is being read. */
export async function readTraces(traces: TraceFile[], libraries: Libraries, progress: ProgressLine): Promise<ReadResult> {
  const announced = traces.map(({ name, bytes }, index) => ({
    name,
    bytes: announce(bytes, () => progress.show(`reading ${index + 1}/${traces.length} traces`))
  }))
  return libraries.readProfile(announced)
}

async function* announce(bytes: AsyncIterable<Uint8Array>, say: () => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    say()
    yield chunk
  }
}
