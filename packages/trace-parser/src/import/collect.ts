import { TraceError, type TraceFile } from '../rawStep.ts'
import { short } from '../text.ts'

/**
 * All bytes of a file.
 *
 * @throws TraceError as soon as more than `maxBytes` have come; errors of the source itself pass through
 */
export async function collect(file: TraceFile, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of file.bytes) {
    length += chunk.byteLength
    if (length > maxBytes) {
      throw new TraceError(`${short(file.name)}: larger than the limit of ${maxBytes} bytes; one file is to hold one traced step`)
    }
    chunks.push(chunk)
  }
  return concatenate(chunks, length)
}

/** The chunks as one array; a single chunk is returned as it is. */
export function concatenate(chunks: readonly Uint8Array[], length: number): Uint8Array {
  if (chunks.length === 1) return chunks[0]
  const all = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.byteLength
  }
  return all
}
