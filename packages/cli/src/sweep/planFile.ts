import * as v from 'valibot'
import { shown } from '../cluster/shown.ts'
import { YamlFile } from '../cluster/yamlFile.ts'
import { CommandLineError } from '../errors.ts'

/** Fields that may be a list: each combination of their values is a point. */
export const listFields = ['workers', 'servers', 'bandwidth', 'latency', 'compute-speed', 'batch', 'mode', 'policy'] as const
/** Fields of which all points have the same. */
export const singleFields = [
  'placement',
  'partition-variables',
  'cluster',
  'buffer',
  'burst',
  'partition',
  'credit',
  'priority-order',
  'straggler',
  'traced-bandwidth',
  'transport',
  'window',
  'ramp',
  'parse-cost',
  'server-cores',
  'message-cost',
  'byte-cost',
  'flow-limit',
  'step-time',
  'precision',
  'replications',
  'steps',
  'seed'
] as const

/** A plan file as the flags it stands for, and where each of them stands. */
export interface PlanFile {
  name: string
  /** By the names that the flags have in a program: computeSpeed. */
  flags: Record<string, string | true>
  /** "plan.yaml:3: compute-speed", by the flag: "--compute-speed". */
  places: Map<string, string>
}

const one = v.union([v.string(), v.number()], 'a text or a number')
const oneOrMore = v.union(
  [v.string(), v.number(), v.pipe(v.array(one), v.minLength(1))],
  'a text, a number, or a list of them in brackets that is not empty'
)

const planFile = v.strictObject(
  // Without a prototype a field called "constructor" is as unknown as any.
  Object.assign(Object.create(null) as Record<string, v.GenericSchema>, {
    ...Object.fromEntries(listFields.map(field => [field, v.optional(oneOrMore)])),
    ...Object.fromEntries(singleFields.map(field => [field, v.optional(one)])),
    colocate: v.optional(v.boolean('true or false'))
  }),
  `fields ${[...listFields, ...singleFields, 'colocate'].join(', ')}`
)

/**
 * Reads a plan (docs/sweep.md): flags of `sweep` by their names without dashes.
 *
 * @throws CommandLineError at the first field that cannot be used: "plan.yaml:3: workers: is an object: use …"
 */
export function parsePlanFile(name: string, text: string): PlanFile {
  const file = new YamlFile(name, text)
  if (file.value === null || file.value === undefined)
    throw new CommandLineError(`${name}:1: the file is empty: use at least workers: 1-16`)
  const result = v.safeParse(planFile, file.value, { abortEarly: true })
  if (!result.success) throw new CommandLineError(complaint(file, result.issues[0]))
  const fields = Object.entries(result.output as Record<string, unknown>)
  return {
    name,
    flags: Object.fromEntries(
      fields.flatMap(([field, value]) => {
        if (value === false) return []
        const flag = field.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
        return [[flag, value === true ? true : Array.isArray(value) ? value.join(',') : String(value)]]
      })
    ),
    places: new Map(fields.map(([field]) => [`--${field}`, file.place([field])]))
  }
}

/** Runs what reads the flags of a plan, and says of an error in which field of the plan it is. */
export function blamingPlan<Value>(plan: PlanFile | undefined, given: object, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    const [flag] = isOfFlags(error) ? (/^--[a-z-]+/.exec(error.message) ?? []) : []
    const place = flag === undefined ? undefined : plan?.places.get(flag)
    // A flag on the command line goes before the plan's.
    const key = (flag ?? '').slice(2).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
    if (flag === undefined || place === undefined || Object.hasOwn(given, key)) throw error
    throw new CommandLineError(`${place}:${(error as Error).message.slice(flag.length)}`)
  }
}

/** What the readers of flags throw; those of the predictor come from a library, and are known by their name. */
function isOfFlags(error: unknown): error is Error {
  return error instanceof CommandLineError || (error instanceof Error && error.name === 'QuestionError')
}

function complaint(file: YamlFile, issue: v.BaseIssue<unknown>): string {
  const path = (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)))
  const place = file.place(path)
  if (issue.type === 'strict_object' && issue.expected === 'never')
    return `${place}: is no field of this place: use ${issue.message}`
  return `${place}: is ${shown(issue.input)}: use ${issue.message}`
}
