import { checkProfile, type Profile, type ProfiledStep, type ProfileWarning } from '@foretrain/trace-parser'
import { variableOfPull, variableOfUpdate } from './policies/variables.ts'

/** What messages of these warnings hold besides words of this package: numbers. */
const NAMELESS_WARNINGS: ReadonlySet<string> = new Set([
  'broken-times',
  'few-steps',
  'foreign-graph',
  'gpu-clock',
  'imputed-transfers',
  'label-rounded-sizes',
  'lost-events',
  'peer-transfers',
  'profiled-first-step',
  'rare-records',
  'unreadable-transfers'
])
/** Names of TensorFlow's operation types. A function that is called by its own name ("__inference_train_step_12") is none of them. */
const OPERATION_TYPE = /^_?[A-Z][A-Za-z0-9]*$/
const DEVICE_TYPE = /^(?:XLA_)?(?:CPU|GPU)$|^TPU(?:_SYSTEM)?$/
const DEVICE = /^(\/job:[^/]+\/replica:\d+\/task:\d+)?\/device:([^:/]+):(\d+)(.*)$/

/**
 * The same profile without the names that people gave: operations become `op_7`, variables `variable_012` with their pulls
 * `variable_012/read`, tasks `/job:worker/replica:0/task:0` and `/job:ps/replica:0/task:1`, files `trace_3`. One name becomes one name
 * everywhere. Graph, kinds, TensorFlow's types, sizes and times stay, and so does what predictions read from names: the order of the pulls'
 * names and which update is of which pull. Messages that quote names lose them.
 */
export function redactProfile(profile: Profile): Profile {
  const names = new Names(profile)
  const tasks = taskNames(profile)
  const traces = new Numbered('trace_')
  const types = new Numbered('type_')
  const step = (recorded: ProfiledStep): ProfiledStep => ({ ...recorded, trace: traces.of(recorded.trace) })
  const redacted: Profile = {
    ...profile,
    traces: profile.traces.map(trace => traces.of(trace)),
    worker: tasks.get(profile.worker)!,
    servers: profile.servers.map(server => tasks.get(server)!),
    devices: [...new Set(profile.devices.map(device => deviceName(device, tasks)))].sort(),
    operations: profile.operations.map(operation => ({
      ...operation,
      name: names.of(operation.name),
      type: operation.type === '' || OPERATION_TYPE.test(operation.type) ? operation.type : types.of(operation.type)
    })),
    ...(profile.variables && {
      variables: profile.variables.map(({ name, operations }) => ({ name: names.ofVariable(name), operations }))
    }),
    steps: profile.steps.map(step),
    counts: {
      ...profile.counts,
      droppedSteps: profile.counts.droppedSteps.map(({ trace, reason }) => ({
        trace: traces.of(trace),
        reason: /^lacks \d+ operations? of the other steps(?=:)/.exec(reason)?.[0] ?? 'names left out'
      }))
    },
    holes: profile.holes.map(hole => ({ ...hole, before: names.of(hole.before), after: names.of(hole.after) })),
    warnings: []
  }
  const where = (name: string) => tasks.get(name) ?? traces.known(name)
  const found = new Set(checkProfile(profile).map(({ code }) => code))
  const kept = profile.warnings.filter(({ code }) => !found.has(code))
  redacted.warnings = [...kept.map(warning => redactWarning(warning, where)), ...checkProfile(redacted)]
  return redacted
}

function redactWarning(warning: ProfileWarning, rename: (name: string) => string | undefined): ProfileWarning {
  const { code, where } = warning
  const place = where === undefined ? undefined : rename(where)
  let message = `${code}: the message quotes names, which are left out`
  if (NAMELESS_WARNINGS.has(code)) message = warning.message
  else if (code === 'clock-skew' && where !== undefined && place !== undefined) message = warning.message.replace(where, place)
  return {
    code,
    message,
    ...(warning.count !== undefined && { count: warning.count }),
    ...(place !== undefined && { where: place })
  }
}

/** Numbers from 1 in the order in which names are met; the empty name stays. */
class Numbered {
  private readonly numbers = new Map<string, string>()
  private readonly prefix: string

  constructor(prefix: string) {
    this.prefix = prefix
  }

  of(name: string): string {
    if (name === '') return ''
    const known = this.numbers.get(name)
    if (known !== undefined) return known
    const fresh = `${this.prefix}${this.numbers.size + 1}`
    this.numbers.set(name, fresh)
    return fresh
  }

  known(name: string): string | undefined {
    return this.numbers.get(name)
  }
}

/** New names of operations and variables. */
class Names {
  private readonly pulls = new Map<string, string>()
  /** By the variable as the name of its pull tells it: the new one. */
  private readonly behindPulls = new Map<string, string>()
  private readonly variables = new Map<string, string>()
  private readonly others = new Numbered('op_')
  private readonly digits: number
  private variableCount: number

  constructor({ operations, variables = [] }: Profile) {
    const pulls = operations.filter(({ kind }) => kind === 'pull').map(({ name }) => name)
    // Names of pulls break ties of policies: numbers of equal length are in the order of what they stand for.
    const inOrder = [...new Set(pulls)].sort((a, b) => (a < b ? -1 : 1))
    this.digits = String(inOrder.length + variables.length).length
    inOrder.forEach((name, index) => {
      this.pulls.set(name, this.numbered(index + 1))
    })
    this.variableCount = inOrder.length
    // Of several pulls of one variable the last one is what a policy finds by the name.
    for (const name of pulls) this.behindPulls.set(variableOfPull(name), this.pulls.get(name)!)
    const taken = new Set<string>()
    for (const variable of variables) {
      const first = variable.operations.map(id => operations[id]).find(({ kind }) => kind === 'pull')
      const ofPull = first && this.pulls.get(first.name)
      const name = ofPull === undefined || taken.has(ofPull) ? this.numbered(++this.variableCount) : ofPull
      taken.add(name)
      this.variables.set(variable.name, name)
    }
  }

  of(name: string): string {
    const pull = this.pulls.get(name)
    if (pull !== undefined) return `${pull}/read`
    const variable = this.variables.get(name)
    if (variable !== undefined) return variable
    const other = this.others.of(name)
    const updated = this.behindPulls.get(variableOfUpdate(name) ?? '')
    return updated === undefined ? other : `update_${updated}/Apply_${other}`
  }

  ofVariable(name: string): string {
    return this.variables.get(name)!
  }

  private numbered(number: number): string {
    return `variable_${String(number).padStart(this.digits, '0')}`
  }
}

function taskNames({ worker, servers, devices }: Profile): Map<string, string> {
  const tasks = new Map([[worker, '/job:worker/replica:0/task:0']])
  servers.forEach((server, index) => {
    tasks.set(server, `/job:ps/replica:0/task:${index}`)
  })
  for (const device of devices) {
    const [, task] = DEVICE.exec(device) ?? []
    if (task !== undefined && !tasks.has(task)) tasks.set(task, `/job:other/replica:0/task:${tasks.size - servers.length - 1}`)
  }
  return tasks
}

/** "/job:trainer/replica:0/task:3/device:GPU:0/stream:all" → "/job:worker/replica:0/task:0/device:GPU:0/stream:all". */
function deviceName(device: string, tasks: ReadonlyMap<string, string>): string {
  const [, task = '', type = '', index = '0', lane = ''] = DEVICE.exec(device) ?? []
  const known = DEVICE_TYPE.test(type) ? type : 'OTHER'
  const stream = lane === '' || /^\/(?:stream:(?:all|\d+)|memcpy)$/.test(lane) ? lane : '/stream:other'
  return `${tasks.get(task) ?? ''}/device:${known}:${index}${stream}`
}
