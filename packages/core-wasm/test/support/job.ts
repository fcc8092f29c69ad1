import { type Job, OperationKind } from '../../src/job.ts'

/** One operation as a test writes it. A list of numbers gives one value per template. */
export interface OperationSpec {
  kind: keyof typeof OperationKind
  /** µs or bytes. */
  amount: number | readonly number[]
  server?: number
  /** Indices of the operations that must complete first. */
  after?: readonly number[]
  /** Only for operations without `after`. */
  releaseUs?: number | readonly number[]
  /** If one operation has it, those without have no window for their first turn. */
  firstTurnBytes?: number | readonly number[]
  /** If one operation has it, those without have 0. */
  priority?: number
  /** Default: 1. */
  messages?: number
}

const ofTemplate = (value: number | readonly number[] | undefined, template: number, missing = 0): number =>
  typeof value === 'object' ? value[template] : (value ?? missing)

function templateCount(specs: readonly OperationSpec[]): number {
  const lengths = specs
    .flatMap(spec => [spec.amount, spec.releaseUs, spec.firstTurnBytes])
    .flatMap(value => (typeof value === 'object' ? [value.length] : []))
  const count = lengths[0] ?? 1
  if (lengths.some(length => length !== count)) throw new Error('every list of a job must have one value per template')
  return count
}

/** The structure of arrays that the simulator takes. Roots of one release time become ready in the order of the list. */
export function job(specs: readonly OperationSpec[]): Job {
  const templates = templateCount(specs)
  const successors = specs.map((_, operation) => specs.flatMap((other, index) => (other.after?.includes(operation) ? [index] : [])))
  const successorStart = [0]
  for (const list of successors) successorStart.push(successorStart.at(-1)! + list.length)
  const roots = specs.flatMap((spec, index) => (spec.after?.length ? [] : [index]))
  const releases = Array.from({ length: templates }, (_, template) =>
    roots
      .map(operation => ({ operation, us: ofTemplate(specs[operation].releaseUs, template) }))
      // Array.prototype.sort is stable: equal times keep the order of the list.
      .sort((a, b) => a.us - b.us)
  ).flat()
  const everyTemplate = (value: (spec: OperationSpec, template: number) => number) =>
    Float64Array.from(Array.from({ length: templates }, (_, template) => specs.map(spec => value(spec, template))).flat())
  return {
    operations: specs.length,
    templates,
    kind: Uint8Array.from(specs, spec => OperationKind[spec.kind]),
    server: Uint16Array.from(specs, spec => spec.server ?? 0),
    dependencies: Uint16Array.from(specs, spec => spec.after?.length ?? 0),
    successorStart: Uint32Array.from(successorStart),
    successors: Uint32Array.from(successors.flat()),
    amount: everyTemplate((spec, template) => ofTemplate(spec.amount, template)),
    releaseOperation: Uint32Array.from(releases, release => release.operation),
    releaseUs: Float64Array.from(releases, release => release.us),
    ...(specs.some(spec => spec.firstTurnBytes !== undefined) && {
      firstTurnBytes: everyTemplate((spec, template) => ofTemplate(spec.firstTurnBytes, template, Infinity))
    }),
    ...(specs.some(spec => spec.messages !== undefined) && { messages: Uint16Array.from(specs, spec => spec.messages ?? 1) }),
    ...(specs.some(spec => spec.priority !== undefined) && { priority: Uint32Array.from(specs, spec => spec.priority ?? 0) })
  }
}
