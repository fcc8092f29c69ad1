import { loadCore } from '@foretrain/core-wasm'
import { type Operation, type Profile, type ProfiledStep, profileFrom } from '@foretrain/trace-parser'
import { predict } from '../../src/predict/predict.ts'
import type { Question } from '../../src/question.ts'
import type { Point } from '../../src/schema.ts'
import type { Path } from '../../src/transport.ts'
import { recordedBySimulation } from '../support/syntheticProfile.ts'

export interface Variable {
  bytes: number
  /** Default 0. */
  server?: number
}

/** A job as a report describes it. */
interface PublishedJob {
  /** A layer each; a partitioned variable is a list of its parts. */
  variables: Array<Variable | Variable[]>
  servers?: number
  /** Compute of a step, shared evenly by the layers, one variable each; a third of it forward. */
  computeUs: number
  /** Of each variable or part. */
  updateUs?: number
  /** Whether gradients are sent; a job that only evaluates pulls and computes. Default true. */
  push?: boolean
  /** Payload of a link, bytes per µs (= MB/s). */
  goodput: number
  latencyUs?: number
}

const steps = 20

/** The profile that one worker of the job would have left: layer i computes after its pull and layer i − 1, backward in reverse. */
export async function recorded(job: PublishedJob): Promise<Profile> {
  const { variables, servers = 1, computeUs, updateUs = 10, push = true, goodput, latencyUs = 50 } = job
  const operations: Operation[] = []
  const durations: number[] = []
  const add = (kind: Operation['kind'], { bytes, server = 0 }: Variable, us: number, dependencies: number[]) => {
    const transfer = kind === 'pull' || kind === 'push'
    const name = `${kind}${operations.length}`
    operations.push({ name, kind, type: '', server, bytes: transfer ? bytes : 0, dependencies: dependencies.sort((a, b) => a - b) })
    return durations.push(us) - 1
  }
  const nothing = { bytes: 0 }
  const layers = variables.map(variable => [variable].flat())
  const owned: NonNullable<Profile['variables']> = []
  const pulls = layers.map(parts => parts.map(part => add('pull', part, 0, [])))
  // Created in the order of layers; operation i of the pulls is of variable i.
  pulls.flat().forEach((pull, index) => {
    owned.push({ name: `variable${index}`, operations: [pull] })
  })
  const forwardUs = (push ? computeUs / 3 : computeUs) / layers.length
  let last: number[] = []
  for (const pulled of pulls) last = [add('compute', nothing, forwardUs, [...pulled, ...last])]
  if (push) {
    for (let layer = layers.length - 1; layer >= 0; layer--) {
      last = [add('compute', nothing, 2 * forwardUs, last)]
      layers[layer].forEach((part, index) => {
        const push = add('push', part, 0, last)
        owned[pulls[layer][index]].operations.push(push, add('update', part, updateUs, [push]))
      })
    }
  }
  const recordedSteps = Array.from({ length: steps }, (_, s): ProfiledStep => {
    // Steps differ a little, as they do: 5 % up and down.
    const factor = 1 + 0.025 * ((s % 5) - 2)
    return {
      trace: `step${s}`,
      spanUs: 1,
      durationUs: durations.map(us => us * factor),
      gapUs: durations.map(() => 0),
      startUs: durations.map((_, id) => (operations[id].kind === 'pull' ? 500 + 2 * latencyUs + 3 * id : id)),
      endUs: durations.map(() => 0),
      imputed: []
    }
  })
  const names = Array.from({ length: servers }, (_, task) => `/job:ps/replica:0/task:${task}`)
  const profile = profileFrom(operations, recordedSteps, { servers: names, clockOffsetUs: names.map(() => 0), variables: owned })
  const path: Path = { goodputBytesPerUs: goodput, windowBytes: Number.POSITIVE_INFINITY, parsePerByteUs: 4e-5, latencyUs }
  return recordedBySimulation(await loadCore(), profile, path)
}

/** The points of a prediction, by the number of workers. */
export async function points(profile: Profile, workers: number[], changes: Partial<Question> = {}): Promise<Record<number, Point>> {
  const prediction = await predict({ profile, workers, fixed: { replications: 4, steps: 30 }, ...changes })
  return Object.fromEntries(prediction.points.map(point => [point.workers, point]))
}

export function rate(point: Point): number {
  return point.stepsPerSecond.mean
}

/** So many variables of one size. */
export function equalVariables(count: number, totalBytes: number): Variable[] {
  return Array.from({ length: count }, () => ({ bytes: totalBytes / count }))
}
