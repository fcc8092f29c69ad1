import { type ExtractOptions, extract } from './extract/extract.ts'
import { decodeTrace, readContent } from './import/readTrace.ts'
import { type Limits, withDefaults } from './limits.ts'
import type { Profile } from './profile.ts'
import { type ImportedFile, type RawStep, TraceError, type TraceFile } from './rawStep.ts'
import { parseProfile } from './saved.ts'
import { short } from './text.ts'

export interface ReadOptions extends ExtractOptions {
  limits?: Partial<Limits>
}

/** What became of one input file. */
export interface FileSummary extends Omit<ImportedFile, 'steps'> {
  steps: number
}

/** A JavaScript string holds at most 2^29 − 24 characters (V8). */
function asText(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder().decode(bytes)
  } catch {
    throw new TraceError(`${short(name)}: a saved profile of ${bytes.length} bytes is too long to read`)
  }
}

/**
 * Reads the traced steps of one run and extracts their profile; or reads one saved profile.
 *
 * @param files in the order of their steps, read one after the other; each a RunMetadata or a timeline, or a single saved profile
 * @throws TraceError when a file is at fault, or the steps make no profile; errors of the files' own streams pass through
 */
export async function readProfile(
  files: Iterable<TraceFile> | AsyncIterable<TraceFile>,
  options: ReadOptions = {}
): Promise<{ profile: Profile; files: FileSummary[] }> {
  const limits = withDefaults(options.limits)
  const budget = { records: limits.maxRecords }
  const summaries: FileSummary[] = []
  const steps: RawStep[] = []
  let saved: { name: string; profile: Profile } | undefined
  for await (const file of files) {
    if (saved !== undefined)
      throw new TraceError(`${short(saved.name)}: a saved profile stands alone, but ${short(file.name)} was given too`)
    const content = await readContent(file, limits)
    if (content.kind === 'profile') {
      if (steps.length > 0)
        throw new TraceError(`${short(file.name)}: a saved profile stands alone, but ${short(summaries[0].name)} was given too`)
      const profile = parseProfile(asText(content.bytes, file.name), file.name)
      saved = { name: file.name, profile }
      summaries.push({ name: file.name, format: 'profile', bytes: content.fileBytes, steps: profile.steps.length })
    } else {
      const imported = await decodeTrace(file.name, content, budget, limits)
      steps.push(...imported.steps)
      summaries.push({ ...imported, steps: imported.steps.length })
    }
  }
  if (saved !== undefined) return { profile: saved.profile, files: summaries }
  return { profile: extract(steps, options), files: summaries }
}
