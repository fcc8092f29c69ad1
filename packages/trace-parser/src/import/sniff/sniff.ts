import { short } from '../../text.ts'
import { looksLikeTar } from '../archive/tar.ts'
import { looksLikeEventFile } from '../eventFile.ts'
import { type Other, otherByMagic, otherJson, otherMessage, otherText } from './others.ts'
import { sniffProtobuf } from './protobuf.ts'

/** What the first bytes of a (decompressed) file say it is. */
export type Content =
  | { kind: 'RunMetadata' | 'StepStats'; isText: boolean }
  /** Bytes of which nothing is known: a protobuf, or anything. */
  | { kind: 'unknown' }
  | { kind: 'own timeline' | 'timeline' | 'event file' }
  | { kind: 'profile' | 'zip' | 'tar' }
  | ({ kind: 'other' } & Other)

const PROFILE_MARK = '"foretrain/profile@'
const OWN_TIMELINE_MARK = '"foretrain/timeline@'
/** Enough to see the start of a text without reading all of it. */
const HEAD_BYTES = 4096
/** Other tools put what they know of the machine in front of the events. */
const LONG_HEAD_BYTES = 64 * 1024

const ZIP_MARK = [0x50, 0x4b, 0x03, 0x04]
/** By the first field of a text; comments may stand in front. */
const TEXT_RUN_METADATA =
  /^(?:#[^\n]*\n\s*)*(step_stats|partition_graphs|function_graphs|cost_graph|session_metadata|dev_stats)\s*:?\s*[{<]/

/** Tells by content, not by name, what a file is. */
export function sniff(bytes: Uint8Array): Content {
  const marked = otherByMagic(bytes)
  if (marked !== undefined) return { kind: 'other', ...marked }
  if (ZIP_MARK.every((byte, i) => bytes[i] === byte)) return { kind: 'zip' }
  if (looksLikeTar(bytes)) return { kind: 'tar' }
  if (looksLikeEventFile(bytes)) return { kind: 'event file' }
  if (isText(bytes)) return sniffText(bytes)
  const message = sniffProtobuf(bytes)
  if (message === 'RunMetadata' || message === 'StepStats') return { kind: message, isText: false }
  const known = otherMessage(message)
  return known === undefined ? { kind: 'unknown' } : { kind: 'other', ...known }
}

function sniffText(bytes: Uint8Array): Content {
  const start = new TextDecoder()
    .decode(bytes.subarray(0, HEAD_BYTES))
    .replace(/^\ufeff/, '')
    .trimStart()
  if (start.startsWith('{') || start.startsWith('[')) {
    if (start === '[' || start === '{') return { kind: 'other', what: `a JSON text of a single "${start}"` }
    return sniffJson(
      start,
      new TextDecoder()
        .decode(bytes.subarray(0, LONG_HEAD_BYTES))
        .replace(/^\ufeff/, '')
        .trimStart()
    )
  }
  const field = TEXT_RUN_METADATA.exec(start)?.[1]
  if (field !== undefined) return { kind: field === 'dev_stats' ? 'StepStats' : 'RunMetadata', isText: true }
  const other = otherText(start) ?? { what: 'a text', detail: ` starting "${short(start.slice(0, 40))}"` }
  return { kind: 'other', ...other }
}

function sniffJson(start: string, head: string): Content {
  if (start.includes(PROFILE_MARK)) return { kind: 'profile' }
  if (start.includes(OWN_TIMELINE_MARK)) return { kind: 'own timeline' }
  const other = otherJson(head)
  if (other !== undefined) return { kind: 'other', ...other }
  return looksLikeTimeline(start, head) ? { kind: 'timeline' } : { kind: 'other', what: 'a JSON text' }
}

/** The two forms of the Trace Event Format. */
function looksLikeTimeline(start: string, head: string): boolean {
  if (start.startsWith('[')) return /^\[\s*(?:\{|\]?\s*$)/.test(start) && /"ph"\s*:/.test(start)
  return /"traceEvents"\s*:/.test(head)
}

/** A binary RunMetadata holds lengths and numbers, hence control characters, within its first bytes; a text does not. */
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
