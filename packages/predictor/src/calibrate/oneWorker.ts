import { type Cluster, type Core, type Job, type LogEntry, OperationKind, Simulation } from '@foretrain/core-wasm'
import type { Profile } from '@foretrain/trace-parser'
import { buildCluster } from '../cluster.ts'
import { type CompiledJob, computeSlotsOf } from '../compile/compile.ts'
import { selectTemplates } from '../compile/layOut.ts'
import { defaults } from '../defaults.ts'
import type { TransportName } from '../question.ts'
import { describeTransport, type Path } from '../transport.ts'

/** What one worker did when it played some templates in order, each with times from its own start. */
export interface OneWorkerRun {
  spanUs: Float64Array
  log: LogEntry[][]
}

export function playInOrder(core: Core, job: Job, cluster: Cluster, logged: boolean): OneWorkerRun {
  const options = { seed: 1, replication: 0, phaseSpanUs: 0, inOrder: true, logWorkers: logged ? 1 : 0 }
  const simulation = new Simulation(core, job, cluster, options)
  try {
    simulation.run(job.templates)
    const records = simulation.records()
    const spanUs = new Float64Array(job.templates)
    for (let step = 0; step < job.templates; step++) spanUs[step] = records.endUs[step] - records.startUs[step]
    const log: LogEntry[][] = Array.from({ length: logged ? job.templates : 0 }, () => [])
    if (logged) for (const entry of simulation.log()) log[entry.step]?.push(fromStart(entry, records.startUs[entry.step]))
    return { spanUs, log }
  } finally {
    simulation.free()
  }
}

function fromStart(entry: LogEntry, startUs: number): LogEntry {
  entry.readyUs -= startUs
  entry.startUs -= startUs
  entry.wireEndUs -= startUs
  entry.endUs -= startUs
  return entry
}

/** The cluster in which the trace was taken, as the model sees it. */
export function tracedCluster(profile: Profile, transport: TransportName, path: Path): Cluster {
  const shape = {
    workers: 1,
    servers: Math.max(1, profile.servers.length),
    goodputBytesPerUs: path.goodputBytesPerUs,
    computeSlots: computeSlotsOf(profile),
    updateSlots: Math.max(defaults.serverCores.value, profile.concurrency.update),
    computeScale: 1,
    stepOverheadUs: defaults.stepOverheadUs.value
  }
  return buildCluster(shape, describeTransport(transport, path))
}

/** Compares transfers of the one-worker replay with their records, for many paths and a fixed selection of templates. */
export class TransferReplay {
  readonly #core: Core
  readonly #job: Job
  readonly #profile: Profile
  readonly #transport: TransportName
  /** Recorded end of each operation of the job, template by template; NaN where there is nothing to compare. */
  readonly #recordedEndUs: Float64Array

  constructor(core: Core, profile: Profile, compiled: CompiledJob, transport: TransportName, templates: readonly number[]) {
    this.#core = core
    this.#profile = profile
    this.#transport = transport
    this.#job = selectTemplates(compiled.job, templates)
    const { operations } = compiled.job
    this.#recordedEndUs = new Float64Array(templates.length * operations).fill(Number.NaN)
    templates.forEach((template, position) => {
      const step = profile.steps[template]
      const imputed = new Set(step.imputed)
      compiled.operationOf.forEach((recorded, operation) => {
        const id = recorded[recorded.length - 1]
        if (isTransfer(compiled.job.kind[operation]) && !imputed.has(id))
          this.#recordedEndUs[position * operations + operation] = step.endUs[id]
      })
    })
  }

  /** Mean over transfers of |simulated − recorded end|, µs. */
  meanEndErrorUs(path: Path): number {
    let sum = 0
    let count = 0
    for (const { entry, recordedEndUs } of this.#compared(path)) {
      sum += Math.abs(entry.endUs - recordedEndUs)
      count += 1
    }
    return count > 0 ? sum / count : 0
  }

  /** Transfers in a step that went on the wire behind another of their connection without a pause. */
  queuedPerStep(path: Path): number {
    let count = 0
    for (const { entry } of this.#compared(path)) if (entry.startUs > entry.readyUs) count += 1
    return count / this.#job.templates
  }

  *#compared(path: Path): Generator<{ entry: LogEntry; recordedEndUs: number }> {
    const { log } = playInOrder(this.#core, this.#job, tracedCluster(this.#profile, this.#transport, path), true)
    for (let step = 0; step < log.length; step++) {
      for (const entry of log[step]) {
        const recordedEndUs = this.#recordedEndUs[step * this.#job.operations + entry.operation]
        if (!Number.isNaN(recordedEndUs)) yield { entry, recordedEndUs }
      }
    }
  }
}

export function isTransfer(kind: number): boolean {
  return kind === OperationKind.pull || kind === OperationKind.push
}
