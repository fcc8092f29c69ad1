/**
 * TensorBoard event files (`events.out.tfevents.*`): TFRecord framing (tensorflow/core/lib/io/record_writer.h) around Event messages
 * (core/util/event.proto), of which those with a tagged RunMetadata (`FileWriter.add_run_metadata`) are steps. Scalars, histograms, graphs and
 * the rest are counted.
 *
 *     length      8 bytes, little-endian
 *     its CRC     4 bytes, masked CRC-32C
 *     Event       `length` bytes
 *     its CRC     4 bytes
 */

import { EVENT_REASONS } from '../eventReasons.ts'
import { type RawStep, TraceError } from '../rawStep.ts'
import { counted, short } from '../text.ts'
import type { Budget } from './budget.ts'
import { ByteReader } from './byteReader.ts'
import { maskedCrc32c } from './checksums.ts'
import { readRunMetadata } from './runMetadata.ts'
import { lengthTag, shape, Wire } from './wire.ts'

const HEADER_BYTES = 12
const CRC_BYTES = 4
const EVENT = shape('Event', [2], [3, 4, 5, 6, 7, 8, 9])
const TAGGED_RUN_METADATA = shape('TaggedRunMetadata', [], [1, 2])

/** Whether the bytes begin like an event file: a length whose checksum is right, or the Event that says the file's version. */
export function looksLikeEventFile(bytes: Uint8Array): boolean {
  if (bytes.length < HEADER_BYTES + CRC_BYTES) return false
  const view = viewOf(bytes)
  if (view.getUint32(4, true) !== 0) return false
  return view.getUint32(8, true) === maskedCrc32c(bytes.subarray(0, 8)) || isVersion(bytes)
}

/** Field 1 of 64 bits (the wall time), then field 3 (the version). */
function isVersion(bytes: Uint8Array): boolean {
  return bytes[HEADER_BYTES] === 0x09 && bytes[HEADER_BYTES + 9] === 0x1a
}

/**
 * The steps of an event file, in its order.
 *
 * @param maxRecordBytes the most that one event may have
 * @throws TraceError when a checksum is wrong, or no event holds a RunMetadata. A last event that is cut off, as a writer that was killed leaves
 * it, is counted instead
 */
export async function readEventFile(
  file: string,
  bytes: AsyncIterable<Uint8Array>,
  maxRecordBytes: number,
  budget: Budget
): Promise<RawStep[]> {
  const reader = new ByteReader(bytes)
  const steps: RawStep[] = []
  const ignored: Record<string, number> = {}
  let events = 0
  try {
    for (;;) {
      const at = reader.position
      const event = await nextEvent(file, reader, maxRecordBytes, events)
      if (event === 'end') break
      events++
      if (event === 'cut-off') {
        ignored[EVENT_REASONS.cutOff] = 1
        break
      }
      const content = runMetadataOf(file, event, at + HEADER_BYTES)
      if (content === undefined) {
        ignored[EVENT_REASONS.otherEvent] = (ignored[EVENT_REASONS.otherEvent] ?? 0) + 1
        continue
      }
      const name = `${file}#${steps.length + 1}`
      steps.push(readRunMetadata(name, new Wire(name, content), false, budget))
    }
  } finally {
    await reader.close()
  }
  if (steps.length === 0) {
    const cut = ignored[EVENT_REASONS.cutOff] === undefined ? '' : ', the last cut off'
    throw new TraceError(
      `${short(file)}: this is a TensorBoard event file without run metadata (${counted(events, 'event')}${cut}); foretrain needs traced steps in it: FileWriter.add_run_metadata(run_metadata, "step1") after session.run with RunOptions(trace_level=RunOptions.FULL_TRACE)`
    )
  }
  if (steps.length === 1) steps[0].trace = file
  steps[0].ignored = ignored
  return steps
}

/** The next Event's bytes. */
async function nextEvent(
  file: string,
  reader: ByteReader,
  maxRecordBytes: number,
  index: number
): Promise<Uint8Array | 'end' | 'cut-off'> {
  const at = reader.position
  const damaged = (what: string): never => {
    throw new TraceError(
      `${short(file)}: damaged event file: ${what} of event ${index + 1} at byte ${at} does not fit its checksum; copy it again`
    )
  }
  const header = await reader.exactly(HEADER_BYTES)
  if (header.length === 0) return 'end'
  if (header.length < HEADER_BYTES) return 'cut-off'
  const view = viewOf(header)
  if (view.getUint32(8, true) !== maskedCrc32c(header.subarray(0, 8))) damaged('the length')
  const length = view.getUint32(0, true) + view.getUint32(4, true) * 2 ** 32
  if (length > maxRecordBytes) {
    throw new TraceError(
      `${short(file)}: event ${index + 1} at byte ${at} has ${length} bytes; at most ${maxRecordBytes} are read: one event is to hold one traced step`
    )
  }
  const whole = await reader.exactly(length + CRC_BYTES)
  if (whole.length < length + CRC_BYTES) return 'cut-off'
  const event = whole.subarray(0, length)
  if (viewOf(whole).getUint32(length, true) !== maskedCrc32c(event)) damaged('the content')
  return event
}

/** The RunMetadata in an Event; undefined for an event of another kind. */
function runMetadataOf(file: string, event: Uint8Array, offset: number): Uint8Array | undefined {
  const wire = new Wire(file, event, { message: 'an Event protobuf', writer: 'tf.compat.v1.summary.FileWriter', offset })
  let found: Uint8Array | undefined
  while (wire.position < event.length) {
    const tag = wire.tag(event.length)
    if (tag === lengthTag(8)) found = taggedContent(wire, wire.end(event.length), event)
    else wire.skip(tag, EVENT, event.length)
  }
  return found
}

function taggedContent(wire: Wire, end: number, event: Uint8Array): Uint8Array {
  let content = event.subarray(0, 0)
  while (wire.position < end) {
    const tag = wire.tag(end)
    if (tag === lengthTag(2)) {
      const contentEnd = wire.end(end)
      content = event.subarray(wire.position, contentEnd)
      wire.seek(contentEnd)
    } else wire.skip(tag, TAGGED_RUN_METADATA, end)
  }
  wire.finish(TAGGED_RUN_METADATA.message, end)
  return content
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
