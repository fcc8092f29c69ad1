import { checkProfile } from './check.ts'
import { roundUs } from './extract/statistics.ts'
import { PROFILE_LIMITS } from './limits.ts'
import type { Operation, OperationKind, Profile, ProfiledStep, ProfileWarning, Variable } from './profile.ts'
import { TraceError } from './rawStep.ts'
import { short } from './text.ts'
import { Field } from './validate.ts'

const SCHEMA = 'foretrain/profile@1'
const { timeUs } = PROFILE_LIMITS
/** Times are saved to the nanosecond. */
const SHORTEST_SPAN_US = 0.001
/** µs since 1970 are doubles a quarter of a µs apart: differences of them may contradict each other by as much. */
const CLOCK_GRAIN_US = 1
const KINDS: readonly OperationKind[] = ['compute', 'update', 'pull', 'push']
const TRANSFERS: readonly OperationKind[] = ['pull', 'push']

/** The profile as compact JSON, times to the nanosecond. `parseProfile` gives it back unchanged, with what it finds added to the warnings. */
export function serializeProfile(profile: Profile): string {
  return JSON.stringify(profile, (_key, value: unknown) =>
    typeof value === 'number' && !Number.isInteger(value) ? roundUs(value) : value
  )
}

/**
 * Reads a saved profile and checks all of it: lengths, ranges of numbers, order of operations. Fields it does not know are
 * dropped. Findings of `checkProfile` that the file does not list are added to its warnings.
 *
 * @param name the file's, for messages
 * @throws TraceError with one line that names the field
 */
export function parseProfile(text: string, name: string): Profile {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new TraceError(`${short(name)}: not valid JSON (${short(String((error as Error).message))}); expected a saved profile`)
  }
  const root = new Field(name, 'profile', json)
  const schema = root.at('schema').string()
  if (schema !== SCHEMA) root.at('schema').fail(`is "${short(schema)}"`, `"${SCHEMA}"`)
  const servers = root.at('servers').strings(1, PROFILE_LIMITS.servers)
  const operations = root.at('operations').list(1, (field, i) => readOperation(field, i, servers.length), PROFILE_LIMITS.operations)
  const steps = root.at('steps').list(1, field => readStep(field, operations))
  const traces = root.at('traces').strings(0)
  if (traces.length !== steps.length)
    root.at('traces').fail(`has ${traces.length} entries`, `one for each of ${steps.length} steps`)
  const offsets = root.at('clockOffsetUs').numbers(servers.length, -Number.MAX_VALUE, Number.MAX_VALUE)
  const concurrency = root.at('concurrency')
  const profile: Profile = {
    schema: SCHEMA,
    traces,
    worker: root.at('worker').string(),
    servers,
    devices: root.at('devices').strings(0),
    operations,
    ...(root.has('variables') && { variables: readVariables(root.at('variables'), operations) }),
    steps,
    concurrency: {
      compute: concurrency.at('compute').integer(1, PROFILE_LIMITS.concurrency),
      update: concurrency.at('update').integer(1, PROFILE_LIMITS.concurrency)
    },
    clockOffsetUs: offsets,
    counts: readCounts(root.at('counts')),
    holes: root.at('holes').list(0, field => ({
      step: field.at('step').integer(0, steps.length - 1),
      startUs: field.at('startUs').number(0, timeUs),
      durationUs: field.at('durationUs').number(0, timeUs),
      before: field.at('before').string(),
      after: field.at('after').string()
    })),
    warnings: root.at('warnings').list(0, readWarning)
  }
  const known = new Set(profile.warnings.map(({ code, message }) => `${code} ${message}`))
  for (const warning of checkProfile(profile)) if (!known.has(`${warning.code} ${warning.message}`)) profile.warnings.push(warning)
  return profile
}

function readOperation(field: Field, index: number, servers: number): Operation {
  const kind = field.at('kind').string() as OperationKind
  if (!KINDS.includes(kind)) field.at('kind').fail(`is "${short(kind)}"`, `one of ${KINDS.join(', ')}`)
  return {
    name: field.at('name').string(),
    kind,
    type: field.at('type').string(),
    server: field.at('server').integer(0, servers - 1),
    bytes: field.at('bytes').number(0, PROFILE_LIMITS.bytes),
    dependencies: field.at('dependencies').ascending(index)
  }
}

function readVariables(field: Field, operations: readonly Operation[]): Variable[] {
  const names = new Set<string>()
  const owned = new Set<number>()
  return field.list(0, entry => {
    const variable = { name: entry.at('name').string(), operations: entry.at('operations').ascending(operations.length) }
    if (names.has(variable.name)) entry.at('name').fail(`is "${short(variable.name)}" again`, 'another name for each variable')
    names.add(variable.name)
    variable.operations.forEach((id, i) => {
      const at = entry.at('operations').item(i)
      if (operations[id].kind === 'compute') at.fail(`is ${id}, of kind compute`, 'a pull, a push or an update')
      if (owned.has(id)) at.fail(`is ${id}, which belongs to another variable`, 'one variable for each operation')
      owned.add(id)
    })
    return variable
  })
}

function readStep(field: Field, known: readonly Operation[]): ProfiledStep {
  const operations = known.length
  const step: ProfiledStep = {
    trace: field.at('trace').string(),
    spanUs: field.at('spanUs').number(SHORTEST_SPAN_US, timeUs),
    durationUs: field.at('durationUs').numbers(operations, 0, timeUs),
    gapUs: field.at('gapUs').numbers(operations, 0, timeUs),
    startUs: field.at('startUs').numbers(operations, 0, timeUs),
    endUs: field.at('endUs').numbers(operations, 0, timeUs),
    imputed: field.at('imputed').ascending(operations)
  }
  step.endUs.forEach((endUs, i) => {
    if (endUs < step.startUs[i]) field.at('endUs').item(i).fail(`is ${endUs}`, `no less than startUs, ${step.startUs[i]}`)
    if (endUs > step.spanUs + CLOCK_GRAIN_US) field.at('endUs').item(i).fail(`is ${endUs}`, `no more than spanUs, ${step.spanUs}`)
  })
  if (field.has('bytes')) {
    step.bytes = field.at('bytes').list(0, pair => {
      pair.length(2)
      const at = pair.item(0).integer(0, operations - 1)
      // The amount of any other operation is a time: bytes in its place would be taken for µs.
      if (!TRANSFERS.includes(known[at].kind)) pair.item(0).fail(`is ${at}, of kind ${known[at].kind}`, 'a pull or a push')
      return [at, pair.item(1).number(0, PROFILE_LIMITS.bytes)]
    })
  }
  return step
}

function readCounts(field: Field): Profile['counts'] {
  const counts = {
    droppedSteps: field
      .at('droppedSteps')
      .list(0, entry => ({ trace: entry.at('trace').string(), reason: entry.at('reason').string() })),
    records: field.at('records').integer(0),
    used: field.at('used').integer(0),
    ignored: field.at('ignored').counts(),
    imputedTransfers: field.at('imputedTransfers').integer(0),
    withoutDuration: field.at('withoutDuration').integer(0)
  }
  const { records, used, ignored } = counts
  const accounted = Object.values(ignored).reduce((sum, count) => sum + count, used)
  if (records !== accounted) field.at('records').fail(`is ${records}`, `what is used and ignored: ${accounted}`)
  return counts
}

function readWarning(field: Field): ProfileWarning {
  const warning: ProfileWarning = { code: field.at('code').string(), message: field.at('message').string() }
  if (field.has('count')) warning.count = field.at('count').integer(0)
  if (field.has('where')) warning.where = field.at('where').string()
  return warning
}
