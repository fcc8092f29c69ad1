import { InputError } from '../errors.ts'
import { readClusterFiles } from '../flags/cluster.ts'
import { readOrders } from '../flags/policy.ts'
import { parseTimelineFlags, type TimelineFlags } from '../flags/timeline.ts'
import { gzipped } from '../io/gzip.ts'
import type { Io } from '../io/io.ts'
import type { Libraries } from '../io/libraries.ts'
import { ProgressLine } from '../io/progress.ts'
import { bytes, count } from '../render/numbers.ts'
import { findInputs, readTraces } from './inputs.ts'
import { Destination } from './output.ts'

/** Larger files open in no viewer (Chrome's gives up far below), and are written on demand only. */
const LARGEST_BYTES = 2e9

/** `foretrain timeline`: a simulated run as a trace to look at. */
export async function timelineCommand(names: string[], flags: TimelineFlags, io: Io, libraries: Libraries): Promise<void> {
  const { question, path, force, ...options } = parseTimelineFlags(flags, await readClusterFiles(flags))
  const destination = await Destination.open(path, force, io)
  const orders = await readOrders([String(question.policy)])
  const inputs = await findInputs(names, flags, { '--out': destination }, io)
  const progress = new ProgressLine(io.errors)
  try {
    const { profile } = await readTraces(inputs, libraries, progress)
    progress.show('calibrating')
    const { estimate, chunks } = await libraries.timeline({ ...question, ...(orders && { orders }), profile }, options)
    await progress.clear()
    const size = `about ${events(estimate.events)}, ${bytes(estimate.bytes)} of JSON`
    if (estimate.bytes > LARGEST_BYTES && !force) {
      throw new InputError(
        `${path ?? 'standard output'}: this timeline has ${size}, more than ${bytes(LARGEST_BYTES)}; ask for a shorter --window or fewer --trace-workers, or add --force`
      )
    }
    await io.errors.write(`timeline: ${size}\n`)
    const written = { json: 0, stored: 0 }
    const counting = countJson(chunks, size => {
      written.json += size
      progress.show(`written ${bytes(written.json)} of about ${bytes(estimate.bytes)}`)
    })
    const packed = path !== undefined && /\.gz$/i.test(path)
    await destination.writeChunks(
      countStored(packed ? gzipped(counting) : counting, size => {
        written.stored += size
      })
    )
    await progress.clear()
    const stored = packed ? `, ${bytes(written.stored)} as gzip` : ''
    await io.errors.write(`timeline: written, ${bytes(written.json)} of JSON${stored}\n`)
  } finally {
    await progress.clear()
  }
}

function events(number: number): string {
  return count(number, 'event')
}

async function* countJson(chunks: AsyncIterable<string>, add: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for await (const chunk of chunks) {
    const encoded = encoder.encode(chunk)
    add(encoded.length)
    yield encoded
  }
}

async function* countStored(chunks: AsyncIterable<Uint8Array>, add: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    add(chunk.length)
    yield chunk
  }
}
