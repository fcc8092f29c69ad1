import type { SweepCommon } from '@foretrain/predictor'
import * as v from 'valibot'
import { Grid, mostPoints, type SweepAxes, type SweepPlan } from '../local/plan.ts'
import { SweepError } from '../sweepError.ts'
import { withoutPrototype } from './withoutPrototype.ts'

const mostListed = 100_000
const number = v.pipe(v.number(), v.finite())
const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const name = v.pipe(v.string(), v.maxLength(4096))
const text = v.string()
const optional = <Schema extends v.GenericSchema>(schema: Schema) => v.optional(schema)
const fields = <Entries extends v.ObjectEntries>(entries: Entries) => v.strictObject(withoutPrototype(entries))
const list = <Schema extends v.GenericSchema>(schema: Schema) => v.pipe(v.array(schema), v.minLength(1), v.maxLength(mostListed))
/** Keys may be anything. It is passed on as it came: `v.record` makes another without keys such as "constructor", which a variable may be called. */
function dictionary<Schema extends v.GenericSchema>(schema: Schema) {
  const entry = v.tuple([name, schema])
  return v.pipe(
    v.custom<Record<string, v.InferOutput<Schema>>>(
      value => typeof value === 'object' && value !== null && !Array.isArray(value),
      'is no object'
    ),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return
      for (const [key, value] of Object.entries(dataset.value)) {
        const result = v.safeParse(entry, [key, value])
        if (result.success) continue
        addIssue({
          message: result.issues[0].message,
          path: [{ type: 'object', origin: 'value', input: dataset.value, key, value }]
        })
      }
    })
  )
}

const straggler = fields({ probability: number, factor: number })

const hosts = fields({
  workers: list(
    fields({
      count: whole,
      speed: optional(number),
      bandwidthBitsPerSecond: optional(number),
      uplinkBitsPerSecond: optional(number),
      latencyUs: optional(number),
      replicas: optional(whole),
      straggler: optional(straggler)
    })
  ),
  servers: optional(list(fields({ bandwidthBitsPerSecond: optional(number), cores: optional(whole) }))),
  colocate: optional(v.boolean())
})

const commonEntries = {
  hosts: optional(hosts),
  placement: optional(v.union([name, dictionary(whole)])),
  variableParts: optional(whole),
  tracedBandwidthBitsPerSecond: optional(number),
  payloadFraction: optional(number),
  tracedLatencyUs: optional(number),
  bufferUs: optional(number),
  burstBytes: optional(number),
  freeBurstBytes: optional(number),
  flowLimitBitsPerSecond: optional(number),
  colocate: optional(v.boolean()),
  computeSlowdown: optional(dictionary(number)),
  tracedWorker: optional(whole),
  orders: optional(dictionary(fields({ file: name, text }))),
  priority: optional(fields({ partitionBytes: optional(number), creditBytes: optional(number), order: optional(name) })),
  straggler: optional(straggler),
  transport: optional(name),
  windowBytes: optional(number),
  rampUs: optional(number),
  parsePerByteUs: optional(number),
  serverCores: optional(whole),
  serverMessageUs: optional(number),
  serverPerByteUs: optional(number),
  stepTimeUs: optional(number),
  precision: optional(number),
  fixed: optional(fields({ replications: whole, steps: whole })),
  seed: optional(whole)
} satisfies Record<keyof Omit<SweepCommon, 'profile'>, v.GenericSchema>

const axisEntries = {
  workers: list(whole),
  servers: optional(list(whole)),
  bandwidthBitsPerSecond: optional(list(number)),
  latencyUs: optional(list(number)),
  computeSpeed: optional(list(number)),
  batchSize: optional(list(number)),
  mode: optional(list(name)),
  policy: optional(list(name))
} satisfies Record<keyof SweepAxes, v.GenericSchema>

const plan = fields({ common: fields(commonEntries), axes: fields(axisEntries) })

/**
 * Reads a plan that came over a network: data of known fields and types only. What values mean is checked with every point.
 *
 * @throws SweepError that names the first field that is wrong
 */
export function parsePlan(json: string): SweepPlan {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    throw new SweepError('the plan is no JSON')
  }
  const result = v.safeParse(plan, value, { abortEarly: true })
  if (!result.success) {
    const [issue] = result.issues
    throw new SweepError(`the plan is wrong: ${v.getDotPath(issue) ?? 'plan'}: ${issue.message.slice(0, 200)}`)
  }
  const parsed = result.output as SweepPlan
  const { size } = new Grid(parsed.axes)
  if (size > mostPoints) throw new SweepError(`the plan is wrong: axes: ${size} points; ${mostPoints} are the most`)
  return parsed
}
