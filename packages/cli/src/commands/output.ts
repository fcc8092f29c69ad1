import type { Warning } from '@foretrain/predictor'
import { renderJson } from '@foretrain/predictor/text'
import { CommandLineError } from '../errors.ts'
import type { Format } from '../flags/output.ts'
import type { Io, TextOutput } from '../io/io.ts'
import { checkOutputFile, type OutputFile, writeOutputFile } from '../io/outputFile.ts'
import type { FoundTrace } from '../io/traceFiles.ts'
import { type Look, lookOf } from '../render/look.ts'
import { renderWarnings } from '../render/shared.ts'

interface Formats<Document> {
  csv: (document: Document) => string
  table: (document: Document, look: Look) => string
}

/**
 * Writes the document that answers a question in the format that was asked for. A spreadsheet has no place for warnings, and they must not be
 * lost: of a CSV they go to standard error.
 */
export async function writeDocument<Document extends { warnings: Warning[] }>(
  document: Document,
  format: Format,
  { csv, table }: Formats<Document>,
  destination: Destination,
  io: Io
): Promise<void> {
  if (format === 'json') await destination.write(renderJson(document))
  else if (format === 'csv') {
    await destination.write(csv(document))
    await io.errors.write(renderWarnings(document.warnings, lookOf(io.errors, io.environment)))
  } else await destination.write(table(document, destination.look))
}

/** Where the result of a command goes: a checked file, or standard output. */
export class Destination {
  private constructor(
    private readonly file: OutputFile | undefined,
    private readonly output: TextOutput,
    readonly look: Look
  ) {}

  /** Checks the file, so that a command fails before its work instead of after it. */
  static async open(path: string | undefined, force: boolean, io: Io): Promise<Destination> {
    const file = path === undefined ? undefined : await checkOutputFile(path, force)
    return new Destination(file, io.output, lookOf(file ? undefined : io.output, io.environment))
  }

  /** Refuses to replace what is being read. Of files that nobody named it shows later whether they are (readTraces in inputs.ts). */
  refuseInputs(inputs: ReadonlyArray<Pick<FoundTrace, 'realPath' | 'foundIn'>>, flag: string, name = 'traces'): void {
    const { file } = this
    if (file === undefined || file.special) return
    if (inputs.some(({ realPath, foundIn }) => foundIn === undefined && realPath === file.path))
      throw new CommandLineError(`${flag} ${file.name}: is one of the ${name} to read`)
  }

  /** Whether both would write to one file, however its name is spelled. A device takes both. */
  isSameFile(other: Destination): boolean {
    return this.file !== undefined && !this.file.special && this.file.path === other.file?.path
  }

  async write(text: string): Promise<void> {
    if (this.file) await writeOutputFile(this.file, text)
    else await this.output.write(text)
  }

  /** The same, piece by piece: a file has its name only when all of it has come. */
  async writeChunks(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    if (this.file) await writeOutputFile(this.file, chunks)
    else for await (const chunk of chunks) await this.output.write(chunk)
  }
}
