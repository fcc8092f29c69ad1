import { type Limits, withDefaults } from '../limits.ts'
import { type ImportedFile, TraceError, type TraceFile } from '../rawStep.ts'
import { short } from '../text.ts'
import { type Opened, open } from './byteSource.ts'
import { collect } from './collect.ts'
import { gunzip } from './gunzip.ts'
import { type Budget, readRunMetadata } from './runMetadata.ts'
import { sniff } from './sniff.ts'
import { readTimeline } from './traceEventFile.ts'
import { Wire } from './wire.ts'

const ACCEPTED = 'a binary TensorFlow RunMetadata protobuf or a timeline of foretrain, plain or gzip'

/** A file's content, as far as it is read to tell what it is. */
export type Content = WholeContent<'protobuf'> | WholeContent<'profile'> | { kind: 'timeline'; file: Opened }

interface WholeContent<Kind> {
  kind: Kind
  gzip: boolean
  /** As stored. */
  fileBytes: number
  /** With gzip taken off. */
  bytes: Uint8Array
}

/**
 * Tells what a file is, and reads it whole unless it is a timeline.
 *
 * @throws TraceError when it is empty, too large, damaged, or of a kind that no importer knows
 */
export async function readContent(file: TraceFile, limits: Limits): Promise<Content> {
  const opened = await open(file)
  if (sniff(opened.head).kind === 'timeline') return { kind: 'timeline', file: opened }
  const stored = await collect(opened, limits.maxFileBytes)
  if (stored.length === 0) throw new TraceError(`${short(file.name)}: empty file (0 bytes); expected ${ACCEPTED}`)
  const bytes = opened.isGzip ? await gunzip(file.name, stored, limits.maxUnpackedBytes) : stored
  if (bytes.length === 0) throw new TraceError(`${short(file.name)}: gzip file of nothing; expected ${ACCEPTED}`)
  const content = sniff(bytes)
  if (content.kind === 'other') throw new TraceError(`${short(file.name)}: this is ${content.what}; expected ${ACCEPTED}`)
  // What looks like a timeline only behind the head that was looked at is none that an importer knows.
  if (content.kind === 'timeline') throw new TraceError(`${short(file.name)}: this is a JSON text; expected ${ACCEPTED}`)
  return { kind: content.kind, gzip: opened.isGzip, fileBytes: stored.length, bytes }
}

/** Decodes what `readContent` found to be a trace. */
export async function decodeTrace(
  name: string,
  content: Exclude<Content, { kind: 'profile' }>,
  budget: Budget,
  limits: Limits
): Promise<ImportedFile> {
  if (content.kind === 'timeline') return readTimeline(content.file, limits.maxTimelineBytes, budget)
  return {
    name,
    format: content.gzip ? 'RunMetadata (gzip)' : 'RunMetadata',
    bytes: content.fileBytes,
    steps: [readRunMetadata(name, new Wire(name, content.bytes), budget)]
  }
}

/**
 * Imports one trace file: a binary RunMetadata or a timeline, plain or gzip, told by its content.
 *
 * @param limits bounds on sizes, see `DEFAULT_LIMITS`
 * @throws TraceError when the file is not that, is damaged, or exceeds a limit; errors of `file.bytes` pass through
 */
export async function readTrace(file: TraceFile, limits?: Partial<Limits>): Promise<ImportedFile> {
  const bounds = withDefaults(limits)
  const content = await readContent(file, bounds)
  if (content.kind === 'profile') {
    throw new TraceError(`${short(file.name)}: this is a saved profile, already extracted; expected ${ACCEPTED}`)
  }
  return decodeTrace(file.name, content, { records: bounds.maxRecords }, bounds)
}
