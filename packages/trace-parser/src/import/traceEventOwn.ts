import { EVENT_REASONS } from '../eventReasons.ts'
import { PROFILE_LIMITS } from '../limits.ts'
import { type RawStep, TraceError } from '../rawStep.ts'
import { counted, short } from '../text.ts'
import { type Budget, spend } from './budget.ts'
import { OWN_KINDS, type OwnOperation, type OwnStep, rawStepOf } from './ownStep.ts'
import { type CompleteEvent, type EventReader, text } from './traceEvent.ts'

/** Index of a worker: more than any cluster that can be simulated has. */
const LARGEST_WORKER = 1_000_000

type Fail = (found: string, offset: number) => never

/**
 * A timeline that `foretrain timeline` wrote. The event of each operation carries, in its arguments, its number, type, server, dependencies, step,
 * and of a transfer its bytes, when it was ready and when it was complete; everything else in the file is drawn beside it.
 */
export class OwnTimeline {
  readonly format = 'foretrain timeline'
  private readonly found = new Map<string, OwnStep>()
  private readonly operations: number

  constructor(
    private readonly file: string,
    about: Record<string, unknown>,
    private readonly reader: EventReader,
    private readonly budget: Budget,
    private readonly fail: Fail
  ) {
    const { operations } = about
    if (!isWhole(operations, 1, PROFILE_LIMITS.operations)) {
      throw new TraceError(
        `${short(file)}: otherData.operations is ${shown(operations)}; expected a whole number from 1 to ${PROFILE_LIMITS.operations}`
      )
    }
    this.operations = operations
  }

  event(event: CompleteEvent): void {
    const { args, category, offset } = event
    const kind = OWN_KINDS.find(known => known === category)
    if (kind === undefined && category !== 'step') {
      this.reader.ignore(EVENT_REASONS.drawing)
      return
    }
    spend(this.file, this.budget)
    const whole = (field: string, least: number, most: number) => this.whole(args[field], `args.${field}`, least, most, offset)
    const worker = whole('worker', 0, LARGEST_WORKER)
    const step = this.stepOf(worker, whole('step', 0, Number.MAX_SAFE_INTEGER))
    if (kind === undefined) {
      step.startUs = event.startUs
      this.reader.ignore(EVENT_REASONS.drawing)
      return
    }
    const isTransfer = kind === 'pull' || kind === 'push'
    const id = whole('id', 0, this.operations - 1)
    if (step.operations.has(id)) this.fail(`operation ${id} a second time in its step`, offset)
    const { dependencies } = args
    if (!Array.isArray(dependencies) || dependencies.length > this.operations)
      this.fail(`args.dependencies that is no list of operations`, offset)
    const operation: OwnOperation = {
      kind,
      name: text(args.name),
      type: text(args.op),
      server: kind === 'compute' ? 0 : whole('server', 0, PROFILE_LIMITS.servers - 1),
      dependencies: (dependencies as unknown[]).map(value =>
        this.whole(value, 'an entry of args.dependencies', 0, this.operations - 1, offset)
      ),
      bytes: isTransfer ? this.finite(args.bytes, 'args.bytes', PROFILE_LIMITS.bytes, offset) : -1,
      startUs: isTransfer ? this.finite(args.readyUs, 'args.readyUs', PROFILE_LIMITS.timeUs, offset) : event.startUs,
      endUs: isTransfer ? this.finite(args.endUs, 'args.endUs', PROFILE_LIMITS.timeUs, offset) : event.endUs
    }
    if (operation.name === '') this.fail('args.name that is no name', offset)
    step.operations.set(id, operation)
  }

  /** @throws TraceError when no step is whole */
  steps(): RawStep[] {
    const all = [...this.found.values()].sort((a, b) => a.worker - b.worker || a.step - b.step)
    const whole = all.filter(({ operations }) => operations.size === this.operations)
    for (const { operations } of all)
      if (operations.size < this.operations) this.reader.ignore(EVENT_REASONS.partOfStep, operations.size)
    if (whole.length === 0) {
      throw new TraceError(
        `${short(this.file)}: a timeline of foretrain without a whole step (${counted(all.length, 'step')} in part); write it with --window 3steps`
      )
    }
    return whole.map((step, i): RawStep => {
      const trace = whole.length === 1 ? this.file : `${this.file}#${i + 1}`
      const raw = rawStepOf(trace, step, i === 0)
      if (i === 0) raw.ignored = this.reader.ignored
      return raw
    })
  }

  private stepOf(worker: number, step: number): OwnStep {
    const key = `${worker} ${step}`
    let known = this.found.get(key)
    if (known === undefined) {
      known = { worker, step, startUs: Number.NaN, operations: new Map() }
      this.found.set(key, known)
    }
    return known
  }

  private whole(value: unknown, field: string, least: number, most: number, offset: number): number {
    if (isWhole(value, least, most)) return value
    return this.fail(`${field} of ${shown(value)} instead of a whole number from ${least} to ${most}`, offset)
  }

  private finite(value: unknown, field: string, most: number, offset: number): number {
    if (typeof value === 'number' && value >= 0 && value <= most) return value
    return this.fail(`${field} of ${shown(value)} instead of a number from 0 to ${most}`, offset)
  }
}

function isWhole(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
}

function shown(value: unknown): string {
  return short(value === undefined ? 'nothing' : (JSON.stringify(value) ?? 'nothing'))
}
