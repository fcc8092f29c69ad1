import { short } from '../text.ts'

/** What the first bytes of a (decompressed) file say it is. */
export type Content = { kind: 'protobuf' } | { kind: 'profile' } | { kind: 'timeline' } | { kind: 'other'; what: string }

const PROFILE_MARK = '"foretrain/profile@'
/** Enough to see the start of a text without reading all of it. */
const HEAD_BYTES = 4096
/** Other tools put what they know of the machine in front of the events. */
const LONG_HEAD_BYTES = 64 * 1024

/** "ustar" within the header of a tar archive's first file. */
const USTAR = [0x75, 0x73, 0x74, 0x61, 0x72]
const USTAR_AT = 257

const MAGIC: ReadonlyArray<{ what: string; bytes: readonly number[] }> = [
  { what: 'a PNG picture', bytes: [0x89, 0x50, 0x4e, 0x47] },
  { what: 'a JPEG picture', bytes: [0xff, 0xd8, 0xff] },
  { what: 'a GIF picture', bytes: [0x47, 0x49, 0x46, 0x38] },
  { what: 'a PDF document', bytes: [0x25, 0x50, 0x44, 0x46] },
  { what: 'a ZIP archive', bytes: [0x50, 0x4b, 0x03, 0x04] },
  { what: 'an empty ZIP archive', bytes: [0x50, 0x4b, 0x05, 0x06] },
  { what: 'a gzip file within a gzip file', bytes: [0x1f, 0x8b, 0x08] },
  { what: 'a bzip2 file', bytes: [0x42, 0x5a, 0x68] },
  { what: 'an xz file', bytes: [0xfd, 0x37, 0x7a, 0x58] },
  { what: 'a Zstandard file', bytes: [0x28, 0xb5, 0x2f, 0xfd] },
  { what: 'a WebAssembly module', bytes: [0x00, 0x61, 0x73, 0x6d] },
  { what: 'an executable', bytes: [0x7f, 0x45, 0x4c, 0x46] },
  { what: 'an HDF5 file', bytes: [0x89, 0x48, 0x44, 0x46] }
]

/**
 * Tells by content, not by name, what a file is. Protobuf has no mark of its own: what is nothing else is left for the decoder to
 * judge.
 */
export function sniff(bytes: Uint8Array): Content {
  for (const { what, bytes: mark } of MAGIC) {
    if (mark.every((byte, i) => bytes[i] === byte)) return { kind: 'other', what }
  }
  if (USTAR.every((byte, i) => bytes[USTAR_AT + i] === byte)) return { kind: 'other', what: 'a tar archive' }
  if (looksLikeEvents(bytes)) return { kind: 'other', what: 'a TensorBoard event file' }
  const head = new TextDecoder().decode(bytes.subarray(0, HEAD_BYTES))
  const start = head.replace(/^\ufeff/, '').trimStart()
  if (start.startsWith('{') || start.startsWith('[')) {
    if (head.includes(PROFILE_MARK)) return { kind: 'profile' }
    if (start === '[' || start === '{') return { kind: 'other', what: `a JSON text of a single "${start}"` }
    if (isText(bytes)) return looksLikeTimeline(bytes, start) ? { kind: 'timeline' } : { kind: 'other', what: 'a JSON text' }
  }
  if (/^(?:#[^\n]*\n\s*)*(?:step_stats|partition_graphs|function_graphs|cost_graph)\s*:?\s*[{<]/.test(start)) {
    return { kind: 'other', what: 'a RunMetadata in text format' }
  }
  if (isText(bytes)) return { kind: 'other', what: `a text starting "${short(start.slice(0, 40))}"` }
  return { kind: 'protobuf' }
}

/** The two forms of the Trace Event Format; what stands before the events of the object form is short. */
function looksLikeTimeline(bytes: Uint8Array, start: string): boolean {
  if (start.startsWith('[')) return /^\[\s*(?:\{|\]?\s*$)/.test(start) && /"ph"\s*:/.test(start)
  return /"traceEvents"\s*:/.test(new TextDecoder().decode(bytes.subarray(0, LONG_HEAD_BYTES)))
}

/** TFRecord framing: a 64-bit length, its CRC, then an Event whose first field is the wall time (field 1, 64 bit). */
function looksLikeEvents(bytes: Uint8Array): boolean {
  if (bytes.length < 24) return false
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return view.getUint32(4, true) === 0 && view.getUint32(0, true) + 16 <= bytes.length && bytes[12] === 0x09
}

/** A RunMetadata holds lengths and numbers, hence control characters, within its first bytes; a text does not. */
function isText(bytes: Uint8Array): boolean {
  const end = Math.min(bytes.length, HEAD_BYTES)
  for (let i = 0; i < end; i++) {
    const byte = bytes[i]
    if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) return false
  }
  try {
    // As a stream, so that a character cut in half by the head's end is no fault.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, end), { stream: true })
  } catch {
    return false
  }
  return true
}
