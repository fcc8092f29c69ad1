/** Events of the Trace Event Format, as far as they are operations: complete events, and pairs of begin and end. */

import { EVENT_REASONS } from '../eventReasons.ts'

/** An operation with its times. */
export interface CompleteEvent {
  name: string
  category: string
  startUs: number
  endUs: number
  /** As recorded: a number or a text. */
  process: string
  args: Record<string, unknown>
  /** Where it stands in the file (its end, for a pair). */
  offset: number
}

/** Begins that may be open at once, in all threads. */
const MOST_OPEN = 1_000_000

/** Begins of a thread among which the one that an end names is looked for: far deeper than operations nest. */
const DEEPEST_SEARCH = 1000

/** Far more than any trace names. */
const MOST_PROCESSES = 100_000

interface Open {
  name: string
  category: string
  startUs: number
  args: Record<string, unknown>
}

/** Reads events one by one; knows the names of processes, and counts what is no operation. */
export class EventReader {
  /** Of all kinds. */
  events = 0
  readonly ignored: Record<string, number> = {}
  readonly processNames = new Map<string, string>()
  private readonly open = new Map<string, Open[]>()
  private openCount = 0

  constructor(private readonly onComplete: (event: CompleteEvent) => void) {}

  ignore(reason: string, count = 1): void {
    this.ignored[reason] = (this.ignored[reason] ?? 0) + count
  }

  read(value: unknown, offset: number): void {
    this.events++
    if (!isObject(value)) {
      this.ignore(EVENT_REASONS.notAnObject)
      return
    }
    const process = text(value.pid)
    const args = isObject(value.args) ? value.args : {}
    switch (value.ph) {
      case 'X':
        this.complete(value, process, args, offset)
        break
      case 'B':
        this.begin(value, process, args)
        break
      case 'E':
        this.close(value, process, args, offset)
        break
      case 'M':
        if (value.name === 'process_name') this.nameProcess(process, text(args.name))
        break
      default:
        this.ignore(EVENT_REASONS.otherPhase)
    }
  }

  private nameProcess(process: string, name: string): void {
    if (this.processNames.size < MOST_PROCESSES || this.processNames.has(process)) this.processNames.set(process, name)
    else this.ignore(EVENT_REASONS.otherPhase)
  }

  /** Counts what was begun and not ended. */
  end(): void {
    if (this.openCount > 0) this.ignore(EVENT_REASONS.unpaired, this.openCount)
    this.open.clear()
    this.openCount = 0
  }

  private complete(event: Record<string, unknown>, process: string, args: Record<string, unknown>, offset: number): void {
    const startUs = number(event.ts)
    const durationUs = number(event.dur)
    if (!Number.isFinite(startUs) || !Number.isFinite(durationUs)) this.ignore(EVENT_REASONS.noTimes)
    else this.hand({ name: text(event.name), category: text(event.cat), startUs, args }, startUs + durationUs, process, offset)
  }

  private hand({ name, category, startUs, args }: Open, endUs: number, process: string, offset: number): void {
    this.onComplete({ name, category, startUs, endUs, process, args, offset })
  }

  private begin(event: Record<string, unknown>, process: string, args: Record<string, unknown>): void {
    const startUs = number(event.ts)
    if (!Number.isFinite(startUs) || this.openCount >= MOST_OPEN) {
      this.ignore(Number.isFinite(startUs) ? EVENT_REASONS.unpaired : EVENT_REASONS.noTimes)
      return
    }
    const thread = threadOf(event, process)
    const stack = this.open.get(thread) ?? []
    stack.push({ name: text(event.name), category: text(event.cat), startUs, args })
    this.open.set(thread, stack)
    this.openCount++
  }

  /** An end belongs to the last begin of its thread; where it names another one that is open, to that one. */
  private close(event: Record<string, unknown>, process: string, args: Record<string, unknown>, offset: number): void {
    const endUs = number(event.ts)
    const stack = this.open.get(threadOf(event, process))
    if (stack === undefined || stack.length === 0) {
      this.ignore(EVENT_REASONS.unpaired)
      return
    }
    const name = text(event.name)
    const [open] = stack.splice(placeOf(name, stack), 1)
    this.openCount--
    if (!Number.isFinite(endUs)) this.ignore(EVENT_REASONS.noTimes)
    else this.hand({ ...open, args: { ...open.args, ...args } }, endUs, process, offset)
  }
}

function threadOf(event: Record<string, unknown>, process: string): string {
  return `${process}\n${text(event.tid)}`
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A text, or a number as one; '' for the rest. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

/** A number, or a text that is one; NaN for the rest. Larger ones than 2^53 are the nearest double. */
export function number(value: unknown): number {
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^\s*[-+]?[\d.]+(?:e[-+]?\d+)?\s*$/i.test(value) ? Number(value) : Number.NaN
}

function placeOf(name: string, stack: readonly Open[]): number {
  const last = stack.length - 1
  if (name === '') return last
  for (let at = last; at >= 0 && at > last - DEEPEST_SEARCH; at--) if (stack[at].name === name) return at
  return last
}
