import { loadCore } from '@foretrain/core-wasm'
import type { Profile } from '@foretrain/trace-parser'
import { calibrate } from './calibrate/calibrate.ts'
import { compile } from './compile/compile.ts'
import { profileWarnings } from './predict/warnings.ts'
import type { TransportName } from './question.ts'
import { replay } from './replay.ts'
import type { Inspection } from './schema.ts'

/** A profile with the files it was read from. */
export interface InspectInput {
  profile: Profile
  /** The files that were read, as the importer describes them. */
  files: Inspection['files']
}

/**
 * What is in a profile and how well one worker replays it.
 *
 * @param options.transport default auto
 * @throws QuestionError when the profile cannot be compiled
 */
export async function inspectProfile(
  { profile, files }: InspectInput,
  options: { transport?: TransportName } = {}
): Promise<Inspection> {
  const core = await loadCore()
  const transport = options.transport ?? 'auto'
  const compiled = compile(profile)
  const replayed = replay(core, profile, compiled, calibrate(core, profile, compiled, { transport }), transport)
  const spansMs = profile.steps.map(step => step.spanUs / 1000)
  const { counts } = profile
  return {
    schema: 'foretrain/inspection@1',
    files,
    steps: {
      used: profile.steps.length,
      dropped: counts.droppedSteps.length,
      spanMs: {
        mean: spansMs.reduce((sum, span) => sum + span, 0) / spansMs.length,
        min: spansMs.reduce((least, span) => Math.min(least, span), Number.POSITIVE_INFINITY),
        max: spansMs.reduce((most, span) => Math.max(most, span), 0)
      }
    },
    devices: profile.devices,
    operations: {
      used: counts.used,
      ignored: Object.values(counts.ignored).reduce((sum, count) => sum + count, 0),
      imputed: counts.imputedTransfers,
      withoutDuration: counts.withoutDuration
    },
    transfers: transfersOf(profile),
    holes: profile.holes.map(({ startUs, durationUs, before, after }) => ({
      startMs: startUs / 1000,
      durationMs: durationUs / 1000,
      before,
      after
    })),
    replay: replayed,
    warnings: profileWarnings(profile, replayed)
  }
}

function transfersOf(profile: Profile): Inspection['transfers'] {
  return (['pull', 'push'] as const).flatMap(direction =>
    profile.servers.map((_, server) => {
      const own = profile.operations.filter(operation => operation.kind === direction && operation.server === server)
      return {
        direction,
        server,
        count: own.length,
        bytes: own.reduce((sum, operation) => sum + operation.bytes, 0),
        largest: own.reduce((most, operation) => Math.max(most, operation.bytes), 0)
      }
    })
  )
}
