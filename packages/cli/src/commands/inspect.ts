import { renderJson } from '@foretrain/predictor/text'
import { CommandLineError } from '../errors.ts'
import { type OutputFlags, parseOutputFlags } from '../flags/output.ts'
import { parseInspectFlags } from '../flags/question.ts'
import type { Io } from '../io/io.ts'
import type { Libraries } from '../io/libraries.ts'
import { ProgressLine } from '../io/progress.ts'
import { findTraces } from '../io/traceFiles.ts'
import { renderInspection } from '../render/inspection.ts'
import { Destination } from './output.ts'
import { readTraces } from './readTraces.ts'

export interface InspectFlags extends OutputFlags {
  transport?: string
  save?: string
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
  const traces = await findTraces(names, io)
  destination.refuseInputs(traces, '--out')
  saved?.refuseInputs(traces, '--save')
  const progress = new ProgressLine(io.errors)
  try {
    const read = await readTraces(traces, libraries, progress)
    progress.show('replaying one worker')
    const inspection = await libraries.inspectProfile(read, options)
    await progress.clear()
    await saved?.write(await libraries.serializeProfile(read.profile))
    await destination.write(format === 'json' ? renderJson(inspection) : renderInspection(inspection, destination.look))
  } finally {
    await progress.clear()
  }
}
