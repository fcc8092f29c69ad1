import { loadCore } from '@foretrain/core-wasm'
import type { Profile } from '@foretrain/trace-parser'
import { compile } from '../../src/compile/compile.ts'
import { Pacer } from '../../src/simulate/pacer.ts'
import type { Run } from '../../src/timeline/play.ts'
import { timelineText } from '../../src/timeline/text.ts'
import { collected, type TraceDocument } from './traceEvents.ts'

/**
 * The timeline of the first step of a worker beside as many servers as the profile has: 100 bytes/µs each way, 10 µs apart; a tensor is parsed at
 * 0.01 µs/byte + 5 µs, one at a time.
 */
export async function played(profile: Profile, changes: Partial<Run> = {}): Promise<TraceDocument> {
  const host = { outBytesPerUs: 100, inBytesPerUs: 100 }
  const parse = { slots: 1, perByteUs: 0.01, fixedUs: 5 }
  const run: Run = {
    core: await loadCore(),
    job: compile(profile, { contract: false }).job,
    cluster: {
      workers: [{ ...host, computeScale: 1, latencyUs: 10 }],
      servers: profile.servers.map(() => ({ ...host, updateScale: 1 })),
      computeSlots: 1,
      updateSlots: 1,
      workerParse: parse,
      serverParse: parse,
      turns: { first: Number.POSITIVE_INFINITY, later: Number.POSITIVE_INFINITY },
      stepOverheadUs: 1000,
      ackFraction: 0
    },
    seed: 1,
    phaseSpanUs: 0,
    traced: [0],
    window: { kind: 'steps', count: 1, from: 0 },
    pacer: new Pacer(),
    ...changes
  }
  return collected(timelineText(profile, run, { schema: 'foretrain/timeline@1', operations: profile.operations.length }))
}
