import { readSizes } from '../flags/sizes.ts'
import type { Libraries, ReadResult } from '../io/libraries.ts'
import type { ProgressLine } from '../io/progress.ts'
import type { FoundTrace } from '../io/traceFiles.ts'
import { bytes as sizeText } from '../render/numbers.ts'
import type { Destination } from './output.ts'

interface ReadTracesOptions {
  /** File of --sizes. */
  sizes?: string
  /** What is written later, by flag: it must replace none of the traces. */
  outputs?: Record<string, Destination | undefined>
}

/** Reads traces into a profile; the progress line says which file is being read, and how much of all there was. */
export async function readTraces(
  traces: FoundTrace[],
  libraries: Libraries,
  progress: ProgressLine,
  { sizes, outputs = {} }: ReadTracesOptions = {}
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
  return read
}

async function* announce(bytes: AsyncIterable<Uint8Array>, say: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    say(chunk.length)
    yield chunk
  }
}
