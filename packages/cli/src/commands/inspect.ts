import { renderJson } from '@foretrain/predictor/text'
import { CommandLineError } from '../errors.ts'
import { type OutputFlags, parseOutputFlags } from '../flags/output.ts'
import { parseInspectFlags } from '../flags/question.ts'
import type { SizesFlag } from '../flags/sizes.ts'
import type { Io } from '../io/io.ts'
import type { Libraries, ReadResult } from '../io/libraries.ts'
import { ProgressLine } from '../io/progress.ts'
import { renderInspection } from '../render/inspection.ts'
import { findInputs, readTraces } from './inputs.ts'
import { Destination } from './output.ts'

interface InspectFlags extends OutputFlags, SizesFlag {
  transport?: string
  save?: string
  redact?: boolean
}

/** `foretrain inspect`: what is in the traces; on demand saves their profile. */
export async function inspectCommand(names: string[], flags: InspectFlags, io: Io, libraries: Libraries): Promise<void> {
  const options = parseInspectFlags(flags)
  const { format, path, force } = parseOutputFlags(flags, ['table', 'json'])
  if (flags.save === '') throw new CommandLineError('--save "": write the name of a file')
  if (flags.save === '-' && path === undefined)
    throw new CommandLineError('--save -: standard output takes the inspection; add --out FILE')
  const destination = await Destination.open(path, force, io)
  const savePath = flags.save === '-' ? undefined : flags.save
  const saved = flags.save === undefined ? undefined : await Destination.open(savePath, force, io)
  if (saved?.isSameFile(destination)) throw new CommandLineError('--save and --out name the same file')
  const inputs = await findInputs(names, flags, { '--out': destination, '--save': saved }, io)
  const progress = new ProgressLine(io.errors)
  try {
    const named = await readTraces(inputs, libraries, progress)
    const read = flags.redact ? await redact(named, libraries) : named
    progress.show('replaying one worker')
    const inspection = await libraries.inspectProfile(read, options)
    await progress.clear()
    await saved?.write(await libraries.serializeProfile(read.profile))
    await destination.write(format === 'json' ? renderJson(inspection) : renderInspection(inspection, destination.look))
  } finally {
    await progress.clear()
  }
}

/** The same without names that people gave: neither of the profile nor of files. */
async function redact({ profile, files }: ReadResult, libraries: Libraries): Promise<ReadResult> {
  return {
    profile: await libraries.redactProfile(profile),
    files: files.map((file, index) => ({ ...file, name: `file_${index + 1}` })),
    passedOver: []
  }
}
