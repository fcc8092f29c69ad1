import { type Core, OperationKind } from '@foretrain/core-wasm'
import { type Operation, type Profile, type ProfiledStep, profileFrom } from '@foretrain/trace-parser'
import { playInOrder, tracedCluster } from '../../src/calibrate/oneWorker.ts'
import { compile } from '../../src/compile/compile.ts'
import type { TransportName } from '../../src/question.ts'
import type { Path } from '../../src/transport.ts'

export interface Network {
  /** Bytes of each layer's variable. */
  layers: number[]
  /** Compute of each layer, forward; backward takes twice as long. */
  forwardUs: number
  updateUs: number
  steps: number
}

/**
 * A chain network: layer i computes after its pull and layer i − 1, backward in reverse, each gradient is pushed and applied. Step s has all
 * compute scaled by 1 + 0.02·(s mod 5). Pulls are asked for in the order of layers, a few µs apart.
 */
export function chainNetwork({ layers, forwardUs, updateUs, steps }: Network): Profile {
  const operations: Operation[] = []
  const add = (kind: Operation['kind'], bytes: number, dependencies: number[]) =>
    operations.push({
      name: `${kind}${operations.length}`,
      kind,
      type: '',
      server: 0,
      bytes,
      dependencies: dependencies.sort((a, b) => a - b)
    }) - 1
  const pulls = layers.map(bytes => add('pull', bytes, []))
  const durations = new Map<number, number>()
  const compute = (us: number, dependencies: number[]) => {
    const id = add('compute', 0, dependencies)
    durations.set(id, us)
    return id
  }
  let last: number[] = []
  for (const pull of pulls) last = [compute(forwardUs, [pull, ...last])]
  for (const bytes of [...layers].reverse()) {
    last = [compute(2 * forwardUs, last)]
    const update = add('update', 0, [add('push', bytes, [compute(2.5, last)])])
    durations.set(update, updateUs)
  }
  const recorded = Array.from({ length: steps }, (_, s): ProfiledStep => {
    const factor = 1 + 0.02 * (s % 5)
    return {
      trace: `step${s}`,
      spanUs: 1,
      durationUs: operations.map((_, id) => (durations.get(id) ?? 0) * factor),
      gapUs: operations.map(() => 0),
      startUs: operations.map((operation, id) => (operation.kind === 'pull' ? 1000 + 5 * id + s : id)),
      endUs: operations.map(() => 0),
      imputed: []
    }
  })
  return profileFrom(operations, recorded)
}

/** Six layers of 20 kB to 5 MB, twenty steps. */
export function sixLayers(): Profile {
  const layers = [40_000, 5_000_000, 600_000, 80_000, 1_000_000, 20_000]
  return chainNetwork({ layers, forwardUs: 9000, updateUs: 60, steps: 20 })
}

/** A gigabit link and a window that the largest of `sixLayers` exceeds. */
export const gigabitPath: Path = {
  goodputBytesPerUs: 119.5,
  windowBytes: 4 * 1024 * 1024 - 256,
  parsePerByteUs: 4e-5,
  latencyUs: 50
}

/** The profile as the simulator itself would have recorded it on the given path. */
export function recordedBySimulation(core: Core, profile: Profile, path: Path, transport: TransportName = 'auto'): Profile {
  const { job, operationOf } = compile(profile, { contract: false })
  const run = playInOrder(core, job, tracedCluster(profile, transport, path), true)
  const steps = profile.steps.map((step, index): ProfiledStep => {
    const startUs = [...step.startUs]
    const endUs = [...step.endUs]
    for (const entry of run.log[index]) {
      const [id] = operationOf[entry.operation]
      const transfer = [OperationKind.pull, OperationKind.push].some(kind => kind === job.kind[entry.operation])
      startUs[id] = transfer ? entry.readyUs : entry.startUs
      endUs[id] = entry.endUs
    }
    return { ...step, startUs, endUs, spanUs: run.spanUs[index] }
  })
  return { ...profile, steps }
}
