import { parseChoice, quoted } from '@foretrain/predictor/text'
import { CommandLineError } from '../errors.ts'

export type Format = 'table' | 'json' | 'csv'

export interface OutputFlags {
  format?: string
  out?: string
  force?: boolean
}

interface OutputOptions<Accepted extends Format> {
  format: Accepted
  /** Undefined: standard output. */
  path: string | undefined
  force: boolean
}

/** Reads `--format`, `--out`, `--force`. Without `--format`, the ending of the output file decides, then it is a table. */
export function parseOutputFlags<Accepted extends Format>(
  flags: OutputFlags,
  accepted: readonly Accepted[]
): OutputOptions<Accepted> {
  if (flags.out === '') throw new CommandLineError('--out "": write the name of a file')
  const path = flags.out === '-' ? undefined : flags.out
  const ending = path === undefined ? '' : (/\.(json|csv)$/i.exec(path)?.[1].toLowerCase() ?? '')
  if (flags.format === undefined && ending !== '' && !accepted.some(format => format === ending))
    throw new CommandLineError(
      `--out ${quoted(path ?? '')}: no ${ending.toUpperCase()} here; end it otherwise, or add --format: ${accepted.join(', ')}`
    )
  const implied = accepted.find(format => format === ending) ?? accepted[0]
  return {
    format: flags.format === undefined ? implied : parseChoice('--format', flags.format, accepted),
    path,
    force: flags.force ?? false
  }
}
