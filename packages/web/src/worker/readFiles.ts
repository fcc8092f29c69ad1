import { type Profile, readProfile, type TraceFile } from '@foretrain/trace-parser'
import type { Found, GivenFile } from './protocol.ts'

/** A tab has less memory than a terminal: a step of 20,000 operations takes some 5 MB. */
const limits = { maxUnpackedBytes: 256 * 1024 * 1024 }

/** @param onFile is told how many files have been begun */
export async function readFiles(
  given: readonly GivenFile[],
  onFile: (done: number, total: number) => void
): Promise<{ profile: Profile; found: Found }> {
  const files = given.map(
    ({ name, file, foundIn }, index): TraceFile => ({
      name,
      bytes: bytesOf(file, () => onFile(index, given.length)),
      ...(foundIn && { foundIn })
    })
  )
  const { profile, files: summaries, passedOver } = await readProfile(files, { limits })
  const { steps, operations, servers, counts } = profile
  const bytesPerServer = (kind: 'pull' | 'push') =>
    servers.map((_, server) =>
      operations.reduce((sum, one) => sum + (one.kind === kind && one.server === server ? one.bytes : 0), 0)
    )
  const found: Found = {
    files: summaries,
    steps: steps.length,
    droppedSteps: counts.droppedSteps,
    operations: operations.length,
    transfers: operations.filter(({ kind }) => kind === 'pull' || kind === 'push').length,
    servers: servers.length,
    pullBytes: bytesPerServer('pull'),
    pushBytes: bytesPerServer('push'),
    stepMs: steps.reduce((sum, { spanUs }) => sum + spanUs, 0) / steps.length / 1000,
    records: { read: counts.records, used: counts.used, ignored: counts.ignored },
    passedOver: passedOver.map(({ name }) => name)
  }
  return { profile, found }
}

async function* bytesOf(file: Blob, onBegin: () => void): AsyncGenerator<Uint8Array> {
  onBegin()
  const reader = file.stream().getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel()
  }
}
