import { EVENT_REASONS } from './eventReasons.ts'
import { type ExtractOptions, extract } from './extract/extract.ts'
import { importFile, type Outcome, type PassedOver } from './import/readTrace.ts'
import { dropRepeatedSteps, type RepeatedStep } from './import/repeatedSteps.ts'
import { completeTransfers, type SizeTable } from './import/timelineTransfers.ts'
import { type Limits, withDefaults } from './limits.ts'
import type { Profile } from './profile.ts'
import { type ImportedFile, TraceError, type TraceFile } from './rawStep.ts'
import { parseProfile } from './saved.ts'
import { counted, short, some } from './text.ts'

/** How `readProfile` reads; all of it has a default. */
export interface ReadOptions extends ExtractOptions {
  limits?: Partial<Limits>
  /** Bytes by name of a tensor or variable, for timelines of TensorFlow, which do not record them. */
  sizes?: SizeTable
}

/** What became of one input file, or of one entry of an archive. */
export interface FileSummary extends Omit<ImportedFile, 'steps'> {
  steps: number
}

/** The profile, and what became of each file. */
export interface ReadResult {
  profile: Profile
  files: FileSummary[]
  passedOver: PassedOver[]
}

/** A JavaScript string holds at most 2^29 − 24 characters (V8). */
function asText(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder().decode(bytes)
  } catch {
    throw new TraceError(`${short(name)}: a saved profile of ${bytes.length} bytes is too long to read`)
  }
}

/** The files of a run as they come; a saved profile stands alone. */
class Run {
  readonly files: FileSummary[] = []
  readonly passedOver: PassedOver[] = []
  readonly imported: ImportedFile[] = []
  saved: { name: string; profile: Profile } | undefined

  take(outcome: Outcome): void {
    if (outcome.kind === 'passed over') {
      this.passedOver.push(outcome)
      return
    }
    if (outcome.kind === 'profile') {
      const { name, bytes, fileBytes } = outcome
      if (this.imported.length > 0) this.refuseBoth(name, this.files[0].name)
      if (this.saved !== undefined) this.refuseBoth(this.saved.name, name)
      const profile = parseProfile(asText(bytes, name), name)
      this.saved = { name, profile }
      this.files.push({ name, format: 'profile', bytes: fileBytes, steps: profile.steps.length })
      return
    }
    const { imported } = outcome
    if (this.saved !== undefined) this.refuseBoth(this.saved.name, imported.name)
    this.imported.push(imported)
    this.files.push({ ...imported, steps: imported.steps.length })
  }

  private refuseBoth(profile: string, other: string): never {
    throw new TraceError(`${short(profile)}: a saved profile stands alone, but ${short(other)} was given too`)
  }

  /** @throws TraceError when nothing that was looked at is a trace */
  refuseNothing(): void {
    if (this.files.length > 0 || this.passedOver.length === 0) return
    const seen = some(this.passedOver.map(({ name, what }) => `${short(name)} is ${what}`))
    const ownProducts = this.passedOver.some(({ isProduct }) => isProduct) ? '; name a saved profile or timeline by itself' : ''
    throw new TraceError(`no traces in ${counted(this.passedOver.length, 'file')} (${seen})${ownProducts}`)
  }
}

/**
 * Reads the traced steps of one run and extracts their profile; or reads one saved profile.
 *
 * @param files in the order of their steps, read one after the other; each with one or several steps, an archive of such, or a single saved profile
 * @throws TraceError when a file is at fault, or the steps make no profile; errors of the files' own streams pass through
 */
export async function readProfile(
  files: Iterable<TraceFile> | AsyncIterable<TraceFile>,
  options: ReadOptions = {}
): Promise<ReadResult> {
  const limits = withDefaults(options.limits)
  const context = { limits, budget: { records: limits.maxRecords } }
  const run = new Run()
  for await (const file of files) for await (const outcome of importFile(file, context)) run.take(outcome)
  run.refuseNothing()
  const { files: summaries, passedOver } = run
  if (run.saved !== undefined) return { profile: run.saved.profile, files: summaries, passedOver }
  const { steps, repeated } = dropRepeatedSteps(run.imported)
  const unused = completeTransfers(steps, options.sizes)
  const profile = extract(steps, options)
  noteRepeated(profile, repeated)
  if (unused.length > 0) noteUnused(profile, unused)
  return { profile, files: summaries, passedOver }
}

/** Steps that several files hold: they came in, and were left out. */
function noteRepeated({ counts, warnings }: Profile, steps: readonly RepeatedStep[]): void {
  if (steps.length === 0) return
  for (const { trace, other } of steps) counts.droppedSteps.push({ trace, reason: `is the step of ${other} once more` })
  const records = steps.reduce((sum, step) => sum + step.records, 0)
  counts.records += records
  counts.ignored[EVENT_REASONS.repeated] = records
  const [{ trace, other }] = steps
  warnings.push({
    code: 'repeated-steps',
    message: `${counted(steps.length, 'step')} in several formats, counted once: ${short(trace)} is the step of ${short(other)}`,
    count: steps.length,
    where: trace
  })
}

function noteUnused(profile: Profile, names: readonly string[]): void {
  profile.warnings.push({
    code: 'unused-sizes',
    message: `${counted(names.length, 'given size')} not needed: ${some(names)}; sizes complete timelines of TensorFlow, by the name of a tensor or variable`,
    count: names.length
  })
}

/**
 * Imports one trace file, told by its content; of an archive, all its traces together.
 *
 * @param limits bounds on sizes, see `DEFAULT_LIMITS`
 * @param sizes bytes by name of a tensor or variable, for timelines of TensorFlow
 * @throws TraceError when the file is no trace, is damaged, or exceeds a limit; errors of `file.bytes` pass through
 */
export async function readTrace(file: TraceFile, limits?: Partial<Limits>, sizes?: SizeTable): Promise<ImportedFile> {
  const bounds = withDefaults(limits)
  const all: ImportedFile[] = []
  for await (const outcome of importFile(file, { limits: bounds, budget: { records: bounds.maxRecords } })) {
    if (outcome.kind === 'profile')
      throw new TraceError(`${short(file.name)}: this is a saved profile, already extracted; expected a trace`)
    if (outcome.kind === 'trace') all.push(outcome.imported)
  }
  const { steps } = dropRepeatedSteps(all)
  completeTransfers(steps, sizes)
  if (all.length === 1) return all[0]
  const bytes = all.reduce((sum, imported) => sum + imported.bytes, 0)
  return { name: file.name, format: `archive of ${counted(all.length, 'trace')}`, bytes, steps }
}
