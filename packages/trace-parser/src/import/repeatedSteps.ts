import type { ImportedFile, RawStep } from '../rawStep.ts'

/** Records of a step that are compared. */
const COMPARED = 50
/** Formats state a start with or without what passed before the operation itself began. */
const SAME_START_US = 1000

export interface RepeatedStep {
  trace: string
  /** The step that is kept. */
  other: string
  records: number
}

/** How much a format carries, by the begin of its name: less stands further behind. */
const RICHEST_FIRST = [
  'RunMetadata',
  'RunMetadata (text',
  'TensorBoard event file',
  'StepStats',
  'StepStats (text',
  'TensorFlow timeline',
  'foretrain timeline'
]

/**
 * Programs write the same step in several formats side by side (`run_metadata.pb`, `timeline.json`, an event file). Of those, the step is kept in the
 * one that carries most. Files of one format are never compared.
 *
 * @returns the steps in the order of their files, and which was left out for which
 */
export function dropRepeatedSteps(files: readonly ImportedFile[]): {
  steps: RawStep[]
  repeated: RepeatedStep[]
} {
  const all = files.flatMap(({ format, steps }) => steps.map(step => ({ step, rank: rankOf(format), starts: startsOf(step) })))
  if (new Set(all.map(({ rank }) => rank)).size <= 1) return { steps: all.map(({ step }) => step), repeated: [] }
  const kept = new Map<number, typeof all>()
  const left = new Map<RawStep, string>()
  for (const one of [...all].sort((a, b) => a.rank - b.rank)) {
    const at = Math.floor(one.starts.firstUs / SAME_START_US)
    const near = [at - 1, at, at + 1].flatMap(slot => kept.get(slot) ?? [])
    const same = near.find(other => other.rank < one.rank && isSame(one.starts, other.starts))
    if (same !== undefined) left.set(one.step, same.step.trace)
    else kept.set(at, [...(kept.get(at) ?? []), one])
  }
  return {
    steps: all.filter(({ step }) => !left.has(step)).map(({ step }) => step),
    repeated: [...left].map(([step, other]) => ({ trace: step.trace, other, records: recordsOf(step) }))
  }
}

/** All that came in with a step. */
function recordsOf({ devices, ignored = {} }: RawStep): number {
  return [...devices.map(({ records }) => records.length), ...Object.values(ignored)].reduce((sum, count) => sum + count, 0)
}

function rankOf(format: string): number {
  return RICHEST_FIRST.findLastIndex(start => format.startsWith(start))
}

interface Starts {
  firstUs: number
  byName: Map<string, number>
}

/** When the step began, and when some of its operations did. */
function startsOf({ devices }: RawStep): Starts {
  let firstUs = Number.POSITIVE_INFINITY
  const byName = new Map<string, number>()
  for (const { device, records } of devices) {
    for (const { name, startUs } of records) {
      if (!(startUs > 0)) continue
      firstUs = Math.min(firstUs, startUs)
      if (byName.size < COMPARED && name !== 'RecvTensor') byName.set(`${device}\n${name}`, startUs)
    }
  }
  return { firstUs, byName }
}

function isSame(a: Starts, b: Starts): boolean {
  let common = 0
  for (const [name, startUs] of a.byName) {
    const otherUs = b.byName.get(name)
    if (otherUs === undefined) continue
    if (Math.abs(otherUs - startUs) > SAME_START_US) return false
    common++
  }
  return common > 0
}
