import type { Limits } from '../limits.ts'
import { type ImportedFile, type RawStep, TraceError, type TraceFile } from '../rawStep.ts'
import { counted, short } from '../text.ts'
import { tarEntries } from './archive/tar.ts'
import { zipEntries } from './archive/zip.ts'
import type { Budget } from './budget.ts'
import { type Bounds, type Opened, open, unpacked } from './byteSource.ts'
import { collect } from './collect.ts'
import { readEventFile } from './eventFile.ts'
import { readRunMetadata } from './runMetadata.ts'
import { readRunMetadataText } from './runMetadataText.ts'
import { refusalOf, WANTED } from './sniff/others.ts'
import { type Content, sniff } from './sniff/sniff.ts'
import { readTimeline } from './traceEventFile.ts'
import { Wire } from './wire.ts'

/** What became of one file, or of one entry of an archive. */
export type Outcome =
  | { kind: 'trace'; imported: ImportedFile }
  | { kind: 'profile'; name: string; fileBytes: number; bytes: Uint8Array }
  | PassedOver

/** A file of a folder or archive that is no trace, which nobody named. */
export interface PassedOver {
  kind: 'passed over'
  name: string
  /** What it is instead. */
  what: string
  /** Whether foretrain wrote it. */
  isProduct: boolean
}

interface ImportContext {
  limits: Limits
  budget: Budget
}

type Trace = Extract<Content, { kind: 'RunMetadata' | 'StepStats' | 'unknown' | 'own timeline' | 'timeline' | 'event file' }>

/** Unpacked bytes by which it shows whether a gzip file is damaged at its begin. */
const LOOKED_AT_BYTES = 64 * 1024

/** More entries than any run has steps, and few enough to look at each. */
const MOST_ENTRIES = 100_000

/**
 * Imports one file, told by its content; of an archive, each of its entries.
 *
 * @throws TraceError when the file is no trace, is damaged, or exceeds a limit; errors of `file.bytes` pass through
 */
export async function* importFile(file: TraceFile, context: ImportContext): AsyncGenerator<Outcome> {
  const opened = await open(file)
  try {
    const content = sniff(opened.head)
    if (content.kind === 'zip' || content.kind === 'tar') yield* importArchive(opened, content.kind, context)
    else yield await importOne(opened, content, context)
  } finally {
    await opened.close()
  }
}

async function importOne(file: Opened, content: Content, { limits, budget }: ImportContext): Promise<Outcome> {
  const { name, foundIn } = file
  const what = await notATrace(file, content)
  if (what !== undefined) {
    if (foundIn === undefined) throw new TraceError(`${short(name)}: ${what.refusal}`)
    return { kind: 'passed over', name, what: what.what, isProduct: content.kind === 'profile' || content.kind === 'own timeline' }
  }
  let fileBytes = 0
  const bytes = (bounds: Bounds) =>
    unpacked(file, bounds, count => {
      fileBytes += count
    })
  if (content.kind === 'profile') {
    const whole = await collect(bytes(ofWhole(limits)))
    return { kind: 'profile', name, fileBytes, bytes: whole }
  }
  const { format, steps } = await decode(name, content as Trace, bytes, limits, budget)
  return { kind: 'trace', imported: { name, format: file.isGzip ? withNote(format, 'gzip') : format, bytes: fileBytes, steps } }
}

/** Why a file is not read; undefined when it is. */
async function notATrace(file: Opened, content: Content): Promise<{ what: string; refusal: string } | undefined> {
  const { isGzip, head, foundIn } = file
  if (head.length === 0 && !isGzip) return { what: 'empty', refusal: `empty file (0 bytes); ${WANTED}` }
  // What a damaged gzip file begins with says little: the damage is the fault to be told.
  if (isGzip && (head.length === 0 || content.kind === 'other')) await refuseDamaged(file)
  if (head.length === 0) return { what: 'gzip of nothing', refusal: `gzip file of nothing; ${WANTED}` }
  if (content.kind === 'other') return { what: content.what, refusal: refusalOf(content) }
  if (foundIn === undefined) return undefined
  if (content.kind === 'unknown') return { what: 'of no known format', refusal: '' }
  if (foundIn === 'folder' && content.kind === 'profile') return { what: 'a saved profile', refusal: '' }
  if (foundIn === 'folder' && content.kind === 'own timeline') return { what: 'a timeline of foretrain', refusal: '' }
  return undefined
}

/** Unpacks the begin of a gzip file that is not read any further. */
async function refuseDamaged(file: Opened): Promise<void> {
  let left = LOOKED_AT_BYTES
  const bounds = { stored: Number.POSITIVE_INFINITY, unpacked: Number.POSITIVE_INFINITY, advice: '' }
  for await (const { length } of unpacked(file, bounds, () => undefined)) {
    left -= length
    if (left < 0) return
  }
}

async function decode(
  name: string,
  content: Trace,
  bytes: (bounds: Bounds) => AsyncIterable<Uint8Array>,
  limits: Limits,
  budget: Budget
): Promise<{ format: string; steps: RawStep[] }> {
  switch (content.kind) {
    case 'timeline':
    case 'own timeline':
      return readTimeline(name, bytes(ofStream(limits)), budget)
    case 'event file':
      return {
        format: 'TensorBoard event file',
        steps: await readEventFile(name, bytes(ofStream(limits)), limits.maxUnpackedBytes, budget)
      }
    default: {
      const isStepStats = content.kind === 'StepStats'
      if (content.kind !== 'unknown' && content.isText) {
        const step = await readRunMetadataText(name, bytes(ofStream(limits)), budget)
        return { format: `${content.kind} (text)`, steps: [step] }
      }
      const whole = await collect(bytes(ofWhole(limits)))
      return {
        format: isStepStats ? 'StepStats' : 'RunMetadata',
        steps: [readRunMetadata(name, new Wire(name, whole), isStepStats, budget)]
      }
    }
  }
}

/** Of a file that is kept whole while it is read. */
function ofWhole({ maxFileBytes, maxUnpackedBytes }: Limits): Bounds {
  return { stored: maxFileBytes, unpacked: maxUnpackedBytes, advice: '; one file is to hold one traced step' }
}

/** Of a file that is read piece by piece. */
function ofStream({ maxTimelineBytes }: Limits): Bounds {
  return { stored: maxTimelineBytes, unpacked: maxTimelineBytes, advice: '; write fewer steps' }
}

/** The entries of an archive that are traces; all others are passed over. Names are for messages, never for paths. */
async function* importArchive(archive: Opened, kind: 'zip' | 'tar', context: ImportContext): AsyncGenerator<Outcome> {
  const { name, isGzip, foundIn } = archive
  const { limits } = context
  if (foundIn === 'archive') throw new TraceError(`${short(name)}: an archive within an archive; unpack the outer one`)
  if (isGzip && kind === 'zip') throw new TraceError(`${short(name)}: a ZIP archive within a gzip file; unpack it (gunzip)`)
  const bytes = unpacked(archive, kind === 'zip' ? ofWhole(limits) : ofStream(limits), () => undefined)
  const entries = kind === 'zip' ? zipEntries(name, await collect(bytes)) : tarEntries(name, bytes)
  const unpackedBytes = { left: limits.maxTimelineBytes }
  const note = `in ${isGzip ? 'tar.gz' : kind}`
  const passedOver: Array<Extract<Outcome, { kind: 'passed over' }>> = []
  let count = 0
  for await (const entry of entries) {
    if (++count > MOST_ENTRIES)
      throw new TraceError(`${short(name)}: more than ${MOST_ENTRIES} entries; give a folder with the traces`)
    const file: TraceFile = {
      name: `${name}/${entry.name}`,
      bytes: within(name, entry.bytes, unpackedBytes, limits),
      foundIn: 'archive'
    }
    for await (const outcome of importFile(file, context)) {
      if (outcome.kind === 'passed over') passedOver.push(outcome)
      else if (outcome.kind === 'profile') yield outcome
      else yield { kind: 'trace', imported: { ...outcome.imported, format: withNote(outcome.imported.format, note) } }
    }
  }
  const first = passedOver.length > 0 ? `: ${short(passedOver[0].name.slice(name.length + 1))} is ${passedOver[0].what}` : ''
  const what = `an archive without traces (${counted(count, 'file')}${first})`
  if (passedOver.length < count) yield* passedOver
  else if (foundIn === 'folder') yield { kind: 'passed over', name, what, isProduct: false }
  else throw new TraceError(`${short(name)}: ${what}; ${WANTED}`)
}

/** "RunMetadata (gzip)" in a tar archive: "RunMetadata (gzip, in tar)". */
function withNote(format: string, note: string): string {
  return format.endsWith(')') ? `${format.slice(0, -1)}, ${note})` : `${format} (${note})`
}

/** The bytes of an entry, as long as all entries together stay within the limit. */
async function* within(
  name: string,
  bytes: AsyncIterable<Uint8Array>,
  unpackedBytes: { left: number },
  limits: Limits
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    unpackedBytes.left -= chunk.length
    if (unpackedBytes.left < 0)
      throw new TraceError(`${short(name)}: archive unpacks to more than the limit of ${limits.maxTimelineBytes} bytes`)
    yield chunk
  }
}
