import { type Limits, withDefaults } from '../limits.ts'
import { type ImportedFile, TraceError, type TraceFile } from '../rawStep.ts'
import { short } from '../text.ts'
import { collect } from './collect.ts'
import { gunzip, isGzip } from './gunzip.ts'
import { type Budget, readRunMetadata } from './runMetadata.ts'
import { sniff } from './sniff.ts'
import { Wire } from './wire.ts'

const ACCEPTED = 'a binary TensorFlow RunMetadata protobuf, plain or gzip'

/** A file's content with gzip taken off. */
export interface Content {
  kind: 'protobuf' | 'profile'
  gzip: boolean
  /** As stored. */
  fileBytes: number
  bytes: Uint8Array
}

/**
 * Reads a file whole and tells what it is.
 *
 * @throws TraceError when it is empty, too large, damaged, or of a kind that no importer knows
 */
export async function readContent(file: TraceFile, limits: Limits): Promise<Content> {
  const stored = await collect(file, limits.maxFileBytes)
  if (stored.length === 0) throw new TraceError(`${short(file.name)}: empty file (0 bytes); expected ${ACCEPTED}`)
  const gzip = isGzip(stored)
  const bytes = gzip ? await gunzip(file.name, stored, limits.maxUnpackedBytes) : stored
  if (bytes.length === 0) throw new TraceError(`${short(file.name)}: gzip file of nothing; expected ${ACCEPTED}`)
  const content = sniff(bytes)
  if (content.kind === 'other') throw new TraceError(`${short(file.name)}: this is ${content.what}; expected ${ACCEPTED}`)
  return { kind: content.kind, gzip, fileBytes: stored.length, bytes }
}

/** Decodes what `readContent` found to be a trace. */
export function decodeTrace(name: string, content: Content, budget: Budget): ImportedFile {
  return {
    name,
    format: content.gzip ? 'RunMetadata (gzip)' : 'RunMetadata',
    bytes: content.fileBytes,
    steps: [readRunMetadata(name, new Wire(name, content.bytes), budget)]
  }
}

/**
 * Imports one trace file: a binary RunMetadata, plain or gzip, told by its content.
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
  return decodeTrace(file.name, content, { records: bounds.maxRecords })
}
