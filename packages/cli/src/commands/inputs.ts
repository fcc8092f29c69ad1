import { oneLine } from '@foretrain/predictor/text'
import { readSizes } from '../flags/sizes.ts'
import type { Io } from '../io/io.ts'
import type { Libraries, ReadResult } from '../io/libraries.ts'
import type { ProgressLine } from '../io/progress.ts'
import { type SettingsFlags, settingsFiles } from '../io/settingsFiles.ts'
import { type FoundTrace, findTraces } from '../io/traceFiles.ts'
import { count, bytes as sizeText } from '../render/numbers.ts'
import type { Destination } from './output.ts'

/** Of the files that are no traces. */
const mostNamed = 2

/** What a command reads, and what it must not replace. */
interface Inputs {
  traces: FoundTrace[]
  /** File of --sizes. */
  sizes?: string
  /** What is written later, by flag. */
  outputs?: Outputs
}

type Outputs = Record<string, Destination | undefined>

/** Finds what a command reads: traces by their names, settings by the flags that name files. None of them may be what it writes. */
export async function findInputs(names: string[], flags: SettingsFlags, outputs: Outputs, io: Io): Promise<Inputs> {
  const traces = await findTraces(names, io)
  const settings = await settingsFiles(flags)
  for (const [flag, destination] of Object.entries(outputs)) {
    destination?.refuseInputs(traces, flag)
    destination?.refuseInputs(settings, flag, 'files')
  }
  return { traces, sizes: flags.sizes, outputs }
}

/**
 * Reads traces into a profile; the progress line says which file is being read, and how much of all there was. Files in folders and archives
 * that are no traces are noted.
 */
export async function readTraces(
  { traces, sizes, outputs = {} }: Inputs,
  libraries: Libraries,
  progress: ProgressLine
): Promise<ReadResult> {
  const table = sizes === undefined ? undefined : await readSizes(sizes)
  let done = 0
  const announced = traces.map(({ bytes, ...file }, index) => ({
    ...file,
    bytes: announce(bytes, size => {
      done += size
      progress.show(`reading ${index + 1}/${traces.length} traces, ${sizeText(done)}`)
    })
  }))
  const read = await libraries.readProfile(announced, table && { sizes: table })
  const isUsed = ({ name }: FoundTrace) => read.files.some(file => file.name === name || file.name.startsWith(`${name}/`))
  const used = traces.filter(isUsed).map(({ realPath }) => ({ realPath }))
  for (const [flag, destination] of Object.entries(outputs)) destination?.refuseInputs(used, flag)
  if (read.passedOver.length > 0) await progress.note(passedOverNote(read.passedOver))
  return read
}

async function* announce(bytes: AsyncIterable<Uint8Array>, say: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    say(chunk.length)
    yield chunk
  }
}

/** What folders and archives held besides traces. */
function passedOverNote(passedOver: ReadResult['passedOver']): string {
  const named = passedOver.slice(0, mostNamed).map(({ name, what }) => `${name} (${what})`)
  const rest = passedOver.length - named.length
  const list = oneLine(`${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`)
  return `note: ${count(passedOver.length, 'file')} passed over as no traces: ${list}\n`
}
