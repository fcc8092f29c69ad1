import { version } from '@foretrain/predictor'
import * as v from 'valibot'
import type { Chunk } from '../local/chunks.ts'
import { mostPoints } from '../local/plan.ts'
import { SweepError } from '../sweepError.ts'
import { withoutPrototype } from './withoutPrototype.ts'

const schema = 'foretrain/sweep-job@1'

/** Workers of another version have other figures for the same point: they see these jobs as little as those of another schema. */
export const queueName = `${schema.replace(/\W+/g, '-')}-${version}`

/** What a worker is asked to do. */
interface SweepJob extends Chunk {
  schema: typeof schema
  version: string
  /** Hashes of what is fetched: SHA-256 in hexadecimal. */
  plan: string
  profile: string
}

export function jobOf({ from, to }: Chunk, plan: string, profile: string): SweepJob {
  return { schema, version, plan, profile, from, to }
}

const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))
const point = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(mostPoints))
const job = v.pipe(
  v.strictObject(
    withoutPrototype({ schema: v.literal(schema), version: v.literal(version), plan: hash, profile: hash, from: point, to: point })
  ),
  v.check(({ from, to }) => from < to, 'from is not before to')
)

/** @throws SweepError when it is no job of this schema and version */
export function parseJob(data: unknown): SweepJob {
  const result = v.safeParse(job, data, { abortEarly: true })
  if (result.success) return result.output as SweepJob
  const [issue] = result.issues
  throw new SweepError(
    `is no job of ${schema} and version ${version}: ${v.getDotPath(issue) ?? 'data'}: ${issue.message.slice(0, 200)}`
  )
}
