import { createReadStream, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type SliceKind, sliceKinds, type TimelineColumns, timelineColumns } from '@foretrain/predictor'
import { type Profile, readProfile } from '@foretrain/trace-parser'

/** A simulated run of a measured cluster's job: every worker for so many steps. */
export async function simulated(workers: number, steps: number): Promise<TimelineColumns> {
  return timelineColumns({ profile: await example(), workers: [workers] }, { window: { kind: 'steps', count: steps } })
}

async function example(): Promise<Profile> {
  const folder = join(import.meta.dirname, '../../../../examples/resnet50-2ps-500/trace')
  const files = readdirSync(folder).sort()
  const { profile } = await readProfile(files.map(name => ({ name, bytes: createReadStream(join(folder, name)) })))
  return profile
}

export interface Drawn {
  lane: number
  startUs: number
  durationUs: number
  kind?: SliceKind
  /** -1: a whole step. */
  operation?: number
}

/** A run on paper: one worker with these lanes, a server, one step. Slices by lanes, then by starts. */
export function onPaper(lanes: readonly string[], drawn: readonly Drawn[], dependencies: number[][] = []): TimelineColumns {
  const each = <Value>(value: (slice: Drawn) => Value) => drawn.map(value)
  const operations = drawn.reduce((most, { operation = -1 }) => Math.max(most, operation + 1), 0)
  const start = (counts: number[]) => {
    let sum = 0
    return [0, ...counts.map(count => (sum += count))]
  }
  const dependenciesOf = Array.from({ length: operations }, (_, id) => dependencies[id] ?? [])
  return {
    startUs: Float64Array.from(each(({ startUs }) => startUs)),
    durationUs: Float64Array.from(each(({ durationUs }) => durationUs)),
    kind: Uint8Array.from(each(({ kind = 'compute' }) => sliceKinds.indexOf(kind))),
    operation: Int32Array.from(each(({ operation = -1 }) => operation)),
    step: new Uint32Array(drawn.length),
    bytes: new Float64Array(drawn.length),
    waitedUs: new Float64Array(drawn.length),
    laneStart: Uint32Array.from(start(lanes.map((_, lane) => drawn.filter(slice => slice.lane === lane).length))),
    lanes: lanes.map(name => ({ host: 0, name })),
    hosts: [
      { name: 'worker 0', kind: 'worker' },
      { name: 'server 0', kind: 'server' }
    ],
    counters: [],
    steps: {
      worker: Uint32Array.of(0),
      ordinal: Uint32Array.of(0),
      startUs: Float64Array.of(0),
      endUs: Float64Array.of(100)
    },
    operations: {
      name: Array.from({ length: operations }, (_, id) => `operation ${id}`),
      type: Array.from({ length: operations }, () => 'MatMul'),
      server: new Int32Array(operations).fill(-1),
      dependencyStart: Uint32Array.from(start(dependenciesOf.map(({ length }) => length))),
      dependencies: Uint32Array.from(dependenciesOf.flat())
    }
  }
}
